"""How sure the fitted skills are: from how much blocks differ, not from what the model believes.

The games of a block share a deal, so what the model takes for a hundred independent games may be worth fifty, or two
hundred. The scatter of the block scores says which. The covariance is that of the infinitesimal jackknife over blocks
(the "sandwich"), to which a block bootstrap converges; it needs no resampling, so it is exact, fast and without a seed.
"""

from __future__ import annotations

import numpy as np

from arena.rating.evidence import Evidence, Numbers, Stack
from arena.rating.likelihood import Expectation, expectation
from arena.rating.skill import Parameters

LEVEL_BLOCKS = 0.5
"""How many blocks with level scores each bot is credited with, spread over its line-ups in proportion.

Without them a bot that has always won would leave no scatter, and look certain to win for ever.
"""

MOST_LEVERAGE = 0.9
"""A block that alone decides over a skill leaves no residual; what is left is then blown up no further than this."""


def covariance(evidence: Evidence, parameters: Parameters, skills: Numbers, information: Numbers) -> Numbers:
    """Of the skills, each taken relative to the mean of the bots it is connected with."""
    inverse = np.asarray(np.linalg.inv(information), dtype=float)
    scatter = np.eye(len(skills)) / parameters.sigma**2
    for stack in evidence.stacks:
        model = expectation(skills[stack.one] - skills[stack.other], parameters)
        scattered = _scatter(stack, model, inverse, evidence.blocks)
        np.add.at(scatter, (stack.bots[:, :, None], stack.bots[:, None, :]), scattered)
    centre = _centring(evidence)
    spread: Numbers = centre @ inverse @ scatter @ inverse @ centre
    return spread


def _scatter(stack: Stack, model: Expectation, inverse: Numbers, blocks: Numbers) -> Numbers:
    """By line-up, place and place: how much the pull of its blocks on the skills varies."""
    seen = _residuals(stack, model) / (1 - _leverage(stack, model, inverse))[:, None, None]
    share = LEVEL_BLOCKS * stack.blocks / blocks[stack.bots].min(axis=1)
    level = model.weight * stack.comparisons * (0.5 - model.score)
    seen += (share[:, None] * level**2)[:, :, None] * np.eye(level.shape[1])
    scatter: Numbers = stack.incidence.T @ seen @ stack.incidence
    return scatter


def _residuals(stack: Stack, model: Expectation) -> Numbers:
    """By line-up, pair and pair: the products of what blocks scored beyond expectation, weighted, and summed."""
    expected = stack.comparisons * model.score
    crossed = expected[:, :, None] * stack.sums[:, None, :]
    products = stack.products - crossed - crossed.transpose(0, 2, 1)
    products += stack.blocks[:, None, None] * expected[:, :, None] * expected[:, None, :]
    weighted: Numbers = products * model.weight[:, :, None] * model.weight[:, None, :]
    return weighted


def _leverage(stack: Stack, model: Expectation, inverse: Numbers) -> Numbers:
    """By line-up: how much of what one of its blocks says the fit has taken over, so that no residual is left of it."""
    one, other = stack.one, stack.other
    variance = inverse[one, one] + inverse[other, other] - 2 * inverse[one, other]
    told = (stack.comparisons * model.information * variance).sum(axis=1)
    leverage: Numbers = np.minimum(told / (stack.bots.shape[1] - 1), MOST_LEVERAGE)
    return leverage


def _centring(evidence: Evidence) -> Numbers:
    component = evidence.components
    together = component[:, None] == component[None, :]
    centred: Numbers = np.eye(len(component)) - together / together.sum(axis=1)
    return centred
