"""Trying out a bot for its author, and an installation for its organiser: numbered steps, each with its finding."""

from __future__ import annotations

import asyncio
import shutil
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Final

from arena.config import parse_time
from arena.errors import BotFailed, UsageError
from arena.launch import Guard, Limits, Manifest, Wrapper, read_manifest
from arena.record import MatchRecord, MatchSpec, VerdictKind
from arena.referee.match import play_match
from arena.referee.seat import LocalSeat, Seat
from arena.tournament.house import House, LiveBot
from arena.tournament.runner import again
from arena_rules import game, games
from arena_sdk import Bot, TimeControl, Turn
from arena_sdk.v1 import referee_pb2 as pb

SEED: Final = 7
MARGIN: Final = 0.5
"""The share of its time that a bot may need at most for a move, so that a busier machine does not undo it."""
ROOM: Final = 0.8
"""The same of its memory."""
CALM: Final = TimeControl(10_000, 60_000)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was tried."""

    name: str
    passed: bool
    finding: str
    """What was measured, or what is wrong and what to do."""
    log: str = ""
    """What the bot printed, when the step was not passed."""


class _First(Bot):
    """Makes the first move there is: a companion that is fast and always the same."""

    def choose(self, turn: Turn) -> object:
        return turn.legal[0]


# ── a bot ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def check_bot(
    folder: Path,
    time: TimeControl,
    *,
    wrapper: Wrapper | None = None,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> AsyncIterator[Step]:
    """Try a bot out, step by step. What needs a bot that starts is left out for one that does not."""
    manifest = read_manifest(folder)
    yield _known_games(manifest)
    async with House({"bot": manifest}, measure=True, wrapper=wrapper or Guard(limits=limits)) as house:
        arrival = await _arrives(house)
        yield arrival
        if not arrival.passed:
            return
        records: list[MatchRecord] = []
        for name, players in _tables(manifest):
            record = await _played(house, _spec(name, players, time))
            records.append(record)
            yield _whole_game(name, players, record)
        if all(not record.verdicts for record in records):
            yield _keeps_time(records, time)
            yield await _twice_the_same(house, records, bound=manifest.deterministic)
            for name, trial in TRIALS.items():
                yield await _survives(house, manifest, name, trial)
            yield _uses(records, limits)
            yield await _leaves(house)


def _known_games(manifest: Manifest) -> Step:
    unknown = [name for name in manifest.games if name not in games()]
    if unknown:
        known = ", ".join(games())
        return Step("bot.toml names games of this arena", False, f"there is no {', '.join(unknown)}; there are {known}")
    return Step("bot.toml names games of this arena", True, ", ".join(manifest.games))


def _tables(manifest: Manifest) -> Iterator[tuple[str, int]]:
    for name in manifest.games:
        if name in games():
            for players in game(name).players:
                yield name, players


def _spec(name: str, players: int, time: TimeControl) -> MatchSpec:
    return MatchSpec(0, name, game(name).default_edition, ("bot",) * players, SEED, time)


async def _arrives(house: House) -> Step:
    began = monotonic()
    try:
        bot = await house.guest("bot")
    except BotFailed as failure:
        return Step("starts and joins", False, str(failure), failure.log_tail)
    return Step("starts and joins", True, f"in {(monotonic() - began) * 1e3:,.0f} ms; {bot.process.confinement}")


async def _played(house: House, spec: MatchSpec) -> MatchRecord:
    """The record that counts: what the machine has spoiled is played again."""
    record = await house.play(spec, 1)
    while record.outcome is None:
        record = await house.play(again(record.spec), 1)
    return record


def _whole_game(name: str, players: int, record: MatchRecord) -> Step:
    title = f"plays {name} with {players} players"
    for verdict in record.verdicts:
        return Step(title, False, f"seat {verdict.seat}, turn {verdict.turn}: {verdict.detail}", verdict.log_tail)
    return Step(title, True, f"{len(record.moves)} moves against itself")


def _keeps_time(records: list[MatchRecord], time: TimeControl) -> Step:
    slowest = max((move.think_us for record in records for move in record.moves), default=0) / 1e3
    told = f"its slowest move took {slowest:,.0f} ms"
    if time.move_ms and slowest > MARGIN * time.move_ms:
        limit = f"of the {time.move_ms:,} ms that a move has"
        return Step("keeps time", False, f"{told} {limit}; leave half of it for machines that are busier")
    return Step("keeps time", True, told)


async def _twice_the_same(house: House, records: list[MatchRecord], *, bound: bool) -> Step:
    """A duty only for a bot that says so: chance that comes from elsewhere than from the seed is allowed."""
    firsts = {record.spec.game: record for record in reversed(records)}.values()
    seconds = [await _played(house, replace(first.spec, attempt=0)) for first in firsts]
    if all(_notations(first) == _notations(second) for first, second in zip(firsts, seconds, strict=True)):
        return Step("plays the same game again", True, "yes")
    found = "no: its moves depend on more than its view and its seed"
    if bound:
        return Step("plays the same game again", False, f"{found}, and bot.toml says deterministic = true; mend either")
    return Step("plays the same game again", True, f"{found}, so its games cannot be played again")


def _notations(record: MatchRecord) -> list[str]:
    return [move.notation for move in record.moves]


def _uses(records: list[MatchRecord], limits: Limits) -> Step:
    efforts = [effort for record in records for effort in record.efforts]
    peak = max((effort.peak_kb for effort in efforts), default=0) / 1024
    moves = sum(len(record.moves) for record in records) or 1
    processor = sum(effort.cpu_us for effort in efforts) / 1e3 / moves
    told = f"{peak:,.0f} MB at most, {processor:,.1f} ms of a processor for each move"
    if peak > ROOM * limits.memory_mb:
        return Step("needs little", False, f"{told}; it may have {limits.memory_mb:,} MB")
    return Step("needs little", True, told)


async def _leaves(house: House) -> Step:
    bot = await house.guest("bot")
    await bot.depart()
    ending = bot.process.ending
    if ending is None:
        return Step("leaves when told", False, "it did not exit within 1 s after the goodbye", bot.process.log_tail)
    if ending.exit_status != 0:
        return Step("leaves when told", False, f"it {ending.describe()} after the goodbye", bot.process.log_tail)
    return Step("leaves when told", True, "with status 0")


# ── odd referees ────────────────────────────────────────────────────────────────────────────────────────────────────

Trial = Callable[[LiveBot, MatchSpec], Awaitable[None]]


async def _survives(house: House, manifest: Manifest, name: str, trial: Trial) -> Step:
    """Whether the bot plays a whole game after the trial."""
    bot = await house.guest("bot")
    spec = _spec(manifest.games[0], min(game(manifest.games[0]).players), CALM)
    await trial(bot, spec)
    record = await play_match(spec, _beside(bot, spec))
    for verdict in record.verdicts:
        bot.unfit = True
        await asyncio.wait({asyncio.ensure_future(bot.process.ended())}, timeout=0.5)
        log = bot.process.log_tail
        return Step(f"survives {name}", False, f"in the game after it: {verdict.detail}", log)
    return Step(f"survives {name}", True, "and plays on")


def _beside(bot: LiveBot, spec: MatchSpec) -> list[Seat]:
    return [bot.connection.seat(), *(LocalSeat(_First()) for _ in spec.lineup[1:])]


async def _unknown_fields(bot: LiveBot, spec: MatchSpec) -> None:
    """What a referee of tomorrow may say: an event that this version does not know, for no game and for a new one."""
    for number in (0, 2**31):
        event = pb.RefereeEvent(game=number)
        event.MergeFromString(b"\xfa\x3e\x05hello")  # field 1007
        bot.connection.announce(event)


async def _stale_news(bot: LiveBot, spec: MatchSpec) -> None:
    """News of a game that the bot is not in any more, or never was."""
    for number in (1, 2**31):
        left = pb.RefereeEvent(game=number)
        left.seat_left.seat = 1
        ended = pb.RefereeEvent(game=number)
        ended.game_ended.verdict = "The game was called off."
        bot.connection.announce(left)
        bot.connection.announce(ended)


async def _called_off(bot: LiveBot, spec: MatchSpec) -> None:
    """A game that ends while the bot thinks."""
    match = asyncio.create_task(play_match(spec, _beside(bot, spec)))
    await asyncio.sleep(0)
    match.cancel()
    await asyncio.gather(match, return_exceptions=True)


TRIALS: Final[dict[str, Trial]] = {
    "events that it does not know": _unknown_fields,
    "news of games that it is not in": _stale_news,
    "a game that is called off": _called_off,
}


# ── an arena ────────────────────────────────────────────────────────────────────────────────────────────────────────

ZOO: Final = Path(__file__).parents[2] / "tests" / "rogues"
LIMITS: Final = Limits(memory_mb=256, processes=64, tmp_mb=16)


@dataclass(frozen=True, slots=True)
class Rogue:
    """A bot of the zoo, and what the referee has to find on it."""

    folder: Path
    kind: VerdictKind | None
    """None for one that harms nobody and plays to the end."""
    time: TimeControl
    needs: str = ""
    """The program without which it cannot be tried."""


def read_zoo(folder: Path = ZOO) -> list[Rogue]:
    """The rogues of a zoo. Raises UsageError."""
    try:
        listed = tomllib.loads((folder / "zoo.toml").read_text())
    except FileNotFoundError as error:
        raise UsageError(f"there is no zoo in {folder}; it comes with the sources of arena, in tests/rogues") from error
    return [
        Rogue(
            folder / name,
            VerdictKind(about["verdict"]) if "verdict" in about else None,
            parse_time(about["time"]) if "time" in about else CALM,
            about.get("needs", ""),
        )
        for name, about in listed.items()
    ]


async def check_arena(companion: Path, zoo: Path = ZOO, *, wrapper: Wrapper | None = None) -> AsyncIterator[Step]:
    """Play every rogue against a companion, and see whether the referee finds what it should."""
    for rogue in read_zoo(zoo):
        if rogue.needs and not shutil.which(rogue.needs):
            yield Step(f"holds {rogue.folder.name}", True, f"not tried: {rogue.needs} is not installed")
            continue
        bots = {"companion": read_manifest(companion), "rogue": read_manifest(rogue.folder)}
        async with House(bots, wrapper=wrapper or Guard(limits=LIMITS)) as house:
            spec = MatchSpec(0, "shelfie", game("shelfie").default_edition, ("rogue", "companion"), SEED, rogue.time)
            yield _as_expected(rogue, await _played(house, spec))


def _as_expected(rogue: Rogue, record: MatchRecord) -> Step:
    found = {verdict.seat: verdict for verdict in record.verdicts}
    name = f"holds {rogue.folder.name}"
    if 1 in found:
        return Step(name, False, f"its companion suffered: {found[1].detail}", found[1].log_tail)
    kind = found[0].kind if 0 in found else None
    if kind is rogue.kind:
        return Step(name, True, _told(kind))
    log = found[0].log_tail if 0 in found else ""
    return Step(name, False, f"found '{_told(kind)}', expected '{_told(rogue.kind)}'", log)


def _told(kind: VerdictKind | None) -> str:
    return kind.value if kind else "played to the end"
