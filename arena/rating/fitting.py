"""The order-free view: the skills that explain the whole history best, and how sure they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.rating.bands import bands, surely_above
from arena.rating.covariance import covariance
from arena.rating.evidence import Evidence, Numbers
from arena.rating.interval import ENOUGH_BLOCKS, Interval
from arena.rating.likelihood import most_likely
from arena.rating.skill import Parameters
from arena.rating.tally import Tally


@dataclass(frozen=True, slots=True)
class Rated:
    """A bot in the table."""

    bot: str
    skill: float
    """On the TrueSkill scale, where the mean of the bots that it is connected with by games has the newcomer's mu."""
    blocks: int
    interval: Interval | None
    """None without enough blocks to tell."""
    band: tuple[int, int] | None
    """The best and the worst rank that it may have among all that have a band; None without enough blocks."""


class Relative(NamedTuple):
    """A skill relative to others."""

    skill: float
    error: float
    freedom: float


class Fit:
    """The skills of all bots of a tally. To be had from `fit`."""

    def __init__(self, evidence: Evidence, skills: Numbers, spread: Numbers) -> None:
        self._numbers = {bot: number for number, bot in enumerate(evidence.bots)}
        self._skills = skills
        self._spread = spread
        self._blocks = evidence.blocks
        self._components = evidence.components
        self._sweeps = _sweeps(evidence)
        self.table: tuple[Rated, ...] = self._table()
        """All bots, the best first."""

    def difference(self, one: str, other: str) -> Interval | None:
        """How much the first is better than the second. None where nothing can be said.

        That is when one of them has not enough blocks, or when no chain of games connects the two.
        """
        first, second = self._numbers[one], self._numbers[other]
        freedom = min(self._blocks[first], self._blocks[second]) - 1
        if first == second or freedom + 1 < ENOUGH_BLOCKS or self._components[first] != self._components[second]:
            return None
        return Interval.around(
            float(self._skills[first] - self._skills[second]), float(self._errors([first, second])[0, 1]), freedom
        )

    def above(self, one: str, other: str) -> float:
        """The probability that the first is better than the second; 1/2 where nothing can be said."""
        first, second = self._numbers[one], self._numbers[other]
        if self.difference(one, other) is None:
            return 0.5
        return NormalDist().cdf(self._leads([first, second])[0, 1])

    @property
    def known(self) -> set[str]:
        """The bots with enough blocks."""
        return {bot for bot, number in self._numbers.items() if self._blocks[number] >= ENOUGH_BLOCKS}

    def relative(self, bots: Sequence[str]) -> dict[str, Relative]:
        """The skills of some bots relative to their mean. Empty unless games connect them all."""
        numbers = [self._numbers[bot] for bot in bots]
        if len(set(self._components[numbers])) != 1:
            return {}
        centre = np.eye(len(numbers)) - 1 / len(numbers)
        skills = centre @ self._skills[numbers]
        errors = np.sqrt(np.diag(centre @ self._spread[np.ix_(numbers, numbers)] @ centre))
        values = zip(skills.tolist(), errors.tolist(), (self._blocks[numbers] - 1).tolist(), strict=True)
        return dict(zip(bots, (Relative(*value) for value in values), strict=True))

    def _table(self) -> tuple[Rated, ...]:
        known = [number for number in range(len(self._skills)) if self._blocks[number] >= ENOUGH_BLOCKS]
        band = dict(zip(known, self._bands(known), strict=True))
        rated = [
            Rated(bot, float(self._skills[number]), int(self._blocks[number]), self._interval(number), band.get(number))
            for bot, number in self._numbers.items()
        ]
        return tuple(sorted(rated, key=lambda one: (-one.skill, one.bot)))

    def _interval(self, number: int) -> Interval | None:
        if self._blocks[number] < ENOUGH_BLOCKS:
            return None
        error = math.sqrt(self._spread[number, number])
        return Interval.around(float(self._skills[number]), error, self._blocks[number] - 1)

    def _bands(self, known: list[int]) -> list[tuple[int, int]]:
        if not known:
            return []
        error = self._errors(known)
        return bands(surely_above(self._leads(known), self._spread[np.ix_(known, known)], error))

    def _errors(self, numbers: list[int]) -> Numbers:
        """By bot and bot: the standard error of the difference; infinite for those who cannot be compared."""
        variance = self._spread[numbers, numbers]
        squared = variance[:, None] + variance[None, :] - 2 * self._spread[np.ix_(numbers, numbers)]
        apart = self._components[numbers][:, None] != self._components[numbers][None, :]
        apart |= np.eye(len(numbers), dtype=bool)
        return np.where(apart, np.inf, np.sqrt(np.maximum(squared, TINY)))

    def _leads(self, numbers: list[int]) -> Numbers:
        """By bot and bot: the difference in standard errors, on the scale of a normal distribution.

        Far out the likelihood is flat, so that a bot which has won every game is a long way ahead by few errors of an
        enormous size. Where one has beaten the other in every comparison, that itself is the stronger evidence.
        """
        skills, blocks = self._skills[numbers], self._blocks[numbers]
        leads = (skills[:, None] - skills[None, :]) / self._errors(numbers)
        freedom = np.maximum(np.minimum(blocks[:, None], blocks[None, :]) - 1, 1)
        swept = self._sweeps[np.ix_(numbers, numbers)]
        return np.where(np.abs(swept) > np.abs(leads), swept, _normal(leads, freedom))


TINY = 1e-12
"""Two bots that always split their blocks evenly leave no scatter at all; their order is not known for that."""


def _sweeps(evidence: Evidence) -> Numbers:
    """By bot and bot: the lead of one that has come out above the other every time, in enough blocks; 0 for all others.

    It is Student's for so many blocks won and one level block, as in `HeadToHead`.
    """
    pairs = evidence.pairs
    margin = 2 * pairs.points - pairs.comparisons
    perfect = (np.abs(margin) == pairs.comparisons) & (pairs.blocks >= ENOUGH_BLOCKS)
    lead = np.zeros(len(margin))
    won = pairs.blocks[perfect]
    lead[perfect] = np.sign(margin[perfect]) * _normal(won, won - 1)
    matrix = np.zeros((len(evidence.bots), len(evidence.bots)))
    matrix[pairs.one, pairs.other], matrix[pairs.other, pairs.one] = lead, -lead
    return matrix


def _normal(t: Numbers, freedom: Numbers) -> Numbers:
    """The points of a standard normal with as much to their left as Student's distribution has at t; see `student`."""
    shrunk: Numbers = np.sqrt(freedom * np.log1p(t * t / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    return np.copysign(shrunk, t)


def fit(tally: Tally, parameters: Parameters) -> Fit:
    """Fit the TrueSkill model to the whole history. The order in which it was played does not matter."""
    evidence = Evidence.of(tally)
    skills, information = most_likely(evidence, parameters)
    return Fit(evidence, skills, covariance(evidence, parameters, skills, information))
