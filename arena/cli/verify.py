"""`arena verify`: work out again what an arena or a file claims, and say what differs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.home import Home, home_options

if TYPE_CHECKING:
    from arena.tournament.audit import Report


@click.command(
    "verify",
    epilog="""\b
Examples:
  arena verify
  arena verify --tournament cup
  arena verify games.arena autumn.cup
  arena verify --format json""",
)
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path(path_type=Path))
@click.option("--tournament", metavar="NAME", help="Check only this tournament.")
@click.option("--jobs", metavar="N", type=click.IntRange(min=1), help="How many processes.  [default: one per core]")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@home_options
@click.pass_context
def command(
    ctx: click.Context, files: tuple[Path, ...], tournament: str | None, jobs: int | None, form: str, home: Home
) -> None:
    """Check that games, results, hashes and ratings are what they should be.

    Every recorded game is played again by the rules, its result worked out anew, and the list of matches, the files of
    bots, the definitions of tournaments and the ratings are compared with what they rest on. Without a FILE the whole
    arena is checked; with FILEs, only those, and no arena is needed. Nothing is changed. Exit code 4 when something
    differs.
    """
    import json

    from arena.cli.progress import cores
    from arena.errors import BadRecord, UsageError

    if files and tournament:
        raise UsageError("name files or a tournament, not both: a file is checked as a whole")
    workers = jobs or cores()
    report = _of_files(files, workers) if files else _of_arena(home, tournament, workers)
    if form == "json":
        click.echo(json.dumps(report.as_json(), indent=2))
    else:
        _print(report)
    if report.findings:
        ctx.exit(BadRecord.exit_code)


def _of_arena(home: Home, tournament: str | None, jobs: int) -> Report:
    from arena.cli.progress import progress
    from arena.tournament.audit import audit

    with home.open() as store, progress("checking", store.audit().matches(tournament)) as step:
        return audit(store, tournament, jobs=jobs, step=step)


def _of_files(files: tuple[Path, ...], jobs: int) -> Report:
    from arena.tournament.audit import Report, audit_file

    report = Report()
    for file in files:
        audit_file(file, report, jobs=jobs)
    return report


def _print(report: Report) -> None:
    from arena.cli.screen import clean, console, plural

    out = console()
    for finding in report.findings:
        out.print(clean(str(finding)), soft_wrap=True)
    if report.findings:
        out.print()
    games = f"{plural(report.matches, 'match', 'matches')} replayed, {plural(report.moves, 'move', 'moves')}"
    checked = [games]
    if report.versions:
        checked.append(f"{plural(report.versions, 'version', 'versions')}, {report.packs} with files")
    if report.pages:
        checked.append(f"{plural(report.pages, 'page', 'pages')} of ratings")
    out.print("; ".join(checked))
    for path, seal in report.seals.items():
        out.print(f"seal of {clean(path)}: {seal}", soft_wrap=True)
    for what in report.unchecked:
        out.print(f"not checked: {clean(what)}", soft_wrap=True)
    found = plural(len(report.findings), "difference", "differences")
    out.print(found if report.findings else "everything is as it should be", style="bold")
