"""What an adaptive tournament wants to know: which bots are the best so many, as a set or in order.

A statement stands on differences: each of the best is above everybody else, and in order also above the next of the
best. For each difference there is a bound on the risk that it is wrong which holds however often one looks: one over a
mixture of likelihood ratios, which by Ville's inequality exceeds 1 / risk at any time with at most that chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]

SCALES = np.array([0.25, 0.5, 1.0, 2.0, 4.0])
"""The sizes of differences, in logits, that the mixture weighs against none."""


@dataclass(frozen=True, slots=True)
class Statement:
    """That the bots ``best`` are above the bots ``rest``. Bots are numbers, best first."""

    best: Places
    rest: Places
    ordered: bool

    @classmethod
    def about(cls, strength: Numbers, bots: Places, top: int, *, ordered: bool) -> Statement:
        """What seems true of these bots now."""
        order = bots[np.argsort(-strength[bots], kind="stable")]
        return cls(order[:top], order[top:], ordered)

    def differences(self) -> tuple[Places, Places]:
        """Who has to be above whom, for the statement to be true."""
        above = np.repeat(self.best, len(self.rest))
        below = np.tile(self.rest, len(self.best))
        if self.ordered:
            above, below = np.append(above, self.best[:-1]), np.append(below, self.best[1:])
        return above, below

    def risk(self, strength: Numbers, covariance: Numbers) -> float:
        """At most with this chance the statement is wrong.

        Of the differences between one of the rest and all of the best only the riskiest counts: who is wrongly below
        one of them is wrongly below the weakest.
        """
        risks = _risks(*contrasts(strength, covariance, *self.differences()))
        pairs = len(self.best) * len(self.rest)
        outsiders = risks[:pairs].reshape(len(self.best), len(self.rest)).max(axis=0)
        return float(outsiders.sum() + risks[pairs:].sum())


def contrasts(strength: Numbers, covariance: Numbers, above: Places, below: Places) -> tuple[Numbers, Numbers]:
    """The differences of the strengths, and their variances."""
    spread = np.diag(covariance)
    return strength[above] - strength[below], spread[above] + spread[below] - 2 * covariance[above, below]


def _risks(difference: Numbers, variance: Numbers) -> Numbers:
    """For each difference the bound on the chance that its sign is wrong."""
    wide = variance[:, np.newaxis] + SCALES**2
    ratio = (
        0.5 * (np.log(variance)[:, np.newaxis] - np.log(wide))
        + 0.5 * (difference**2 / variance)[:, np.newaxis] * SCALES**2 / wide
    )
    evidence = np.exp(np.minimum(ratio, 500)).mean(axis=1)
    risks: Numbers = np.where(difference > 0, np.minimum(0.5, 0.5 / evidence), 0.5)
    return risks
