"""The audit of files, for which no arena is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from arena.archive import messages
from arena.errors import BadRecord
from arena.tournament.audit.finding import Report
from arena.tournament.audit.games import replays


def audit_file(path: Path, report: Report, *, jobs: int = 1, step: Callable[[], None] = lambda: None) -> None:
    """Play the records of a file again. Raises BadRecord when it is no file of records at all."""
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
