"""The leaderboard: TrueSkill, folded over the results in the order of the schedule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import fsum, sqrt
from types import MappingProxyType

from arena.rating.blocks import counts
from arena.rating.skill import Parameters, Skill
from arena.rating.update import updated
from arena.record import Result


class Fold:
    """Skills as they stand after the results so far. Results of one game, in the order of the schedule.

    The same results in the same order give the same skills to the last bit, and so do those that a fold picks up from
    the skills of another. TrueSkill depends on the order; `fit` does not.
    """

    def __init__(self, parameters: Parameters, skills: Mapping[str, Skill] = MappingProxyType({})) -> None:
        self.parameters = parameters
        self._skills = dict(skills)

    @property
    def skills(self) -> Mapping[str, Skill]:
        """By bot, for all who have played."""
        return MappingProxyType(self._skills)

    def add(self, result: Result) -> None:
        """Take in one game. One in which a single version holds all seats changes nothing.

        A version with several seats learns from each of them, and then takes the mean of what it learnt: a game is one
        observation of a bot, however often it sits in it.
        """
        if not counts(result):
            return
        # Sorted by name, so that nothing depends on who sat where, not even the last bit.
        places = sorted(zip(result.bots, result.ranks, strict=True))
        before = [self._skills.get(bot, self.parameters.newcomer) for bot, _ in places]
        after = updated(before, [rank for _, rank in places], self.parameters)
        learnt: dict[str, list[Skill]] = {}
        for (bot, _), skill in zip(places, after, strict=True):
            learnt.setdefault(bot, []).append(skill)
        self._skills.update({bot: _mean(skills) for bot, skills in learnt.items()})

    def extend(self, results: Iterable[Result]) -> None:
        for result in results:
            self.add(result)


def _mean(skills: list[Skill]) -> Skill:
    """The mean of beliefs about a bot, in the terms in which evidence adds up: precision, and mean times precision."""
    if len(skills) == 1:
        return skills[0]
    precision = fsum(skill.sigma**-2 for skill in skills) / len(skills)
    mu = fsum(skill.mu * skill.sigma**-2 for skill in skills) / len(skills) / precision
    return Skill(mu, 1 / sqrt(precision))
