"""How much a meeting of two bots is expected to tell about a statement."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.tournament.systems.belief import Belief
from arena.tournament.systems.statement import Statement, contrasts

Numbers = NDArray[np.float64]

FARTHEST = 7.0
"""Beyond so many standard deviations a difference is beyond doubt, and numbers would underflow."""
GRAIN = 1e-6
"""Gains closer than this part of the greatest count as equal, so that the last bits of a sum decide nothing."""


def gains(belief: Belief, statement: Statement, pending: Numbers) -> Numbers:
    """For each pair, the expected information of one meeting about the signs of the statement's differences, in steps.

    A meeting that takes the part d of the variance of a difference tells d * f(z)**2 / (2 F(z) F(-z)) of its sign, z
    being the difference in standard deviations and f, F the normal density and distribution. Meetings that are under
    way count as known.
    """
    covariance = belief.covariance(pending)
    above, below = statement.differences()
    difference, variance = contrasts(belief.strength, covariance, above, below)
    worth = _worth(difference / np.sqrt(variance)) / variance
    reach = covariance[above] - covariance[below]
    weighed = (reach * worth[:, np.newaxis]).T @ reach
    told = _between(weighed)
    meeting = belief.information(np.ones_like(covariance))
    gain = told * meeting / (1 + meeting * _between(covariance))
    np.fill_diagonal(gain, 0)
    steps: Numbers = np.round(gain / gain.max() / GRAIN)
    return steps


def _between(form: Numbers) -> Numbers:
    """The quadratic form of the difference of each pair."""
    spread = np.diag(form)
    return spread[:, np.newaxis] + spread[np.newaxis, :] - 2 * form


def _worth(z: Numbers) -> Numbers:
    """How much a sign is worth asking for: most when it is open, next to nothing when it is clear."""
    z = np.minimum(np.abs(z), FARTHEST)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    beyond = _tail(z)
    worth: Numbers = density**2 / (2 * beyond * (1 - beyond))
    return worth


def _tail(z: Numbers) -> Numbers:
    """The chance of more than z of the normal distribution, z not below 0, within 1e-4 of its value."""
    t = 1 / (1 + 0.2316419 * z)
    series = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail: Numbers = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * series
    return tail
