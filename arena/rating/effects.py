"""What depends on the table: the seat, and how many sit at it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.rating.blockmean import BlockMean
from arena.rating.interval import Interval
from arena.rating.skill import Parameters
from arena.rating.tally import Tally

if TYPE_CHECKING:
    from arena.rating.fitting import Fit


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """What a seat scores against the others when all bots hold it equally often: 1/2 if seats are equal."""

    players: int
    seat: int
    blocks: int
    score: float
    interval: Interval | None
    """None while there are not enough blocks to tell."""


@dataclass(frozen=True, slots=True)
class PlayersEffect:
    """How much better a bot is at tables of one size than at all others, relative to the bots that played at both."""

    players: int
    bot: str
    interval: Interval


def seat_effects(tally: Tally) -> list[SeatEffect]:
    """By number of players and seat, from the blocks in which every bot held every seat."""
    means: dict[tuple[int, int], BlockMean] = {}
    for seating, moments in tally.seatings.items():
        for seat in range(seating.players):
            mean = means.setdefault((seating.players, seat), BlockMean())
            comparisons = seating.games * (seating.players - 1)
            mean.add(moments.blocks, comparisons, moments.sums[seat], moments.square(seat))
    return [
        SeatEffect(players, seat, mean.blocks, mean.score, mean.interval)
        for (players, seat), mean in sorted(means.items())
    ]


def players_effects(tally: Tally, parameters: Parameters) -> list[PlayersEffect]:
    """By number of players and bot, for all bots of which enough is known on both sides.

    Each table size is fitted by itself and compared with a fit to all others; no block is in both.
    """
    from arena.rating.fitting import fit

    sizes = sorted({len(lineup.bots) for lineup in tally.lineups})
    if len(sizes) < 2:
        return []
    return [
        effect
        for size in sizes
        for effect in _effects(
            size, fit(tally.with_players(size), parameters), fit(tally.with_players(*{*sizes} - {size}), parameters)
        )
    ]


def _effects(size: int, here: Fit, elsewhere: Fit) -> Iterator[PlayersEffect]:
    common = sorted(here.known & elsewhere.known)
    at_both = here.relative(common), elsewhere.relative(common)
    for bot in common:
        if all(bot in side for side in at_both):
            one, other = (side[bot] for side in at_both)
            error, freedom = math.hypot(one.error, other.error), min(one.freedom, other.freedom)
            yield PlayersEffect(size, bot, Interval.around(one.skill - other.skill, error, freedom))
