"""Rank bands: which ranks a bot may truly have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.rating.evidence import Numbers
from arena.rating.interval import CONFIDENCE

Relation = NDArray[np.bool_]

DRAWS = 1000
SEED = 20_26
"""Fixed, so that the same tally always gives the same bands."""


def surely_above(lead: Numbers, covariance: Numbers, error: Numbers) -> Relation:
    """By bot and bot: whether the first is above the second. With 95% confidence all that is said is true at once.

    ``lead`` is each bot's lead over each other in standard errors, ``error`` the standard errors (infinite for those
    who cannot be compared). The critical value is the 95% point of the largest of all leads, were all bots equal. Pairs
    that are decided leave the rest more room, so it is worked out again for what is still open until nothing changes.
    """
    drawn = _draws(covariance)
    decided = np.zeros_like(lead, dtype=bool)
    while True:
        critical = _critical_value(drawn, np.where(decided, np.inf, error))
        more = np.abs(lead) > critical
        if (more <= decided).all():
            return _with_implied(decided & (lead > 0))
        decided |= more


def bands(above: Relation) -> list[tuple[int, int]]:
    """By bot: the best and the worst rank it may have, given who is surely above whom."""
    best, worst = 1 + above.sum(axis=0), len(above) - above.sum(axis=1)
    return [(int(low), int(high)) for low, high in zip(best, worst, strict=True)]


def _with_implied(above: Relation) -> Relation:
    """With all that follows: whoever is above one that is above a third is above the third."""
    while True:
        reached = above | ((above.astype(np.float32) @ above.astype(np.float32)) > 0)
        if np.array_equal(reached, above):
            return above
        above = reached


def _draws(covariance: Numbers) -> Numbers:
    """By bot and draw: errors of the skills as they might have been."""
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0))
    drawn: Numbers = root @ np.random.default_rng(SEED).standard_normal((len(values), DRAWS))
    return drawn


def _critical_value(drawn: Numbers, error: Numbers) -> float:
    largest = np.zeros(DRAWS)
    for bot in range(len(drawn) - 1):
        rivals = bot + 1 + np.flatnonzero(np.isfinite(error[bot, bot + 1 :]))
        leads = np.abs(drawn[rivals] - drawn[bot]) / error[bot, rivals, None]
        largest = np.maximum(largest, leads.max(axis=0, initial=0))
    return float(np.quantile(largest, CONFIDENCE))
