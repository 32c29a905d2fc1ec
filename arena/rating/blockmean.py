"""The mean score over blocks, with an interval that counts blocks."""

from __future__ import annotations

import math

from arena.rating.interval import ENOUGH_BLOCKS, Interval


class BlockMean:
    """Sums over blocks, which may differ in how many comparisons they hold."""

    def __init__(self) -> None:
        self.blocks = 0
        self.comparisons = 0
        self._squared_comparisons = 0
        self._points = 0.0
        self._squares = 0.0
        self._products = 0.0

    def add(self, blocks: int, comparisons: int, half_points: int, squares: int) -> None:
        """So many blocks of so many comparisons each: the sum of their half points, and that of the squares."""
        self.blocks += blocks
        self.comparisons += blocks * comparisons
        self._squared_comparisons += blocks * comparisons**2
        self._points += half_points / 2
        self._squares += squares / 4
        self._products += half_points / 2 * comparisons

    @property
    def score(self) -> float:
        """The mean of all comparisons."""
        return self._points / self.comparisons

    @property
    def interval(self) -> Interval | None:
        """By the scatter of blocks around the mean. None while there are not enough of them.

        One level block more is taken into account, so that who always won does not look certain to.
        """
        if self.blocks < ENOUGH_BLOCKS:
            return None
        score = self.score
        scatter = self._squares - 2 * score * self._products + score**2 * self._squared_comparisons
        scatter += ((0.5 - score) * self.comparisons / self.blocks) ** 2
        error = math.sqrt(max(scatter, 0.0) * self.blocks / (self.blocks - 1)) / self.comparisons
        return Interval.around(score, error, self.blocks - 1).within(0, 1)
