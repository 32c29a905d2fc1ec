"""The audit of the file of a tournament."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from arena.archive import parse
from arena.archive.cupfile import CupFile
from arena.errors import BadManifest, BadRecord
from arena.launch.pack import check
from arena.record import MatchRecord
from arena.tournament.audit.finding import Report
from arena.tournament.audit.games import misshapen, replays
from arena.tournament.audit.plan import Plan


def audit_cup(path: Path, report: Report, *, jobs: int = 1, step: Callable[[], None] = lambda: None) -> str:
    """Check all that the file claims; gives its seal. Raises BadRecord when it is no such file."""
    with CupFile(path) as file:
        if not file.sealed:
            report.find(str(path), "its cup.json is not the one that was sealed")
        _check_bots(file, report)
        _check_records(file, report, jobs, step)
        return file.seal


def _check_bots(file: CupFile, report: Report) -> None:
    for bot in file.head.bots:
        report.versions += 1
        try:
            pack = file.pack(bot)
            if pack is not None:
                report.packs += 1
                check(pack, bot.content_hash)
        except (BadRecord, BadManifest) as error:
            report.find(f"{file.path}, {bot.label}", str(error))


def _check_records(file: CupFile, report: Report, jobs: int, step: Callable[[], None]) -> None:
    try:
        if file.records_sha256() != file.head.records_sha256:
            report.find(str(file.path), "its records are not those that were sealed")
    except BadRecord as error:
        report.find(str(file.path), str(error))
        return
    log = _Log(file)
    for (name, problems), replay in replays(log.messages(), jobs):
        report.matches += 1
        report.moves += replay.moves
        for problem in (*problems, replay.problem):
            if problem:
                report.find(name, problem)
        step()
    for problem in log.problems():
        report.find(str(file.path), problem)


class _Log:
    """The records of a file on their way to be replayed, in the order in which they have to come."""

    def __init__(self, file: CupFile) -> None:
        self._file = file
        self._hashes = {bot.label: bot.content_hash for bot in file.head.bots}
        self._last = (-1, -1)
        self._counting = -1
        """The last index that has a result."""
        self._settled = 0
        self._read = 0
        self._broken = ""
        self._plan = Plan(file.head.definition)

    def messages(self) -> Iterator[tuple[tuple[str, list[str]], bytes]]:
        try:
            for message in self._file.messages():
                self._read += 1
                yield self._looked_at(message), message
        except BadRecord as error:
            self._broken = str(error)

    def problems(self) -> Iterator[str]:
        """What is wrong with all of it."""
        head = self._file.head
        if self._broken:
            yield self._broken
        elif self._read != head.records:
            yield f"it holds {self._read} records, and its cup.json says {head.records}"
        elif self._settled < head.through:
            yield f"match {head.name}/{self._settled} is missing: {head.through} were settled, from the first on"

    def _looked_at(self, message: bytes) -> tuple[str, list[str]]:
        try:
            record = parse(message)
        except BadRecord:
            return f"{self._file.path}, record {self._read}", []  # the replay will say so
        spec = record.spec
        if misshapen(record):
            return f"{self._file.path}, record {self._read}", []  # so it will here
        suffix = f"~{spec.attempt}" if record.outcome is None else ""
        return f"{self._file.path}, {spec.tournament}/{spec.index}{suffix}", list(self._problems_of(record))

    def _problems_of(self, record: MatchRecord) -> Iterator[str]:
        spec, head = record.spec, self._file.head
        if (spec.tournament, spec.game) != (head.name, head.game):
            yield f"it is a match of {spec.game} in {spec.tournament}, and the file is of {head.game} in {head.name}"
        if (spec.index, spec.attempt) <= self._last:
            yield "it does not come in the order of the schedule"
        self._last = max(self._last, (spec.index, spec.attempt))
        if record.outcome is not None:
            if spec.index == self._counting:
                yield "there is another match that counts in its place"
            self._counting = spec.index
            self._settled += spec.index == self._settled
        yield from self._plan.problems(record)
        for seat, (label, entrant) in enumerate(zip(spec.lineup, record.lineup, strict=True)):
            if self._hashes.get(label) != entrant.content_hash or label != f"{entrant.name}@{entrant.version}":
                yield f"seat {seat}: {label} with content {entrant.content_hash[:12]} is not among the bots of the file"
