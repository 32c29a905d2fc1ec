"""A bot that is submitted plays a short qualifying block in each of its games, from its packed files."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from arena.config import DEFAULT_TIME
from arena.errors import ArenaError, BadManifest, Conflict, Unknown, UsageError
from arena.launch import Manifest, content_hash, read_manifest
from arena.launch.pack import pack, unpack
from arena.record import Entrant, MatchRecord, MatchSpec, Verdict
from arena.store import Pool, Standing, Store, Version
from arena.tournament.blocks import blocks
from arena.tournament.cup import ATTEMPTS
from arena.tournament.definition import Definition
from arena.tournament.entry import facts, recall, unpacked
from arena.tournament.executor import LocalExecutor
from arena.tournament.ledger import settle
from arena.tournament.runner import again
from arena.tournament.worker import Contender
from arena_rules import Game, games
from arena_rules.chance import derive

SYSTEM: Final = "qualifying"
_TRIES: Final = 100


@dataclass(frozen=True, slots=True)
class Submission:
    """A version that has come in."""

    version: Version
    folder: Path
    """Its files, unpacked: it is never run from the folder of its author."""
    known: bool
    """Whether the same content was submitted before."""
    games: tuple[str, ...]
    """Those that it plays and this arena has."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The qualifying block of one game."""

    game: str
    opponent: str
    """The label of the bot that it met; its own when there was nobody else."""
    records: tuple[MatchRecord, ...]
    """Those that count."""

    def failures(self, label: str) -> list[tuple[MatchRecord, Verdict]]:
        """Why the bot of this label was put out of games."""
        return [
            (record, verdict)
            for record in self.records
            for verdict in record.verdicts
            if record.spec.lineup[verdict.seat] == label
        ]


def submit(store: Store, folder: Path, cache: Path, *, trusted: bool) -> Submission:
    """Take in what the folder of a bot holds now. Raises BadManifest, UsageError."""
    manifest = read_manifest(folder)
    playable = _playable(manifest)
    content, packed = content_hash(manifest.folder), pack(manifest.folder)
    known = any(version.content_hash == content for version in _lineage(store, manifest.name))
    place = unpacked(cache, manifest.name, content)
    unpack(packed, place, content)
    version = store.register(
        manifest.name, content, facts(manifest), packed, trusted=trusted, source=f"submitted from {manifest.folder}"
    )
    return Submission(version, place, known, playable)


def _playable(manifest: Manifest) -> tuple[str, ...]:
    playable = tuple(name for name in manifest.games if name in games())
    if not playable:
        raise UsageError(
            f"{manifest.name} plays {', '.join(manifest.games)}, and this arena has {', '.join(games())}: "
            "name one of them in its bot.toml"
        )
    return playable


def _lineage(store: Store, name: str) -> list[Version]:
    try:
        return store.lineage(name)
    except Unknown:
        return []


# ── the trial ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def try_out(store: Store, submission: Submission, game: str, cache: Path) -> Trial:
    """Play the qualifying block of a game and put it into the log."""
    label = submission.version.label
    contenders = {label: _contender(submission)}
    contenders |= _opponent(store, game, label, cache)
    opponent = list(contenders)[-1]
    records: list[MatchRecord] = []
    async with LocalExecutor(contenders, jobs=1) as executor:
        for spec in _specs(games()[game], (label, opponent), submission.version.content_hash):
            record = (await executor.play(spec)).record
            while record.outcome is None:
                records.append(record)
                if record.spec.attempt + 1 >= ATTEMPTS:
                    raise ArenaError(
                        f"{label} could not be tried out: its match was void {ATTEMPTS} times, the last time because: "
                        f"{record.void_reason} Mend that, then submit it again"
                    )
                record = (await executor.play(again(record.spec))).record
            records.append(record)
    filed = _file(store, games()[game], records)
    return Trial(game, opponent, tuple(record for record in filed if record.outcome is not None))


def _contender(submission: Submission) -> Contender:
    version = submission.version
    return Contender(Entrant(version.name, version.content_hash, version.number), submission.folder)


def _opponent(store: Store, game: str, label: str, cache: Path) -> Mapping[str, Contender]:
    """The best bot that can be had; nobody when there is none."""
    for rival in _rivals(store, game, label):
        try:
            return recall(store, [rival], cache)
        except (Unknown, BadManifest):
            continue  # its files are gone
    return {}


def _rivals(store: Store, game: str, label: str) -> Iterator[str]:
    """Those who may be met: the rated ones, the best first, then the others."""
    settle(store, Pool(game))
    rated = [rating.bot for rating in store.leaderboard_rows(Pool(game))]
    known = [version for newest in store.bots() for version in reversed(store.lineage(newest.name))]
    others = [version.label for version in known if game in version.facts.get("games", ())]
    for rival in dict.fromkeys([*rated, *others]):
        version = store.version(rival)
        if rival != label and version.retired_us is None and version.standing is not Standing.REJECTED:
            yield rival


def _specs(game: Game[Any], lineup: Sequence[str], content: str) -> Iterator[MatchSpec]:
    """One deal with every rotation of the line-up. The same content is dealt the same cards."""
    seats = (*lineup[:1], *[lineup[1]] * (game.players[0] - 1))
    return blocks(
        game=game.name,
        edition=game.default_edition,
        options={},
        lineup=seats,
        seed=derive(0, f"qualifying {content}"),
        time=DEFAULT_TIME,
        games=len(seats),
    )


def _file(store: Store, game: Game[Any], records: Sequence[MatchRecord]) -> list[MatchRecord]:
    """Put the block behind what others have played to qualify. Whoever comes second takes the places after it."""
    name = _tournament(store, game)
    for _ in range(_TRIES):
        first, block = _free(store, game, name)
        filed = [
            replace(record, spec=replace(record.spec, tournament=name, index=first + record.spec.index, block=block))
            for record in records
        ]
        try:
            store.record(filed, through=max(record.spec.index for record in filed) + 1)
        except Conflict:
            continue
        return filed
    raise ArenaError(f"too many bots are being submitted at once for {name}: try again in a moment")


def _free(store: Store, game: Game[Any], tournament: str) -> tuple[int, int]:
    """The first index and the first block that nobody has."""
    last = deque(store.results(game.name, tournament=tournament, unsettled=True), maxlen=1)
    return (last[0].index + 1, last[0].block + 1) if last else (0, 0)


def _tournament(store: Store, game: Game[Any]) -> str:
    """Where all qualifying matches of a game are logged. It is not rated, and goes on for ever."""
    name = f"{SYSTEM}-{game.name}"
    plan = Definition(
        name=name,
        game=game.name,
        edition=game.default_edition,
        players=game.players[:1],
        system=SYSTEM,
        bots=(),
        seed=0,
        time=DEFAULT_TIME,
        strikes=0,
    )
    store.open_tournament(name, game.name, SYSTEM, plan.as_json(), opened_us=0, rated=False)
    return name


# ── where a bot stands ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Position:
    """Where the versions of a bot stand in a game."""

    game: str
    field: int
    """How many versions are rated in it."""
    places: tuple[tuple[int, str, float], ...]
    """Place, label and conservative score of those of the bot's versions that are rated, the best first."""


def standing(store: Store, name: str, game: str) -> Position:
    """Where all versions of a bot stand."""
    settle(store, Pool(game))
    rows = store.leaderboard_rows(Pool(game))
    places = [
        (place, rating.bot, rating.mu - 3 * rating.sigma)
        for place, rating in enumerate(rows, 1)
        if rating.bot.partition("@")[0] == name
    ]
    return Position(game, len(rows), tuple(places))
