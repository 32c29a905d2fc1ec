"""Who scores how much against whom, without any model."""

from __future__ import annotations

import math
from dataclasses import dataclass

from arena.rating.interval import ENOUGH_BLOCKS, Interval
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
        self._sums: dict[tuple[str, str], _Sums] = {}
        for lineup, moments in tally.lineups.items():
            pairs = zip(lineup.pairs, lineup.comparisons, moments.sums, strict=True)
            for place, (pair, comparisons, points) in enumerate(pairs):
                square = moments.products[_diagonal(place, len(moments.sums))]
                sums = self._sums.setdefault(pair, _Sums())
                sums.add(moments.blocks, comparisons, points / 2, square / 4)

    def encounter(self, one: str, other: str) -> Encounter | None:
        """The first against the second; None if they have not met."""
        if one > other:
            mirrored = self.encounter(other, one)
            return _mirrored(mirrored) if mirrored else None
        sums = self._sums.get((one, other))
        return sums.encounter() if sums else None


class _Sums:
    """Sums over the blocks of one pair, which may differ in how often they compare the two."""

    def __init__(self) -> None:
        self.blocks = 0
        self.comparisons = 0
        self.squared_comparisons = 0
        self.points = 0.0
        self.squares = 0.0
        self.products = 0.0

    def add(self, blocks: int, comparisons: int, points: float, squares: float) -> None:
        self.blocks += blocks
        self.comparisons += blocks * comparisons
        self.squared_comparisons += blocks * comparisons**2
        self.points += points
        self.squares += squares
        self.products += points * comparisons

    def encounter(self) -> Encounter:
        score = self.points / self.comparisons
        return Encounter(self.blocks, self.comparisons, score, self._interval(score))

    def _interval(self, score: float) -> Interval | None:
        """By the scatter of the blocks around the mean, with one level block more: who always won is not certain to."""
        if self.blocks < ENOUGH_BLOCKS:
            return None
        scatter = self.squares - 2 * score * self.products + score**2 * self.squared_comparisons
        scatter += ((0.5 - score) * self.comparisons / self.blocks) ** 2
        error = math.sqrt(max(scatter, 0.0) * self.blocks / (self.blocks - 1)) / self.comparisons
        return Interval.around(score, error, self.blocks - 1).within(0, 1)


def _mirrored(encounter: Encounter) -> Encounter:
    interval = encounter.interval and Interval(
        1 - encounter.interval.estimate, 1 - encounter.interval.high, 1 - encounter.interval.low
    )
    return Encounter(encounter.blocks, encounter.comparisons, 1 - encounter.score, interval)


def _diagonal(place: int, size: int) -> int:
    """Where the product of a score with itself stands among the products of so many scores."""
    return place * size - place * (place - 1) // 2
