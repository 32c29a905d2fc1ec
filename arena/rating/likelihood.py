"""The model behind the fit: TrueSkill's own, Thurstone's, for each pair of bots at a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from arena.rating.evidence import Evidence, Numbers, Pairs, total
from arena.rating.skill import Parameters

PRECISION = 1e-9
"""The fit has converged when no skill moves by more."""
MOST_STEPS = 200


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the model expects at some differences of skill."""

    score: Numbers
    """The mean score of the first bot against the second, a tie being half a win."""
    weight: Numbers
    """How much one point more than expected says about the difference."""
    information: Numbers
    """How much one comparison tells about the difference, were it independent of all others."""


def expectation(difference: Numbers, parameters: Parameters) -> Expectation:
    """Performances are normal with deviation beta around the skills, and those nearer than a margin are ties."""
    unit = math.sqrt(2) * parameters.beta
    margin = NormalDist().inv_cdf((1 + parameters.draw_probability) / 2)
    x = difference / unit
    above = (_below(x - margin) + _below(x + margin)) / 2
    below = (_below(margin - x) + _below(-margin - x)) / 2
    slope = (_density(x - margin) + _density(x + margin)) / (2 * unit)
    weight = slope / (above * below)
    return Expectation(above, weight, slope * weight)


def _below(x: Numbers) -> Numbers:
    """The standard normal distribution function. numpy has none, and scipy is a large house for one small function."""
    values = map(math.erfc, (-x / math.sqrt(2)).ravel().tolist())
    return np.fromiter(values, float, x.size).reshape(x.shape) / 2


def _density(x: Numbers) -> Numbers:
    density: Numbers = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return density


def most_likely(evidence: Evidence, parameters: Parameters) -> tuple[Numbers, Numbers]:
    """The most likely skills, and how much the games and the prior tell about them: a matrix of information.

    The prior is TrueSkill's newcomer. It keeps a bot that always wins within reason, and puts the mean of all bots that
    are connected by games at its own.
    """
    count, pairs = len(evidence.bots), evidence.pairs
    skills = np.full(count, parameters.mu)
    for _ in range(MOST_STEPS):
        model = expectation(skills[pairs.one] - skills[pairs.other], parameters)
        pull = model.weight * (pairs.points - pairs.comparisons * model.score)
        gradient = total(pairs.one, pull, count) - total(pairs.other, pull, count)
        gradient -= (skills - parameters.mu) / parameters.sigma**2
        information = _information(pairs, pairs.comparisons * model.information, count)
        information[np.diag_indices(count)] += parameters.sigma**-2
        step = np.linalg.solve(information, gradient)
        skills = skills + step
        if np.abs(step).max(initial=0) < PRECISION:
            return skills, information
    raise ArithmeticError("the fit does not converge")


def _information(pairs: Pairs, weights: Numbers, count: int) -> Numbers:
    one, other = pairs.one, pairs.other
    matrix = np.zeros((count, count))
    matrix[one, other] = matrix[other, one] = -weights
    matrix[np.diag_indices(count)] = total(one, weights, count) + total(other, weights, count)
    return matrix
