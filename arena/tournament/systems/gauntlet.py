"""Gauntlet: one or several challengers against a field, which does not play among itself."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import ClassVar

from arena.errors import UsageError
from arena.tournament.designs import Mixture, Seating
from arena.tournament.system import Length, Played, Sitting, System
from arena.tournament.systems.budget import Budget
from arena.tournament.systems.field import Field
from arena.tournament.systems.options import setting
from arena_rules.chance import shuffled


@dataclass(frozen=True)
class GauntletOptions(Budget):
    system: ClassVar[str] = "gauntlet"

    challengers: tuple[str, ...] = setting((), "who challenges; without it the bot that was entered first")


class Gauntlet(System):
    """Each table seats one challenger and a balanced choice of the field; every challenger meets the same choices.

    A round is as long as it takes each challenger to meet everybody of the field once.
    """

    def __init__(self, field: Field, options: GauntletOptions) -> None:
        self._challengers = list(options.challengers or field.bots[:1])
        self._field = shuffled(field.seed, "schedule numbers", _defenders(field, self._challengers))
        defenders = [seats - 1 for seats in field.players]
        rounds = options.length(field, len(self._field) * len(self._challengers), sum(defenders))
        # In rounds every choice of the field meets all challengers; a budget may end in the middle of that.
        choices = ceil(rounds / len(self._challengers))
        self._blocks = rounds if options.blocks or options.games else choices * len(self._challengers)
        self._left = self._blocks
        self._choices = Mixture(len(self._field), defenders, choices, field.chance("gauntlet"))
        self._seating: Seating[str] = Seating(field.chance("seats"))
        self._waiting: deque[tuple[str, ...]] = deque()

    @property
    def length(self) -> Length:
        return Length.of(self._blocks)

    def next(self) -> Sitting | None:
        while self._left and (self._waiting or self._choose()):
            self._left -= 1
            return Sitting(self._seating.lineup(self._waiting.popleft()))
        return None

    def _choose(self) -> bool:
        """Let the next choice of the field meet every challenger."""
        choice = next(self._choices, None) if self._challengers else None
        if choice is None:
            return False
        others = [self._field[number] for number in choice]
        self._waiting.extend((challenger, *others) for challenger in self._challengers)
        return True

    def learn(self, played: Played) -> None:
        """Nothing: the plan stands before the first game."""

    def withdraw(self, bot: str) -> None:
        self._waiting = deque(table for table in self._waiting if bot not in table)
        if bot in self._challengers:
            self._challengers.remove(bot)
        else:
            self._choices.withdraw(self._field.index(bot))


def _defenders(field: Field, challengers: Sequence[str]) -> list[str]:
    for challenger in challengers:
        if challenger not in field.bots:
            raise UsageError(f"the challenger {challenger} is not among the bots: {', '.join(field.bots)}")
    defenders = [bot for bot in field.bots if bot not in challengers]
    if len(defenders) < max(field.players) - 1:
        raise UsageError(f"the challengers leave {len(defenders)} bots to meet: add bots or name fewer challengers")
    return defenders
