"""What a seat is worth: how much those who held it came out above the others at the table."""

from __future__ import annotations

import math
from dataclasses import dataclass

from arena.rating import ENOUGH_BLOCKS, Count, Interval, Standing, Tally


@dataclass(frozen=True, slots=True)
class SeatWorth:
    """One seat at tables of one size."""

    players: int
    seat: int
    blocks: int
    """Those in which every bot held every seat equally often, so that only the seat makes the difference."""
    share: Interval | None
    """Of all others at the table, the part that it came out above; 1/2 if seats are alike. None: not enough blocks."""
    count: Count
    """What those who sat there have reached, in whatever blocks."""


def seats_worth(tally: Tally, standing: Standing) -> list[SeatWorth]:
    """All seats of all sizes of tables."""
    sizes = sorted({len(lineup.bots) for lineup in tally.lineups})
    return [_worth(tally, standing, players, seat) for players in sizes for seat in range(players)]


def _worth(tally: Tally, standing: Standing, players: int, seat: int) -> SeatWorth:
    blocks, total, squares = 0, 0.0, 0.0
    for seating, moments in tally.with_players(players).seatings.items():
        most = 2 * (players - 1) * seating.games
        square = moments.products[sum(range(players, players - seat, -1))]  # of the seat with itself
        blocks += moments.blocks
        total += moments.sums[seat] / most
        squares += square / most**2
    return SeatWorth(players, seat, blocks, _share(blocks, total, squares), _count(standing, players, seat))


def _share(blocks: int, total: float, squares: float) -> Interval | None:
    if blocks < ENOUGH_BLOCKS:
        return None
    mean = total / blocks
    error = math.sqrt(max(0.0, squares / blocks - mean**2) / (blocks - 1))
    return Interval.around(mean, error, blocks - 1).within(0, 1)


def _count(standing: Standing, players: int, seat: int) -> Count:
    here = Standing.from_rows(("", *row[1:]) for row in standing.rows() if row[1:3] == (players, seat))
    return here.count("")
