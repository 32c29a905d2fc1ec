"""Seat statistics: what each seat is worth, and how bots do at tables of each size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from arena.cli.boards import NOT_ENOUGH, UNKNOWN
from arena.cli.screen import clean
from arena.cli.tables import plain_table
from arena.rating import ENOUGH_BLOCKS, Count, Interval, Parameters, Standing, players_effects, seat_effects
from arena.tournament.board import Board

if TYPE_CHECKING:
    from rich.table import Table


def seat_tables(board: Board) -> Iterator[Table]:
    """The worth of each seat; and where tables are not all of one size, how each bot does at each of them."""
    yield _seat_table(board)
    if len(board.players) > 1:
        yield _size_table(board)


def _seat_table(board: Board) -> Table:
    table = plain_table("seat", right=("above others", "95% interval", "games", "won", "mean points", "forfeits"))
    effects = {(effect.players, effect.seat): effect.interval for effect in seat_effects(board.tally)}
    for players, seat, count in _seats(board):
        share, bounds = UNKNOWN, NOT_ENOUGH
        if (interval := effects.get((players, seat))) is not None:
            share, bounds = f"{interval.estimate:.1%}", f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"
        table.add_row(f"{seat} of {players}", share, bounds, *_counted(count, players))
    return table


def _size_table(board: Board) -> Table:
    table = plain_table("bot", right=("players", "stronger by", "95% interval", "games", "mean rank"))
    effects = _effects_of_size(board)
    for bot, players, count in _sizes(board):
        gain, bounds = UNKNOWN, NOT_ENOUGH
        if (interval := effects.get((bot, players))) is not None:
            gain, bounds = f"{interval.estimate:+.1f}", f"{interval.low:+.1f} to {interval.high:+.1f}"
        rank = f"{count.mean_rank:.2f}" if _enough(count, players) else UNKNOWN
        table.add_row(clean(bot), str(players), gain, bounds, f"{count.games:,}", rank)
    return table


def _counted(count: Count, players: int) -> tuple[str, ...]:
    means = (UNKNOWN, UNKNOWN)
    if _enough(count, players):
        means = (f"{count.win_rate:.0%}", f"{count.mean_points:.1f}")
    return f"{count.games:,}", *means, f"{count.forfeits:,}"


def _enough(count: Count, players: int) -> bool:
    """Whether so many games make enough blocks of so many players."""
    return count.games >= ENOUGH_BLOCKS * players


def _seats(board: Board) -> Iterator[tuple[int, int, Count]]:
    """Every seat at every size of table, with what those who sat there have reached."""
    everybody = Standing.from_rows(("", *row[1:]) for row in board.standing.rows())
    for players in board.players:
        for seat in range(players):
            yield players, seat, everybody.count("", players=players, seat=seat)


def _sizes(board: Board) -> Iterator[tuple[str, int, Count]]:
    """Every bot at every size of table at which it has sat."""
    standing = board.standing
    for place in board.places:
        for players in board.players:
            count = standing.count(place.bot, players=players)
            if count.games:
                yield place.bot, players, count


def _effects_of_size(board: Board) -> dict[tuple[str, int], Interval]:
    effects = players_effects(board.tally, Parameters.of(board.pool.game))
    return {(effect.bot, effect.players): effect.interval for effect in effects}


def seat_rows(board: Board) -> Iterator[dict[str, Any]]:
    """The worth of each seat as plain values."""
    effects = {(effect.players, effect.seat): effect for effect in seat_effects(board.tally)}
    for players, seat, count in _seats(board):
        effect = effects.get((players, seat))
        blocks = effect.blocks if effect else 0
        interval = effect.interval if effect else None
        yield {
            "players": players,
            "seat": seat,
            "blocks": blocks,
            **_estimate("above_others", interval),
            **_json(count),
        }


def size_rows(board: Board) -> Iterator[dict[str, Any]]:
    """Each bot at each size of table as plain values."""
    effects = _effects_of_size(board)
    for bot, players, count in _sizes(board):
        interval = effects.get((bot, players))
        rank = round(count.mean_rank, 4)
        yield {"bot": bot, "players": players, **_estimate("stronger_by", interval), "mean_rank": rank, **_json(count)}


def _estimate(name: str, interval: Interval | None) -> dict[str, float | None]:
    if interval is None:
        return {name: None, "interval_low": None, "interval_high": None}
    return {name: interval.estimate, "interval_low": interval.low, "interval_high": interval.high}


def _json(count: Count) -> dict[str, Any]:
    return {
        "games": count.games,
        "win_rate": round(count.win_rate, 4),
        "mean_points": round(count.mean_points, 4),
        "forfeits": count.forfeits,
    }
