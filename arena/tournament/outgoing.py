"""What leaves an arena: records, training rows, whole tournaments. One record is in memory at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from arena.archive import frame, to_json
from arena.archive.cupfile import BundledBot, Head, write_cup
from arena.errors import UsageError
from arena.record import MatchRecord
from arena.store import Kept, Store


@dataclass(frozen=True, slots=True)
class Choice:
    """Which matches are wanted. What is None does not matter."""

    tournament: str | None = None
    bot: str | None = None
    """A name, or a label such as ``greedy@3``."""
    game: str | None = None
    since_us: int | None = None
    void: bool = False
    """Whether void attempts are wanted too."""

    def takes(self, record: MatchRecord) -> bool:
        spec = record.spec
        if record.outcome is None and not self.void:
            return False
        if self.game not in {None, spec.game} or (self.since_us is not None and record.started_us < self.since_us):
            return False
        return self.bot is None or any(self.bot in {label, label.partition("@")[0]} for label in spec.lineup)


def selected(
    store: Store, choice: Choice, step: Callable[[], None] = lambda: None
) -> Iterator[tuple[MatchRecord, bytes]]:
    """The matches that are wanted, in schedule order, each as a value and serialised. Raises Unknown.

    ``step`` is called for every match that is looked at.
    """
    if choice.tournament is not None:
        store.tournament(choice.tournament)
    if choice.bot is not None:
        store.lineage(choice.bot.partition("@")[0])
    return _taken(store.records(choice.tournament), choice, step)


def _taken(all_kept: Iterable[Kept], choice: Choice, step: Callable[[], None]) -> Iterator[tuple[MatchRecord, bytes]]:
    for kept in all_kept:
        record = kept.record()
        if choice.takes(record):
            yield record, kept.message
        step()


def write_arena(path: Path, records: Iterable[tuple[MatchRecord, bytes]]) -> int:
    """A ``.arena`` file of these records; gives how many there were."""
    return _write(path, (frame(message) for _, message in records))


def write_lines(path: Path, records: Iterable[tuple[MatchRecord, bytes]]) -> int:
    """A file with the JSON of a record in each line; gives how many there were."""
    return _write(path, ((json.dumps(to_json(record)) + "\n").encode() for record, _ in records))


def write_tournament(
    path: Path, store: Store, name: str, *, with_bots: bool, step: Callable[[], None] = lambda: None
) -> tuple[Head, str]:
    """The ``.cup`` file of a tournament; gives its head and its seal. Raises Unknown."""
    tournament = store.tournament(name)
    bots = tuple(_bundled(store, label) for label in store.audit().bots(name))
    head = Head(
        name=tournament.name,
        game=tournament.game,
        system=tournament.system,
        definition=tournament.definition,
        opened_us=tournament.opened_us,
        rated=tournament.rated,
        state=tournament.state.value,
        through=tournament.through,
        bots=bots,
        records=0,
        records_sha256="",
    )
    packs = _packs(store, bots) if with_bots else ()
    return write_cup(path, head, _counted(store.records(name), step), packs)


def _bundled(store: Store, label: str) -> BundledBot:
    version = store.version(label)
    return BundledBot(version.name, version.number, version.content_hash, version.facts, version.submitted_us)


def _packs(store: Store, bots: Iterable[BundledBot]) -> Iterator[tuple[str, bytes]]:
    for content_hash, label in {bot.content_hash: bot.label for bot in bots}.items():
        pack = store.pack(label)
        if pack is None:
            raise UsageError(f"the arena has no files of {label}, so they cannot be exported: leave out --with-bots")
        yield content_hash, pack


def _counted(records: Iterable[Kept], step: Callable[[], None]) -> Iterator[bytes]:
    for kept in records:
        yield kept.message
        step()


def _write(path: Path, pieces: Iterable[bytes]) -> int:
    count = 0
    with replacing(path) as file:
        for piece in pieces:
            file.write(piece)
            count += 1
    return count


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of the one at this path when all of it was written. Raises UsageError."""
    unfinished = path.with_name(path.name + ".part")
    try:
        with unfinished.open("wb") as file:
            yield file
        unfinished.replace(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        unfinished.unlink(missing_ok=True)
