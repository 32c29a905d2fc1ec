"""Is one bot better than another? A test that may look after every block, and stops as soon as it knows.

If NEW is not better, fair bets on it make nobody rich, at whatever moment one stops. Whoever turns 1 into 20
nevertheless has shown at the 5% level that NEW is better. The same the other way round shows that it is not. Scores
only have to lie between 0 and 1: nothing is assumed about how the games of a block depend on each other, and no number
of blocks has to be fixed beforehand. The stakes are those that win most if NEW is better by just what was asked for.
"""

from __future__ import annotations

import math
from enum import Enum

from arena.rating.interval import Interval

HIGHEST_STAKE = 0.9
"""The share of the capital that may be lost on one block."""
EARLY_BLOCKS, EARLY_VARIANCE = 4, 0.1
"""How much block scores vary before any has been seen, and how many blocks that is worth."""
STEPS = 40
"""Halvings that find the end of an interval."""


class Decision(Enum):
    """What the test has found."""

    UNDECIDED = "undecided"
    BETTER = "better"
    NOT_BETTER = "not better"


class SequentialTest:
    """Block scores in, a decision out.

    BETTER is said of a bot whose mean block score is at most 1/2 + d0 with probability alpha at most, NOT_BETTER of one
    whose mean is at least 1/2 + d1 with probability beta at most, however long it takes. In between both are right.
    """

    def __init__(self, alpha: float = 0.05, beta: float = 0.05, d0: float = 0.0, d1: float = 0.05) -> None:
        if not (0 < alpha < 1 and 0 < beta < 1 and -0.5 < d0 < d1 < 0.5):
            raise ValueError(f"no test can have alpha {alpha}, beta {beta}, d0 {d0} and d1 {d1}")
        self.alpha, self.beta, self.d0, self.d1 = alpha, beta, d0, d1
        self.decision = Decision.UNDECIDED
        self._scores: list[float] = []
        self._stakes: list[float] = []
        self._sum = self._squares = 0.0
        self._for = self._against = 0.0
        """The logarithms of what betting on NEW and against it has made out of 1."""

    def add(self, score: float) -> Decision:
        """Take in the score of one block, from 0 to 1. A decision stands: later scores only sharpen the estimate."""
        if not 0 <= score <= 1:
            raise ValueError(f"a block score lies between 0 and 1, and {score} does not")
        stake = self._stake()
        self._for += _growth(score, stake, 0.5 + self.d0)
        self._against += _growth(1 - score, stake, 0.5 - self.d1)
        self._scores.append(score)
        self._stakes.append(stake)
        self._sum += score
        self._squares += score * score
        if self.decision is Decision.UNDECIDED:
            self.decision = self._decided()
        return self.decision

    def _stake(self) -> float:
        """What to bet next, from what was seen so far: the gain looked for, over how much scores vary."""
        blocks = len(self._scores)
        mean = (EARLY_BLOCKS / 2 + self._sum) / (EARLY_BLOCKS + blocks)
        scatter = self._squares - 2 * mean * self._sum + blocks * mean**2
        variance = (EARLY_BLOCKS * EARLY_VARIANCE + scatter) / (EARLY_BLOCKS + blocks)
        gain = self.d1 - self.d0
        return gain / (variance + gain**2)

    def _decided(self) -> Decision:
        if self._for >= -math.log(self.alpha):
            return Decision.BETTER
        if self._against >= -math.log(self.beta):
            return Decision.NOT_BETTER
        return Decision.UNDECIDED

    @property
    def blocks(self) -> int:
        return len(self._scores)

    @property
    def reason(self) -> str:
        """Why it has stopped, or what is missing, in a sentence."""
        won, lost = math.exp(min(self._for, 99)), math.exp(min(self._against, 99))
        if self.decision is Decision.BETTER:
            return f"the mean block score is above {0.5 + self.d0:g}, wrong in at most {self.alpha:.0%} of such cases"
        if self.decision is Decision.NOT_BETTER:
            return f"the mean block score is below {0.5 + self.d1:g}, wrong in at most {self.beta:.0%} of such cases"
        return (
            f"evidence for better is {won:.2g} of the {1 / self.alpha:g} needed, "
            f"for not better {lost:.2g} of {1 / self.beta:g}"
        )

    def effect(self) -> Interval:
        """The mean block score with an interval that holds whenever one stops.

        Each end is wrong in at most alpha or beta of all cases. The lower end is above 1/2 + d0 at the moment at which
        the test says BETTER, the upper end is below 1/2 + d1 when it says NOT_BETTER.
        """
        if not self._scores:
            return Interval(0.5, 0.0, 1.0)
        mirrored = [1 - score for score in self._scores]
        low = _lowest(self._scores, self._stakes, -math.log(self.alpha))
        high = 1 - _lowest(mirrored, self._stakes, -math.log(self.beta))
        return Interval(self._sum / self.blocks, low, high)


def elo_difference(score: float) -> float:
    """The difference in Elo points at which the better of two scores so much; infinite for one that scores all."""
    if score in {0, 1}:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def _growth(score: float, stake: float, mean: float) -> float:
    """What a bet adds to the logarithm of a capital: fair, or worse, if scores are no higher than this on average."""
    return math.log1p(min(stake, HIGHEST_STAKE / mean) * (score - mean))


def _lowest(scores: list[float], stakes: list[float], needed: float) -> float:
    """The lowest mean that the scores leave possible. Capital falls as the mean to bet against rises, so halve."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        mean = (low + high) / 2
        capital = math.fsum(_growth(score, stake, mean) for score, stake in zip(scores, stakes, strict=True))
        low, high = (mean, high) if capital >= needed else (low, mean)
    return low
