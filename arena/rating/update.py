"""One TrueSkill update, by the package `trueskill`, with its faults kept away from the ratings.

- Its own normal distribution is good to three digits only: it gets that of the standard library.
- It gives up on results that were next to impossible, with FloatingPointError: those are worked out with 50 digits.
- It looks at tied players in the order in which they are given, and moves the first another way than the last: all
  orders are worked out, and the mean is taken.
- Its factor graph takes 100 us for a game of two, of which the answer is known in closed form: that takes a tenth, so a
  million games are folded in the time of a hundred thousand.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain, groupby, permutations, product
from statistics import NormalDist
from typing import Any

from arena.rating.skill import Parameters, Skill

DIGITS = 50
_STANDARD = NormalDist()


def updated(skills: Sequence[Skill], ranks: Sequence[int], parameters: Parameters) -> list[Skill]:
    """The skills after a game with these ranks. Equal players with equal ranks come out equal."""
    if len(skills) == 2:
        with suppress(FloatingPointError):
            return _duel(skills[0], skills[1], ranks[1] - ranks[0], parameters)
    results = [_in_order(order, skills, ranks, parameters) for order in _orders(ranks)]
    return [_mean([result[seat] for result in results]) for seat in range(len(skills))]


def _duel(one: Skill, other: Skill, lead: int, parameters: Parameters) -> list[Skill]:
    """Both skills after a game of two, in which ``one`` has come in so many ranks ahead; behind if it is negative."""
    if lead < 0:
        return _duel(other, one, -lead, parameters)[::-1]
    environment = _environment(parameters, exact=False)
    drift = parameters.tau**2
    own, others = one.sigma**2 + drift, other.sigma**2 + drift
    spread = math.sqrt(own + others + 2 * parameters.beta**2)
    surprise = (one.mu - other.mu) / spread, _tie_margin(parameters) / spread
    if lead:
        shift, shrink = environment.v_win(*surprise), environment.w_win(*surprise)
    else:
        shift, shrink = environment.v_draw(*surprise), environment.w_draw(*surprise)
    return [
        Skill(skill.mu + sign * variance / spread * shift, math.sqrt(variance * (1 - variance / spread**2 * shrink)))
        for skill, variance, sign in ((one, own, 1), (other, others, -1))
    ]


@cache
def _tie_margin(parameters: Parameters) -> float:
    """How close two performances must be to count as a tie."""
    environment = _environment(parameters, exact=False)
    return float(_library().calc_draw_margin(parameters.draw_probability, 2, environment))


def _orders(ranks: Sequence[int]) -> Iterator[list[int]]:
    """The seats from the best rank to the worst, once for every order in which those who tie can stand."""
    seats = sorted(range(len(ranks)), key=lambda seat: ranks[seat])
    groups = [list(group) for _, group in groupby(seats, key=lambda seat: ranks[seat])]
    return (list(chain(*order)) for order in product(*(permutations(group) for group in groups)))


def _in_order(
    order: Sequence[int], skills: Sequence[Skill], ranks: Sequence[int], parameters: Parameters
) -> dict[int, Skill]:
    groups = [((skills[seat].mu, skills[seat].sigma),) for seat in order]
    sorted_ranks = [ranks[seat] for seat in order]
    try:
        rated = _rate(_environment(parameters, exact=False), groups, sorted_ranks)
    except FloatingPointError:
        import mpmath  # type: ignore[import-untyped]  # it has none

        with mpmath.workdps(DIGITS):
            rated = _rate(_environment(parameters, exact=True), groups, sorted_ranks)
    return dict(zip(order, rated, strict=True))


def _rate(environment: Any, groups: Sequence[Any], ranks: Sequence[int]) -> list[Skill]:
    ratings = [(environment.create_rating(mu, sigma),) for ((mu, sigma),) in groups]
    return [Skill(float(new.mu), float(new.sigma)) for (new,) in environment.rate(ratings, ranks=ranks)]


def _mean(skills: Sequence[Skill]) -> Skill:
    count = len(skills)
    if count == 1:
        return skills[0]
    mu = math.fsum(skill.mu for skill in skills) / count
    return Skill(mu, math.sqrt(math.fsum(skill.sigma**2 for skill in skills) / count))


@cache
def _environment(parameters: Parameters, *, exact: bool) -> Any:
    return _library().TrueSkill(
        mu=parameters.mu,
        sigma=parameters.sigma,
        beta=parameters.beta,
        tau=parameters.tau,
        draw_probability=parameters.draw_probability,
        backend="mpmath" if exact else (_cdf, _STANDARD.pdf, _STANDARD.inv_cdf),
    )


@cache
def _library() -> Any:
    with warnings.catch_warnings():  # an escape in one of its docstrings is not valid Python any more
        warnings.simplefilter("ignore", SyntaxWarning)
        import trueskill  # type: ignore[import-untyped]  # it has none
    return trueskill


def _cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))  # keeps its digits far below the mean, where NormalDist.cdf loses them
