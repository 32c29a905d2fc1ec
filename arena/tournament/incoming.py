"""What comes into an arena: records and whole tournaments of another one.

Everything is checked before anything is written, and whatever was written before is left alone, so a file may come in
as often as one likes. Versions are known by their content: what is greedy@3 elsewhere may be greedy@1 here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from arena.archive import Sealed, messages, parse, seal
from arena.archive.cupfile import BundledBot, CupFile, Head, is_cup
from arena.errors import BadRecord, Conflict, Unknown, UsageError
from arena.record import Entrant, MatchRecord
from arena.store import State, Store, Version
from arena.tournament.audit import Report, audit_file
from arena.tournament.definition import NAME, NAME_RULE

SYSTEM: Final = "imported"
"""The system of tournaments that are made of single records."""
_BATCH: Final = 200
_SHOWN: Final = 5

Step = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Arrival:
    """What has come in."""

    tournament: str
    matches: int
    """How many the file holds, new here or not."""
    new_bots: tuple[str, ...]
    """The labels of versions that were not known here."""
    renamed: Mapping[str, str]
    """Labels there and here, where they differ."""


def bring_in(store: Store, path: Path, name: str | None = None, *, rated: bool = False, jobs: int = 1) -> Arrival:
    """Take in a file; ``name`` is what its tournament is to be called here. ``rated`` is for files of single records.

    Raises BadRecord, before anything is written, for a file in which something does not fit, and Conflict when
    something else is in its place.
    """
    if name is not None and not NAME.fullmatch(name):
        raise UsageError(f"'{name}' cannot be the name of a tournament: it takes {NAME_RULE}")
    _insist(path, jobs)
    if is_cup(path):
        with CupFile(path) as file:
            return _Cup(store, file, name).bring_in()
    return _Records(store, path, name, rated=rated).bring_in()


def _insist(path: Path, jobs: int) -> None:
    """Raises BadRecord unless all in the file is as it should be."""
    report = Report()
    audit_file(path, report, jobs=jobs)
    if report.findings:
        found = "\n  ".join(str(finding) for finding in report.findings[:_SHOWN])
        more = len(report.findings) - _SHOWN
        rest = f"\n  and {more} more; arena verify {path} shows all" if more > 0 else ""
        raise BadRecord(f"{path} is not as it should be, so nothing of it was taken in:\n  {found}{rest}")


# ── a tournament ────────────────────────────────────────────────────────────────────────────────────────────────────


class _Cup:
    """The file of a tournament on its way in."""

    def __init__(self, store: Store, file: CupFile, name: str | None) -> None:
        self._store = store
        self._file = file
        self._head: Head = file.head
        self._name = name or file.head.name

    def bring_in(self) -> Arrival:
        known = {bot.label: _known(self._store, bot.name, bot.content_hash) for bot in self._head.bots}
        self._check_place(known)
        versions = {bot.label: self._register(bot) for bot in self._head.bots}
        labels = {there: version.label for there, version in versions.items()}
        self._open(labels)
        count = self._write(versions, labels)
        new = tuple(labels[there] for there, version in known.items() if version is None)
        return Arrival(self._name, count, new, {there: here for there, here in labels.items() if there != here})

    def _check_place(self, known: Mapping[str, Version | None]) -> None:
        """Raises Conflict when another tournament has the name here. Nothing is written yet."""
        try:
            here = self._store.tournament(self._name)
        except Unknown:
            return
        labels = {there: version.label for there, version in known.items() if version is not None}
        same = len(labels) == len(known) and dict(here.definition) == self._definition(labels)
        if not same or (here.game, here.system, here.rated) != (self._head.game, self._head.system, self._head.rated):
            raise Conflict(
                f"there is another tournament named {self._name} in this arena: call the one in {self._file.path} "
                "something else with --as NAME"
            )

    def _definition(self, labels: Mapping[str, str]) -> dict[str, Any]:
        """The definition in the words of this arena."""
        definition: dict[str, Any] = _relabelled(dict(self._head.definition), labels)
        return {**definition, "name": self._name} if "name" in definition else definition

    def _register(self, bot: BundledBot) -> Version:
        return self._store.register(
            bot.name,
            bot.content_hash,
            bot.facts,
            self._file.pack(bot),
            trusted=False,
            source=f"imported with {self._head.name}",
            submitted_us=bot.submitted_us,
        )

    def _open(self, labels: Mapping[str, str]) -> None:
        head = self._head
        self._store.open_tournament(
            self._name, head.game, head.system, self._definition(labels), head.opened_us, rated=head.rated
        )

    def _write(self, versions: Mapping[str, Version], labels: Mapping[str, str]) -> int:
        head = self._head
        as_it_is = self._name == head.name and all(there == here for there, here in labels.items())
        items = (Sealed(parse(message), message) for message in self._file.messages())
        if not as_it_is:
            items = (seal(_moved_in(record, self._name, versions)) for record, _ in items)
        count = _write(self._store, items, head.through)
        state = State(head.state)
        if state is not State.RUNNING:
            self._store.finish(self._name, state)
        return count


def _relabelled(value: Any, labels: Mapping[str, str]) -> Any:
    """A definition with the labels of this arena, wherever the systems have put them."""
    if isinstance(value, str):
        return labels.get(value, value)
    if isinstance(value, list):
        return [_relabelled(one, labels) for one in value]
    if isinstance(value, dict):
        return {key: _relabelled(one, labels) for key, one in value.items()}
    return value


def _moved_in(record: MatchRecord, name: str, versions: Mapping[str, Version]) -> MatchRecord:
    """The record as this arena would have written it."""
    here = [versions[label] for label in record.spec.lineup]
    spec = replace(record.spec, tournament=name, lineup=tuple(version.label for version in here))
    return replace(record, spec=spec, lineup=tuple(map(_entrant, record.lineup, here)))


def _entrant(entrant: Entrant, version: Version) -> Entrant:
    return replace(entrant, version=version.number)


# ── single records ──────────────────────────────────────────────────────────────────────────────────────────────────


class _Records:
    """A file of records on its way in. It becomes a tournament of its own, whose schedule is the order of the file."""

    def __init__(self, store: Store, path: Path, name: str | None, *, rated: bool) -> None:
        self._store = store
        self._path = path
        self._rated = rated
        first = self._first()
        self._game = first.spec.game
        self._own = first.spec.tournament
        if not (name or self._own):
            raise UsageError(f"the matches in {path} belong to no tournament: say what to call them with --as NAME")
        self._name = name or self._own

    def _first(self) -> MatchRecord:
        return parse(next(messages(self._path)))

    def bring_in(self) -> Arrival:
        self._check()
        new: list[str] = []
        versions: dict[tuple[str, str], Version] = {}
        for record in self._records():
            for bot in record.lineup:
                key = bot.name, bot.content_hash
                if key not in versions:
                    known = _known(self._store, *key)
                    versions[key] = known or self._register(bot)
                    new += [] if known else [versions[key].label]
        definition = {"name": self._name, "game": self._game, "system": SYSTEM}
        self._store.open_tournament(self._name, self._game, SYSTEM, definition, opened_us=0, rated=self._rated)
        items = map(seal, self._placed(versions))
        count = _write(self._store, items, None)
        self._store.finish(self._name)
        return Arrival(self._name, count, tuple(new), {})

    def _records(self) -> Iterator[MatchRecord]:
        return map(parse, messages(self._path))

    def _check(self) -> None:
        """Raises when the records cannot stand together in one tournament here. Nothing is written yet."""
        for number, record in enumerate(self._records(), 1):
            spec = record.spec
            where = f"{self._path}, record {number}"
            if spec.game != self._game:
                raise UsageError(
                    f"{where}: it is a match of {spec.game}, and the first is one of {self._game}; part them"
                )
            for seat, bot in enumerate(record.lineup):
                if not bot.content_hash:
                    raise UsageError(
                        f"{where}: seat {seat}, {bot.name}, has no content hash, so nobody knows its version"
                    )
        try:
            here = self._store.tournament(self._name)
        except Unknown:
            return
        if (here.system, here.game, here.rated) != (SYSTEM, self._game, self._rated):
            raise Conflict(
                f"there is another tournament named {self._name} in this arena: call the matches of {self._path} "
                "something else with --as NAME"
            )

    def _register(self, bot: Entrant) -> Version:
        facts = {"games": [self._game], "command": [], "build": None, "description": ""}
        return self._store.register(bot.name, bot.content_hash, facts, trusted=False, source=f"seen in {self._name}")

    def _placed(self, versions: Mapping[tuple[str, str], Version]) -> Iterator[MatchRecord]:
        """The records that count, numbered in the order of the file; games of one deal in a row are a block."""
        index, block, deal = 0, -1, None
        for record in self._records():
            if record.outcome is None:
                continue
            spec = record.spec
            here = (spec.tournament, spec.block, spec.seed, spec.edition, tuple(sorted(spec.options.items())))
            block, deal = (block if here == deal else block + 1), here
            bots = [versions[bot.name, bot.content_hash] for bot in record.lineup]
            lineup = tuple(version.label for version in bots)
            placed = replace(spec, tournament=self._name, index=index, block=block, attempt=0, lineup=lineup)
            yield replace(record, spec=placed, lineup=tuple(map(_entrant, record.lineup, bots)))
            index += 1


# ── both ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _known(store: Store, name: str, content_hash: str) -> Version | None:
    try:
        versions = store.lineage(name)
    except Unknown:
        return None
    return next((version for version in versions if version.content_hash == content_hash), None)


def _write(store: Store, items: Iterator[Sealed], through: int | None) -> int:
    """Put records into the log, portion by portion; how far the tournament is, is said with the last one."""
    count = 0
    batch = list(islice(items, _BATCH))
    while batch:
        following = list(islice(items, _BATCH))
        count += len(batch)
        done = None if following else count if through is None else through
        store.record(batch, done)
        batch = following
    return count
