"""Who scores how much against whom, without any model."""

from __future__ import annotations

from dataclasses import dataclass

from arena.rating.blockmean import BlockMean
from arena.rating.interval import Interval
from arena.rating.tally import Tally


@dataclass(frozen=True, slots=True)
class Encounter:
    """What one bot has scored against another: 1 above it, 1/2 level with it, 0 below it."""

    blocks: int
    comparisons: int
    """Pairs of seats: one per game, more where copies of a bot sit at one table."""
    score: float
    """The mean of all comparisons."""
    interval: Interval | None
    """None while there are not enough blocks to tell."""


class HeadToHead:
    """All encounters of a tally."""

    def __init__(self, tally: Tally) -> None:
        self._means: dict[tuple[str, str], BlockMean] = {}
        for lineup, moments in tally.lineups.items():
            for place, (pair, comparisons) in enumerate(zip(lineup.pairs, lineup.comparisons, strict=True)):
                mean = self._means.setdefault(pair, BlockMean())
                mean.add(moments.blocks, comparisons, moments.sums[place], moments.square(place))

    def encounter(self, one: str, other: str) -> Encounter | None:
        """The first against the second; None if they have not met."""
        mean = self._means.get((min(one, other), max(one, other)))
        if mean is None:
            return None
        met = Encounter(mean.blocks, mean.comparisons, mean.score, mean.interval)
        return met if one < other else _mirrored(met)


def _mirrored(met: Encounter) -> Encounter:
    interval = met.interval and Interval(1 - met.score, 1 - met.interval.high, 1 - met.interval.low)
    return Encounter(met.blocks, met.comparisons, 1 - met.score, interval)
