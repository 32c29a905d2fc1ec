"""Seat statistics: what each seat is worth, and how bots do at tables of each size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from arena.cli.boards import NOT_ENOUGH, UNKNOWN
from arena.cli.screen import clean
from arena.cli.tables import plain_table
from arena.rating import ENOUGH_BLOCKS, Count
from arena.tournament.board import Board
from arena.tournament.seats import SeatWorth, seats_worth

if TYPE_CHECKING:
    from rich.table import Table


def seat_tables(board: Board) -> Iterator[Table]:
    """The worth of each seat; and where tables are not all of one size, how each bot does at each of them."""
    yield _seat_table(seats_worth(board.tally, board.standing))
    if len(board.players) > 1:
        yield _size_table(board)


def _seat_table(worths: list[SeatWorth]) -> Table:
    table = plain_table("seat", right=("games", "above others", "95% interval", "won", "mean points", "forfeits"))
    for worth in worths:
        share, interval = UNKNOWN, NOT_ENOUGH
        if worth.share is not None:
            share = f"{worth.share.estimate:.1%}"
            interval = f"{100 * worth.share.low:.1f} to {100 * worth.share.high:.1f}"
        name = f"{worth.seat} of {worth.players}"
        table.add_row(name, f"{worth.count.games:,}", share, interval, *_counted(worth.count, worth.players))
    return table


def _size_table(board: Board) -> Table:
    table = plain_table("bot", right=("players", "games", "mean rank", "won", "mean points", "forfeits"))
    for bot, players, count in _sizes(board):
        rank = f"{count.mean_rank:.2f}" if _enough(count, players) else NOT_ENOUGH
        table.add_row(clean(bot), str(players), f"{count.games:,}", rank, *_counted(count, players))
    return table


def _counted(count: Count, players: int) -> tuple[str, str, str]:
    if not _enough(count, players):
        return UNKNOWN, UNKNOWN, f"{count.forfeits:,}"
    return f"{count.win_rate:.0%}", f"{count.mean_points:.1f}", f"{count.forfeits:,}"


def _enough(count: Count, players: int) -> bool:
    """Whether so many games make enough blocks of so many players."""
    return count.games >= ENOUGH_BLOCKS * players


def _sizes(board: Board) -> Iterator[tuple[str, int, Count]]:
    standing = board.standing
    for place in board.places:
        for players in board.players:
            count = standing.count(place.bot, players=players)
            if count.games:
                yield place.bot, players, count


def seat_rows(board: Board) -> Iterator[dict[str, Any]]:
    """The worth of each seat as plain values."""
    for worth in seats_worth(board.tally, board.standing):
        share = worth.share
        yield {
            "players": worth.players,
            "seat": worth.seat,
            "blocks": worth.blocks,
            "above_others": share.estimate if share else None,
            "interval_low": share.low if share else None,
            "interval_high": share.high if share else None,
            **_count_json(worth.count),
        }


def size_rows(board: Board) -> Iterator[dict[str, Any]]:
    """Each bot at each size of table as plain values."""
    for bot, players, count in _sizes(board):
        yield {"bot": bot, "players": players, "mean_rank": round(count.mean_rank, 4), **_count_json(count)}


def _count_json(count: Count) -> dict[str, Any]:
    return {
        "games": count.games,
        "win_rate": round(count.win_rate, 4),
        "mean_points": round(count.mean_points, 4),
        "forfeits": count.forfeits,
    }
