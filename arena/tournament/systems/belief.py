"""What the blocks so far say about the strengths of the bots, in whatever order they were played.

Strengths are logits: in an encounter of two bots the first is expected to win the part sigmoid(difference). A block
gives each pair of its bots one score; how much such scores vary is learned from them, so it does not matter how many
games a block has, how often they tie, or how much luck the deal takes out. The belief is the normal distribution around
the most likely strengths.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

PRIOR = 1 / 2.0**2
"""The precision of strengths before any block: most fields spread over a few logits."""
USUAL_NOISE, NOISE_BLOCKS, LEAST_NOISE = 0.5, 20.0, 0.1
"""The variance of a score, in parts of that of one game, before any block; how many blocks that counts; its bound."""
STEPS = 4
"""How many steps towards the most likely strengths are made from the last ones, which are near."""


@cache
def _threads() -> Any:
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]  # it brings no types

    return ThreadpoolController()


def one_thread() -> AbstractContextManager[None]:
    """Within it linear algebra keeps to one core.

    On all cores it waits for those that referees and bots are using: a decision took 31 ms in the median, and 1.6 so.
    """
    limit: AbstractContextManager[None] = _threads().limit(limits=1, user_api="blas")
    return limit


class Belief:
    """Scores in, strengths with their covariance out. Bots are numbers; more can be added."""

    def __init__(self, bots: int) -> None:
        self._weight = np.zeros((bots, bots))
        self._score = np.zeros((bots, bots))
        self._square = np.zeros((bots, bots))
        self.strength = np.zeros(bots)
        self.noise = USUAL_NOISE
        self._stale = False

    def add(self) -> None:
        """One more bot, of whom nothing is known."""
        self._weight, self._score, self._square = (
            np.pad(table, (0, 1)) for table in (self._weight, self._score, self._square)
        )
        self.strength = np.pad(self.strength, (0, 1))
        self._stale = True

    def learn(self, one: int, other: int, score: float, weight: float) -> None:
        """That one scored so much of 1 against another in a block."""
        for first, second, part in ((one, other, score), (other, one, 1 - score)):
            self._weight[first, second] += weight
            self._score[first, second] += weight * part
            self._square[first, second] += weight * part**2
        self._stale = True

    def fit(self) -> None:
        """Bring strengths and noise up to what was learned."""
        if self._stale:
            for _ in range(STEPS):
                self._step()
            self._stale = False

    def _step(self) -> None:
        expected = _sigmoid(self.strength)
        self.noise = self._noise(expected)
        slope = (self._score - self._weight * expected).sum(axis=1) / self.noise - PRIOR * self.strength
        precision = _precision(self._weight * expected * (1 - expected) / self.noise)
        self.strength = self.strength + np.clip(np.linalg.solve(precision, slope), -1, 1)

    def _noise(self, expected: Numbers) -> float:
        """The mean square of the surprises, relative to those of single games."""
        surprise = self._square - 2 * expected * self._score + self._weight * expected**2
        total = float((surprise / np.maximum(expected * (1 - expected), 0.05)).sum() / 2)
        free = max(0.0, float(self._weight.sum() / 2) - len(self.strength) + 1)
        return max(LEAST_NOISE, (USUAL_NOISE * NOISE_BLOCKS + total) / (NOISE_BLOCKS + free))

    def information(self, meetings: Numbers) -> Numbers:
        """What so many meetings of each pair tell of their difference."""
        expected = _sigmoid(self.strength)
        return meetings * expected * (1 - expected) / self.noise

    def covariance(self, more: Numbers | float = 0.0) -> Numbers:
        """Of the strengths, if there were more meetings than those that were learned."""
        return self.forecast(self._weight + more)

    def forecast(self, meetings: Numbers) -> Numbers:
        """The covariance of the strengths if these meetings were all there are."""
        covariance: Numbers = np.linalg.inv(_precision(self.information(meetings))).astype(np.float64)
        return covariance


def _sigmoid(strength: Numbers) -> Numbers:
    """The part that each bot is expected to win against each other."""
    expected: Numbers = 1 / (1 + np.exp(strength[np.newaxis, :] - strength[:, np.newaxis]))
    return expected


def _precision(links: Numbers) -> Numbers:
    """The precision of strengths that are known by their differences."""
    return np.diag(links.sum(axis=1) + PRIOR) - links
