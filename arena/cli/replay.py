"""`arena replay`: show recorded games move by move, and prove them by playing them again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.home import Home, home_options

if TYPE_CHECKING:
    from rich.console import Console

    from arena.record import MatchRecord
    from arena.replay import Position


@click.command(
    "replay",
    epilog="""\b
Examples:
  arena replay game.arena
  arena replay cup/17
  arena replay games.arena --match -1
  arena replay game.arena --plain --boards
  arena replay game.arena --format json""",
)
@click.argument("source", metavar="FILE|ID")
@click.option(
    "--match",
    "number",
    metavar="N",
    type=int,
    help="Which match of the file, from 1; negative numbers count from the end. All of them when left out.",
)
@click.option("--plain", is_flag=True, help="Print the moves line by line, as is done when piped.")
@click.option("--boards", is_flag=True, help="Print the table after every move too.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@home_options
def command(source: str, home: Home, number: int | None, form: str, *, plain: bool, boards: bool) -> None:
    """Show recorded matches move by move.

    FILE is a .arena file, or what 'arena match --format json' printed; ID is a match of the arena, such as cup/17, or
    cup/17~0 for an attempt that came out void. In a terminal there are keys to step through a match; in a pipe its
    moves are printed line by line. Showing a match plays it again by the rules, so a record whose moves or result are
    not what the rules say is refused with exit code 4.
    """
    from arena.cli.screen import console

    records = _records(source, home)
    if number is not None:
        records = [_chosen(records, number, source)]
    if form == "json":
        _print_json(records)
    elif plain or boards or not _at_a_terminal():
        for record in records:
            _print_plainly(console(), record, boards=boards)
    else:
        _step_through(console(), records)


def _records(source: str, home: Home) -> Sequence[MatchRecord]:
    """What the file holds; where there is none, the match of that name."""
    from arena.archive import read

    if Path(source).exists() or not _is_match(source):
        return read(Path(source))
    with home.open() as store:
        return [store.record_of(source).record()]


def _is_match(source: str) -> bool:
    from arena.errors import UsageError
    from arena.store import MatchKey

    try:
        MatchKey.parse(source)
    except UsageError:
        return False
    return True


def _chosen(records: Sequence[MatchRecord], number: int, source: str) -> MatchRecord:
    from arena.cli.screen import plural
    from arena.errors import UsageError

    index = number - 1 if number > 0 else len(records) + number
    if number == 0 or not 0 <= index < len(records):
        raise UsageError(f"there is no match {number} in {source}: it holds {plural(len(records), 'match', 'matches')}")
    return records[index]


def _at_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _print_json(records: Sequence[MatchRecord]) -> None:
    import json

    from arena.archive import to_json
    from arena.replay import verify

    for record in records:
        verify(record)
    click.echo(json.dumps({"matches": [to_json(record) for record in records]}, indent=2))


def _print_plainly(out: Console, record: MatchRecord, *, boards: bool) -> None:
    from arena.cli.story import headline, seating
    from arena.replay import positions

    out.print(headline(record), style="bold")
    out.print(*seating(record), sep="\n", end="\n\n")
    last = None
    for last in positions(record):
        _print_step(out, record, last, board=boards or last.event is None)
    if last is not None and last.event is not None and not boards:
        out.print()
        _print_board(out, last)
    _print_result(out, record)


def _print_step(out: Console, record: MatchRecord, position: Position, *, board: bool) -> None:
    from arena.cli.story import step
    from arena.record import PlayedMove

    if position.event is not None:
        number = position.turn if isinstance(position.event, PlayedMove) else ""
        out.print(f"{number:>3}  {step(record, position)}")
    if board:
        _print_board(out, position)


def _print_result(out: Console, record: MatchRecord) -> None:
    from arena.cli.story import confirmation, ending
    from arena.cli.tables import score_sheet

    if record.outcome is not None:
        out.print(score_sheet(record, record.outcome))
        out.print()
    out.print(*ending(record), sep="\n")
    out.print(confirmation(record), end="\n\n")


def _print_board(out: Console, position: Position) -> None:
    from arena.cli.palette import drawn

    out.print(*drawn(position.state.picture()), sep="\n", end="\n\n")


def _step_through(out: Console, records: Sequence[MatchRecord]) -> None:
    from arena.cli.keys import Terminal
    from arena.cli.story import confirmation
    from arena.cli.viewer import view

    with Terminal(out) as terminal:
        place = view(terminal, records)
    out.print(confirmation(records[place.match]))
