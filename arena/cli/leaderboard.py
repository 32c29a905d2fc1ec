"""`arena leaderboard`: who is best, and how sure that is."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from arena.cli.home import Home, home_options
from arena.cli.params import Since, game_names

if TYPE_CHECKING:
    from rich.console import RenderableType

    from arena.store import Pool, Store
    from arena.tournament.board import Board

REFRESH_S: Final = 2.0


@click.command(
    "leaderboard",
    epilog="""\b
Examples:
  arena leaderboard
  arena leaderboard --game shelfie --players 2 --matrix
  arena leaderboard --tournament cup --watch
  arena leaderboard --since 7d --format csv > week.csv""",
)
@click.option(
    "--game", metavar="GAME", shell_complete=game_names, help="One game only; all that were played otherwise."
)
@click.option("--players", type=click.IntRange(2, 4), help="Games at tables of so many only.")
@click.option("--tournament", metavar="NAME", help="Games of one tournament only.")
@click.option(
    "--since", metavar="TIME", type=Since(), help="Games from 7d (30m, 12h, 2w) ago on, or from 2026-11-01 on."
)
@click.option("--matrix", is_flag=True, help="Who scores how much against whom.")
@click.option("--seats", is_flag=True, help="What each seat is worth, and how bots do at tables of each size.")
@click.option("--watch", is_flag=True, help="Keep the table up to date until Ctrl-C.")
@click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True)
@home_options
def command(
    home: Home,
    game: str | None,
    players: int | None,
    tournament: str | None,
    since: int | None,
    form: str,
    *,
    matrix: bool,
    seats: bool,
    watch: bool,
) -> None:
    """Show who is best, and how sure that is.

    Bots stand in the order of their score, the TrueSkill mu - 3 sigma. The rank is a range, such as 2-4, where the
    order is not known at 95%. The interval is where the skill lies at 95%, and 'above next' is the probability of being
    better than the next bot; these do not depend on the order of the games. Bots without enough games get no rank.
    """
    if watch:
        _check_watching(form)
    with home.open() as store:
        pools = _pools(store, game, players or 0, tournament)
        if watch:
            _watch(store, pools, since, matrix=matrix, seats=seats)
            return
        boards = _boards(store, pools, since)
        if form == "json":
            _print_json(boards, matrix=matrix, seats=seats)
        elif form == "csv":
            _print_csv(boards, matrix=matrix, seats=seats)
        else:
            _print_tables(boards, matrix=matrix, seats=seats)


def _check_watching(form: str) -> None:
    from arena.errors import UsageError

    if form != "table":
        raise UsageError(f"--watch shows a table; leave it out to print {form}")
    if not sys.stdout.isatty():
        raise UsageError("--watch needs a terminal; leave it out to print the leaderboard once")


def _pools(store: Store, game: str | None, players: int, tournament: str | None) -> list[Pool]:
    """What is asked for: one pool, or one for every game that was played."""
    from arena.errors import Unknown, UsageError
    from arena.store import Pool
    from arena.tournament.board import rated_games

    if tournament is not None:
        played = store.tournament(tournament).game
        if game not in {None, played}:
            raise UsageError(f"the tournament {tournament} is one of {played}, not of {game}")
        return [Pool(played, players, tournament)]
    games = rated_games(store)
    if game is None:
        return [Pool(name, players) for name in games]
    if game not in games:
        there = f"there are {', '.join(games)}" if games else "nothing has been played yet"
        raise Unknown(f"no game of {game} is rated in this arena: {there}")
    return [Pool(game, players)]


def _boards(store: Store, pools: Sequence[Pool], since_us: int | None) -> list[Board]:
    from arena.tournament.board import board

    boards = [board(store, pool, since_us=since_us) for pool in pools]
    return [each for each in boards if each.places]


def _watch(store: Store, pools: Sequence[Pool], since_us: int | None, *, matrix: bool, seats: bool) -> None:
    import time

    from rich.console import Group
    from rich.live import Live

    from arena.cli.screen import console

    def picture() -> Group:
        return Group(*_tables(_boards(store, pools, since_us), matrix=matrix, seats=seats))

    try:
        with Live(picture(), console=console(), auto_refresh=False) as live:
            while True:
                time.sleep(REFRESH_S)
                live.update(picture(), refresh=True)
    except KeyboardInterrupt:
        return  # how watching ends


def _tables(boards: Sequence[Board], *, matrix: bool, seats: bool) -> Iterator[RenderableType]:
    """All that is shown, a line apart."""
    from arena.cli.boards import board_parts
    from arena.cli.encounters import Matrix
    from arena.cli.seats import seat_tables

    if not boards:
        yield "No games to rank yet."
    for number, board in enumerate(boards):
        yield from [""] if number else []
        yield from board_parts(board)
        if matrix:
            yield from ("", Matrix(board))
        for table in seat_tables(board) if seats else ():
            yield from ("", table)


def _print_tables(boards: Sequence[Board], *, matrix: bool, seats: bool) -> None:
    from arena.cli.screen import console

    out = console()
    for part in _tables(boards, matrix=matrix, seats=seats):
        out.print(part)


def _print_json(boards: Sequence[Board], *, matrix: bool, seats: bool) -> None:
    import json

    from arena.cli.boards import board_json
    from arena.cli.encounters import matrix_rows
    from arena.cli.seats import seat_rows, size_rows

    documents = []
    for board in boards:
        document = board_json(board)
        if matrix:
            document["matrix"] = list(matrix_rows(board))
        if seats:
            document |= {"seats": list(seat_rows(board)), "sizes": list(size_rows(board))}
        documents.append(document)
    click.echo(json.dumps({"leaderboards": documents}, indent=2))


def _print_csv(boards: Sequence[Board], *, matrix: bool, seats: bool) -> None:
    import csv

    from arena.cli.boards import place_json
    from arena.cli.encounters import matrix_rows
    from arena.cli.seats import seat_rows
    from arena.errors import UsageError

    if matrix and seats:
        raise UsageError("CSV has room for one table: choose --matrix or --seats")
    if matrix:
        rows = [(board, row) for board in boards for row in matrix_rows(board)]
    elif seats:
        rows = [(board, row) for board in boards for row in seat_rows(board)]
    else:
        rows = [(board, place_json(place)) for board in boards for place in board.places]
    if rows:
        out = csv.DictWriter(sys.stdout, ["game", *rows[0][1]], lineterminator="\n")
        out.writeheader()
        out.writerows({"game": board.pool.game, **row} for board, row in rows)
