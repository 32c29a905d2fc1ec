"""Round robin: everybody meets everybody equally often."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import ClassVar

from arena.tournament.designs import Mixture, Seating
from arena.tournament.system import Length, Played, Sitting, System
from arena.tournament.systems.budget import Budget
from arena.tournament.systems.field import Field
from arena_rules.chance import shuffled


@dataclass(frozen=True)
class RoundRobinOptions(Budget):
    system: ClassVar[str] = "round-robin"


class RoundRobin(System):
    """All line-ups as often as they fit the budget, then a balanced choice of them, evenly paced from the first block.

    With several sizes of tables, the sizes take turns and each is balanced by itself. When a bot withdraws, its
    line-ups fall out; the others meet as often as was planned.
    """

    def __init__(self, field: Field, options: RoundRobinOptions) -> None:
        per_cycle = sum(comb(seats, 2) for seats in field.players)
        self._blocks = options.length(field, comb(len(field.bots), 2), per_cycle)
        self._bots = shuffled(field.seed, "schedule numbers", field.bots)
        self._tables = Mixture(len(field.bots), field.players, self._blocks, field.chance("round robin"))
        self._seating: Seating[str] = Seating(field.chance("seats"))

    @property
    def length(self) -> Length:
        return Length.of(self._blocks)

    def next(self) -> Sitting | None:
        for table in self._tables:
            return Sitting(self._seating.lineup([self._bots[number] for number in table]))
        return None

    def learn(self, played: Played) -> None:
        """Nothing: the plan stands before the first game."""

    def withdraw(self, bot: str) -> None:
        self._tables.withdraw(self._bots.index(bot))
