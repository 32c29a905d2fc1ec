"""Arenas with a past: real games of bots that play at random, in a store, without any process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from arena.errors import ArenaError
from arena.launch import read_manifest
from arena.record import Effort, Entrant, LogLine, MatchRecord, MatchSpec, Verdict
from arena.store import Pool, State, Store
from arena.tournament import systems
from arena.tournament.definition import Definition
from arena.tournament.entry import register
from arena.tournament.ledger import settle
from arena.tournament.schedule import Block, Schedule
from arena_sdk.events import TimeControl
from tests.unit.cli.played import played

TIME = TimeControl(1_000, 10_000)


def make_bot(folder: Path, name: str, text: str = "") -> Path:
    """A bot folder that is never started."""
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text(f'name = "{name}"\ngames = ["shelfie"]\ncommand = ["true"]\n')
    (folder / "bot.py").write_text(text or f"# {name}\n")
    return folder


def entrants(store: Store, labels: Sequence[str]) -> dict[str, Entrant]:
    versions = [store.version(label) for label in labels]
    return {one.label: Entrant(one.name, one.content_hash, one.number) for one in versions}


def record_of(spec: MatchSpec, known: dict[str, Entrant], *verdicts: Verdict) -> MatchRecord:
    """A whole game of this spec, with what its seats used and wrote."""
    efforts = tuple(Effort(5_000 + seat, 20_000 + seat, (LogLine(2, "hm"),)) for seat in range(len(spec.lineup)))
    lineup = tuple(known[label] for label in spec.lineup)
    started = 1_000_000 * (spec.index + 1)
    return replace(played(spec, *verdicts), lineup=lineup, efforts=efforts, started_us=started)


def play_cup(
    store: Store,
    labels: Sequence[str],
    *,
    name: str = "cup",
    opened_us: int = 1,
    blocks: int = 6,
    void_at: int | None = None,
) -> None:
    """Play a whole tournament, one match of it at the second attempt if told so, and bring the ratings up to it."""
    settings = {"blocks": blocks}
    plan = Definition(name, "shelfie", "it", (2,), "round-robin", tuple(labels), 7, TIME, settings=settings)
    store.open_tournament(name, "shelfie", "round-robin", plan.as_json(), opened_us)
    schedule, known = Schedule(plan, systems.of(plan)), entrants(store, labels)
    for block in iter(schedule.next, None):
        if not isinstance(block, Block):
            raise ArenaError("this system has to wait, and nobody plays meanwhile")
        records = [one for spec in block.specs for one in _attempts(spec, known, void_at)]
        store.record(records, through=block.specs[-1].index + 1)
    store.finish(name, State.FINISHED)
    settle(store, Pool("shelfie"))


def _attempts(spec: MatchSpec, known: dict[str, Entrant], void_at: int | None) -> Iterator[MatchRecord]:
    if spec.index == void_at:
        yield replace(record_of(spec, known), outcome=None, void_reason="The machine stood still.")
        spec = replace(spec, attempt=1)
    yield record_of(spec, known)


def register_bots(store: Store, folder: Path, *names: str) -> list[str]:
    """Register a bot of each of these names, with its files."""
    made = [read_manifest(make_bot(folder / name, name)) for name in names]
    return [register(store, manifest, trusted=True).label for manifest in made]
