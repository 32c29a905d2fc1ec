"""The audit: everything that an arena claims, worked out again from what it rests on.

Games are played again by the rules, the list of matches is compared with the records, versions with their files, and
the book of ratings with the log. What differs is named; nothing is mended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from arena.archive import parse
from arena.errors import BadManifest, BadRecord
from arena.launch.pack import check
from arena.store import Store, Tournament, Version
from arena.store.audit import Audit, Filed, changed
from arena.tournament.audit.files import audit_file
from arena.tournament.audit.finding import Finding, Report
from arena.tournament.audit.games import misshapen, replays
from arena.tournament.audit.plan import Plan
from arena.tournament.audit.ratings import check_book

__all__ = ["Finding", "Report", "audit", "audit_file"]


def audit(
    store: Store, tournament: str | None = None, *, jobs: int = 1, step: Callable[[], None] = lambda: None
) -> Report:
    """Check a whole arena, or one tournament of it. ``step`` is called for every match. Raises Unknown."""
    report = Report()
    chosen = store.tournaments() if tournament is None else [store.tournament(tournament)]
    for one in chosen:
        _check_tournament(store, one, report, jobs, step)
    sound = not report.findings
    for version in _versions(store, tournament):
        _check_version(store, version, report)
    if not sound:
        report.unchecked.append("the ratings: the log that they follow from is not in order")
    else:
        check_book(store, report, tournament)
    return report


def _check_tournament(
    store: Store, tournament: Tournament, report: Report, jobs: int, step: Callable[[], None]
) -> None:
    rows = store.audit()
    if rows.definition_changed(tournament.name):
        report.find(tournament.name, "its definition is not the one that it was opened with")
    log = _Log(rows, tournament, report)
    for (name, problems), replay in replays(log.messages(), jobs):
        report.matches += 1
        report.moves += replay.moves
        for problem in (*problems, replay.problem):
            if problem:
                report.find(name, problem)
        step()
    log.check_complete()


class _Log:
    """The records of a tournament on their way to be replayed; what can be seen without that is found here."""

    def __init__(self, rows: Audit, tournament: Tournament, report: Report) -> None:
        self._rows = rows
        self._tournament = tournament
        self._report = report
        self._plan = Plan(tournament.definition)
        self._settled = 0
        """So many matches from the first on have a result."""

    def messages(self) -> Iterator[tuple[tuple[str, list[str]], bytes]]:
        """For each match its name, what is wrong with it, and its record, or nothing where there is none to replay."""
        for filed in self._rows.filed(self._tournament.name):
            self._count(filed)
            message = filed.message()
            problems = [problem] if (problem := changed(filed, message)) else []
            try:
                if message is not None and not misshapen(record := parse(message)):
                    problems += [*self._rows.misfiled(filed, record), *self._plan.problems(record)]
            except BadRecord:
                pass  # the replay will say so
            yield (filed.name, problems), message or b""

    def _count(self, filed: Filed) -> None:
        if not filed.match["void"] and filed.key.index == self._settled:
            self._settled += 1

    def check_complete(self) -> None:
        if self._settled < self._tournament.through:
            name = self._tournament.name
            self._report.find(
                f"{name}/{self._settled}",
                f"it is missing: {self._tournament.through} matches of {name} were settled, from the first on",
            )


def _versions(store: Store, tournament: str | None) -> list[Version]:
    """All versions, or those that played in a tournament."""
    if tournament is not None:
        return [store.version(label) for label in store.audit().bots(tournament)]
    return [version for newest in store.bots() for version in store.lineage(newest.name)]


def _check_version(store: Store, version: Version, report: Report) -> None:
    report.versions += 1
    packed = store.pack(version.label)
    if packed is None:
        return
    report.packs += 1
    try:
        check(packed, version.content_hash)
    except BadManifest as error:
        report.find(version.label, f"its files are not those of version {version.content_hash[:12]}: {error}")
