"""The audit of files, for which no arena is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from arena.archive import messages
from arena.archive.cupfile import is_cup
from arena.errors import BadRecord
from arena.tournament.audit.cups import audit_cup
from arena.tournament.audit.finding import Report
from arena.tournament.audit.games import replays


def audit_file(path: Path, report: Report, *, jobs: int = 1, step: Callable[[], None] = lambda: None) -> None:
    """Check a file of records or of a tournament. Raises BadRecord when it is neither."""
    if is_cup(path):
        report.seals[str(path)] = audit_cup(path, report, jobs=jobs, step=step)
    else:
        _audit_records(path, report, jobs, step)


def _audit_records(path: Path, report: Report, jobs: int, step: Callable[[], None]) -> None:
    source = _Source(path)
    read = 0
    for read, replay in replays(source.messages(), jobs):
        report.matches += 1
        report.moves += replay.moves
        if replay.problem:
            report.find(f"{path}, record {read}", replay.problem)
        step()
    if source.broken is not None:
        if not read:
            raise source.broken
        report.find(f"{path}, after record {read}", str(source.broken))


class _Source:
    """The records of a file, as far as it can be read. Games are replayed later than they are read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.broken: BadRecord | None = None
        """Why it cannot be read on."""

    def messages(self) -> Iterator[tuple[int, bytes]]:
        try:
            yield from enumerate(messages(self._path), 1)
        except BadRecord as error:
            self.broken = error
