"""Whole matches with real bot processes, good ones and rogues: what is recorded, and that nothing is left behind."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from arena.errors import BotFailed
from arena.launch import content_hash, read_manifest
from arena.record import MatchRecord, MatchSpec, VerdictKind
from arena.replay import verify
from arena.tournament.house import House
from arena.tournament.runner import again, play_matches
from arena_rules import Termination, game
from arena_sdk import TimeControl
from tests.tree import ROOT
from tests.unit.launch.table import alive, until
from tests.unit.referee.table import without_times

pytestmark = pytest.mark.usefixtures("in_the_open")

BOTS, ROGUES = ROOT / "bots", ROOT / "tests" / "rogues"
TIME = TimeControl(5_000, 20_000)
SHORT = TimeControl(800, 0)


def children() -> set[int]:
    """The processes that this one has started and not reaped."""
    lists = Path("/proc/self/task").glob("*/children")
    return {int(pid) for path in lists for pid in path.read_text().split()}


def plays_in(pid: int, folder: str) -> bool:
    """Whether the process is that of the bot in a folder of this name."""
    try:
        return Path(f"/proc/{pid}/cwd").readlink().name == folder
    except FileNotFoundError:  # it has just ended
        return False


@pytest.fixture(autouse=True)
async def no_process_left() -> AsyncIterator[None]:
    """Whatever the bots do, none of them outlives the matches."""
    before = children()
    yield
    await until(lambda: children() <= before)


@pytest.fixture
def rogues(tmp_path: Path) -> Path:
    """Copies of the rogues, which may write beside their programs, and of the bundled bots."""
    shutil.copytree(ROGUES, tmp_path / "bots", ignore=shutil.ignore_patterns("__pycache__"))
    for bot in ("random", "greedy"):
        shutil.copytree(BOTS / bot, tmp_path / "bots" / bot, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "bots"


def specs(*lineups: Sequence[str], time: TimeControl = TIME) -> list[MatchSpec]:
    return [
        MatchSpec(index, "shelfie", "en-2022", tuple(lineup), 7 + index, time) for index, lineup in enumerate(lineups)
    ]


async def played(folder: Path, schedule: Sequence[MatchSpec], in_flight: int = 1) -> list[MatchRecord]:
    """The records of these matches, each proved by a replay."""
    names = {name for spec in schedule for name in spec.lineup}
    bots = {name: read_manifest(folder / name) for name in sorted(names)}
    records = [record async for record in play_matches(schedule, bots, in_flight=in_flight)]
    for record in records:
        verify(record)
    return records


# ── good bots ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_a_match_between_good_bots(players: int) -> None:
    """Bots in processes of their own play a whole game, and the record says which versions of them played."""
    lineup = ("greedy", "random", "random", "greedy")[:players]
    (record,) = await played(BOTS, specs(lineup))
    assert record.verdicts == ()
    assert record.outcome is not None
    assert record.outcome.termination is Termination.COMPLETED
    assert [(bot.name, bot.content_hash) for bot in record.lineup] == [
        (name, content_hash(BOTS / name)) for name in lineup
    ]
    assert all(move.think_us > 0 for move in record.moves)


@pytest.mark.parametrize("in_flight", [1, 5])
async def test_records_come_in_the_order_of_the_schedule(in_flight: int) -> None:
    """However many games are played at once, records come in order, and are the same, times aside."""
    editions = list(game("shelfie").editions)
    lineups = [("greedy", "random"), ("random", "greedy")] * 5
    schedule = [replace(spec, edition=editions[spec.index % 4]) for spec in specs(*lineups)]
    records = await played(BOTS, schedule, in_flight)
    assert [record.spec for record in records] == schedule
    assert {record.in_flight for record in records} == {in_flight}
    alone = await played(BOTS, schedule[:1])
    assert without_times(replace(records[0], in_flight=1)) == without_times(alone[0])


async def test_as_many_games_at_once_as_all_bots_take(rogues: Path) -> None:
    """A bot that takes one game at a time is not given two, and the record says so."""
    code = (rogues / "random" / "bot.py").read_text()
    (rogues / "random" / "bot.py").write_text(code.replace("games_at_once = 64", "games_at_once = 2"))
    records = await played(rogues, specs(*[("greedy", "random")] * 4), in_flight=8)
    assert {record.in_flight for record in records} == {2}
    assert all(record.verdicts == () for record in records)


async def test_nothing_to_play() -> None:
    """An empty schedule starts no bot."""
    assert await played(BOTS, []) == []


async def test_stopping_half_way() -> None:
    """Whoever takes no more records gets the bots stopped, in mid-game too."""
    before = children()
    bots = {name: read_manifest(BOTS / name) for name in ("greedy", "random")}
    async with aclosing(play_matches(specs(*[("greedy", "random")] * 50), bots, in_flight=4)) as records:
        async for record in records:
            assert record.verdicts == ()
            assert len(children() - before) == 2
            break
    assert children() <= before


@pytest.mark.parametrize("started", [0, 1, 2])
async def test_calling_off(started: int, rogues: Path) -> None:
    """A schedule that is cancelled before, while or after its bots are started leaves none of them."""
    before = children()
    match = asyncio.create_task(played(rogues, specs(("hangs", "random"), time=TimeControl())))
    await until(lambda: len(children() - before) >= started)
    match.cancel()
    with pytest.raises(asyncio.CancelledError):
        await match
    assert children() <= before


# ── rogues ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Found:
    """What the referee is to find about a rogue."""

    kind: VerdictKind
    sentence: str
    log: str = r"pid \d+"
    exit_status: int | None = None
    signal: int = 0
    time: TimeControl = TIME


CRASHED = "The bot's process ended in mid-game: it "
FINDINGS = {
    "raises": Found(
        VerdictKind.CRASHED,
        CRASHED + "exited with status 1.",
        log=r"(?s)Traceback.*shelf\[turn\.number\].*IndexError: list index out of range",
        exit_status=1,
    ),
    "kills_itself": Found(VerdictKind.CRASHED, CRASHED + r"was killed by signal 9 \(SIGKILL\).", signal=signal.SIGKILL),
    "hangs": Found(
        VerdictKind.TIMED_OUT, "The bot did not answer in time: no answer came, and it had 800 ms.", time=SHORT
    ),
    "cheats": Found(
        VerdictKind.ILLEGAL, "The bot made a move that the rules forbid: e5>1: the tile on e5 has no free side."
    ),
    "mumbles": Found(
        VerdictKind.UNREADABLE, "The bot's answer could not be read as a move: 'the blue one, please' is not a move"
    ),
    "garbles": Found(
        VerdictKind.UNREADABLE, "The bot's answer could not be read as a move: .* not a PlayRequest message."
    ),
    "interrupts": Found(
        VerdictKind.OUT_OF_TURN, "The bot spoke out of turn: it answered turn 0 when it was not its turn."
    ),
    "hangs_up": Found(VerdictKind.DISCONNECTED, "The bot's connection ended in mid-game while its process lived on."),
    "babbles": Found(
        VerdictKind.CRASHED,
        CRASHED + "exited with status 0.",
        log=r"(?s)\A[bla]{15000,16384}\nthat was all\npid \d+\n\Z",
        exit_status=0,
    ),
}


@pytest.mark.parametrize("rogue", FINDINGS)
async def test_a_rogue(rogue: str, rogues: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It forfeits at its second move, the record says why, the other bot wins, and a fresh process plays next."""
    # A bot that lives on is waited for in vain; the others need what they need on a busy machine.
    monkeypatch.setattr("arena.tournament.house.EXIT_SECONDS", 0.3 if rogue == "hangs_up" else 10)
    found = FINDINGS[rogue]
    records = await played(rogues, specs((rogue, "random"), (rogue, "random"), time=found.time))
    pids = []
    for record in records:
        (verdict,) = record.verdicts
        assert (verdict.seat, verdict.kind, verdict.turn) == (0, found.kind, 2)
        assert re.match(found.sentence, verdict.detail)
        assert (verdict.exit_status, verdict.signal) == (found.exit_status, found.signal)
        assert re.search(found.log, verdict.log_tail)
        assert record.outcome is not None
        assert record.outcome.ranks == (2, 1)
        assert record.outcome.termination is Termination.ABANDONED
        assert len(record.moves) == 2
        pids.append(int(re.findall(r"pid (\d+)", verdict.log_tail)[-1]))
    assert pids[0] != pids[1]
    assert not any(map(alive, pids))


async def test_with_three_the_others_play_on(rogues: Path) -> None:
    """A rogue among three ranks last, and the two others finish their game."""
    (record,) = await played(rogues, specs(("random", "kills_itself", "greedy")))
    # As seat 1 it is never asked for turn 0, so it is killed at its first turn.
    (verdict,) = record.verdicts
    assert (verdict.seat, verdict.kind, verdict.turn, verdict.signal) == (1, VerdictKind.CRASHED, 1, signal.SIGKILL)
    assert record.outcome is not None
    assert record.outcome.termination is Termination.COMPLETED
    assert record.outcome.ranks[1] == 3


async def test_rogues_among_themselves(rogues: Path) -> None:
    """When all bots misbehave in turn, each gets its own verdict, and the last one wins."""
    lineup = ("cheats", "mumbles", "raises", "hangs")
    (record,) = await played(rogues, specs(lineup, time=SHORT))
    assert [(verdict.seat, verdict.kind) for verdict in record.verdicts] == [
        (1, VerdictKind.UNREADABLE),
        (2, VerdictKind.CRASHED),
        (3, VerdictKind.TIMED_OUT),
    ]


async def test_the_other_bot_is_kept(rogues: Path) -> None:
    """Only the process of the rogue is replaced: the other bot plays all games in one process."""
    before = children()
    seen: set[int] = set()
    bots = {name: read_manifest(rogues / name) for name in ("raises", "random")}
    async with aclosing(play_matches(specs(*[("raises", "random")] * 4), bots)) as records:
        async for record in records:
            assert [verdict.kind for verdict in record.verdicts] == [VerdictKind.CRASHED]
            seen |= {pid for pid in children() - before if plays_in(pid, "random")}
    assert len(seen) == 1


async def test_a_crash_with_many_games_in_flight(rogues: Path) -> None:
    """All games that a bot had in flight when it died are forfeited, each once, and later ones are played again."""
    code = (rogues / "kills_itself" / "bot.py").read_text()
    code = code.replace("(Bot):", "(Bot):\n    games_at_once = 4\n").replace("turn.number > 0", "turn.number > 8")
    (rogues / "kills_itself" / "bot.py").write_text(code)
    records = await played(rogues, specs(*[("kills_itself", "random")] * 8), in_flight=4)
    assert len(records) == 8
    for record in records:
        (verdict,) = record.verdicts
        assert (verdict.kind, verdict.signal) == (VerdictKind.CRASHED, signal.SIGKILL)
        assert record.in_flight == 4


# ── bots that do not come ───────────────────────────────────────────────────────────────────────────────────────────


async def test_a_bot_that_exits_at_once(rogues: Path) -> None:
    """No match is played with a bot that cannot be had: the error names it and shows the end of its log."""
    with pytest.raises(BotFailed, match="exits_at_once exited with status 9 before it joined") as caught:
        await played(rogues, specs(("random", "exits_at_once")))
    assert caught.value.log_tail == "I would rather not play\n"


async def test_a_bot_that_never_joins(rogues: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that runs but does not join is not waited for longer than it is given."""
    monkeypatch.setattr("arena.tournament.house.JOIN_SECONDS", 1.0)
    with pytest.raises(BotFailed, match="never_joins was started but did not join within") as caught:
        await played(rogues, specs(("never_joins", "random")))
    assert caught.value.log_tail == "looking for the table\n"


async def test_a_bot_that_does_not_come_again(rogues: Path) -> None:
    """A bot that crashed and then does not start again forfeits the games it cannot play; they are results."""
    records = await played(rogues, specs(*[("comes_once", "random")] * 2))
    assert [record.verdicts[0].kind for record in records] == [VerdictKind.CRASHED, VerdictKind.FAILED_TO_START]
    assert records[0].verdicts[0].exit_status == 5
    verdict = records[1].verdicts[0]
    assert "exited with status 6 before it joined" in verdict.detail
    assert "never again" in verdict.log_tail
    assert records[1].moves == ()


async def test_a_bot_that_does_not_join_again(rogues: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same holds when its new process runs but does not join."""
    monkeypatch.setattr("arena.tournament.house.JOIN_SECONDS", 1.5)
    (rogues / "comes_once" / "sulk").touch()
    records = await played(rogues, specs(*[("comes_once", "random", "random")] * 2))
    assert [record.verdicts[0].kind for record in records] == [VerdictKind.CRASHED, VerdictKind.NEVER_JOINED]
    verdict = records[1].verdicts[0]
    assert "did not join within" in verdict.detail
    assert "never again" in verdict.log_tail
    assert records[1].outcome is not None
    assert records[1].outcome.termination is Termination.COMPLETED
    assert records[1].outcome.ranks[0] == 3


async def test_a_bot_with_other_rules(rogues: Path) -> None:
    """A bot that brings other rules is told so in its log, which the error shows."""
    code = (rogues / "random" / "bot.py").read_text()
    old = "from arena_rules.shelfie import SHELFIE\n\nSHELFIE.rules_version = 'zero'\n"
    (rogues / "random" / "bot.py").write_text(code.replace("\n\n\nclass", f"\n{old}\n\nclass", 1))
    with pytest.raises(BotFailed, match="random exited with status 4 before it joined") as caught:
        await played(rogues, specs(("random", "greedy")))
    assert "install the arena-sdk that comes with this arena" in caught.value.log_tail


async def test_seeds_make_bots_reproducible() -> None:
    """The same spec gives the same record again in new processes, times aside."""
    (spec,) = specs(("random", "greedy", "random"))
    spec = replace(spec, seed=Random(1).getrandbits(64))
    first, second = [await played(BOTS, [spec]) for _ in range(2)]
    assert [without_times(record) for record in first] == [without_times(record) for record in second]


# ── a crowded host ──────────────────────────────────────────────────────────────────────────────────────────────────

LABOURS = """
import time
from arena_sdk import Bot, run

class Labours(Bot):
    def choose(self, turn):
        until = time.process_time() + 0.2 * (2 <= turn.number < 4)
        while time.process_time() < until:
            pass
        return turn.legal[0]

run(Labours())
"""


@contextmanager
def kept_to_one_core() -> Iterator[None]:
    """This process and all that it starts."""
    usual = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(usual)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, usual)


@contextmanager
def crowded() -> Iterator[None]:
    """Others have enough to do for themselves."""
    busy = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(busy, start_new_session=True) for _ in range(8)]  # as bots are, for an equal share
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


async def test_a_crowded_host_blames_nobody(tmp_path: Path) -> None:
    """A bot that has not got the processor it would have needed is not blamed; with more room it is in time."""
    (tmp_path / "bot.toml").write_text('name = "labours"\ngames = ["shelfie"]\ncommand = ["python", "bot.py"]\n')
    (tmp_path / "bot.py").write_text(LABOURS)
    bots = {"labours": read_manifest(tmp_path), "random": read_manifest(BOTS / "random")}
    spec = MatchSpec(0, "shelfie", "en-2022", ("labours", "random"), 7, TimeControl(1_000, 0))
    async with House(bots) as house:
        with kept_to_one_core():
            await house.welcome(spec.lineup)
            with crowded():
                spoiled = await house.play(spec, 1)
        assert spoiled.outcome is None
        assert spoiled.verdicts == ()
        assert spoiled.void_reason.endswith("so its being late counts for nothing.")
        record = await house.play(replace(again(spec), time=TIME), 1)
    assert record.outcome is not None
    assert record.verdicts == ()
