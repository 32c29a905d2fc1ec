"""Estimates with 95% intervals, by Student's distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
TWO_SIDED = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)

ENOUGH_BLOCKS = 8
"""With fewer blocks nothing is said about how sure an estimate is. Simulations show that intervals hold from here."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate, and between which bounds the truth lies in 95 of 100 cases."""

    estimate: float
    low: float
    high: float

    @classmethod
    def around(cls, estimate: float, error: float, freedom: float) -> Interval:
        """From a standard error that is itself known by so many degrees of freedom."""
        margin = student(TWO_SIDED, freedom) * error
        return cls(estimate, estimate - margin, estimate + margin)

    def within(self, low: float, high: float) -> Interval:
        """Cut to what is possible."""
        return Interval(self.estimate, max(self.low, low), min(self.high, high))


def student(z: float, freedom: float) -> float:
    """The point of Student's distribution with as much to its left as a standard normal has at z. (Wallace, 1959.)"""
    root = z * (8 * freedom + 3) / (8 * freedom + 1)
    return math.copysign(math.sqrt(freedom * math.expm1(root * root / freedom)), z)
