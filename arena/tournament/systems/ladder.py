"""Ladder: runs until it is stopped, and bots may join at any time."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from math import exp
from typing import ClassVar

from arena.tournament.designs import Seating
from arena.tournament.system import Length, Played, Sitting, System
from arena.tournament.systems.budget import affordable
from arena.tournament.systems.field import Field, joined
from arena.tournament.systems.options import Options, setting
from arena.tournament.systems.points import duels

QUICK, STEADY = 1.5, 0.1
"""By how much of a surprise the level of a bot moves: at first, and after many blocks."""
NEWCOMER = 12
"""With fewer blocks than this a bot is a newcomer."""


@dataclass(frozen=True)
class LadderOptions(Options):
    system: ClassVar[str] = "ladder"

    blocks: int | None = setting(None, "how many blocks it runs; without it until it is stopped", least=1)
    games: int | None = setting(None, "how many games it runs at most, in whole blocks", least=1)
    reach: int | None = setting(
        None, "how many places away an opponent is half as likely; without it a sixth of all", least=1
    )

    def __post_init__(self) -> None:
        self.at_most_one("blocks", "games")


class Ladder(System):
    """Who has waited longest plays next, against opponents drawn around its own level, with a heavy tail.

    The tail keeps the leader from meeting only the second, and ties the ends of the ladder together. Of several sizes
    of tables a bot takes the one it has played least. Newcomers have every other block until they have had a dozen.
    """

    def __init__(self, field: Field, options: LadderOptions) -> None:
        self._sizes = field.players
        self._reach = options.reach
        self._blocks = affordable(field, options.games) if options.games else options.blocks
        self._chance = field.chance("ladder")
        self._seating: Seating[str] = Seating(field.chance("seats"))
        self._level = dict.fromkeys(field.bots, 0.0)
        self._seen: Counter[str] = Counter()
        self._played: Counter[tuple[str, int]] = Counter()
        self._tables: Counter[int] = Counter()
        self._last = dict.fromkeys(field.bots, -1)
        self._given = 0

    @property
    def length(self) -> Length:
        return Length.of(self._blocks) if self._blocks else Length(0, None)

    def join(self, bot: str) -> None:
        """Let a bot take part from now on. Raises UsageError if it does already."""
        joined(bot, self._level)
        self._level[bot] = 0.0
        self._last[bot] = -1

    def withdraw(self, bot: str) -> None:
        del self._level[bot], self._last[bot]

    def next(self) -> Sitting | None:
        if self._given == self._blocks or len(self._level) < self._sizes[0]:
            return None
        first = self._whose_turn()
        seats = self._size(first)
        table = [first]
        while len(table) < seats:
            table.append(self._opponent(first, table, seats))
        for bot in table:
            self._last[bot] = self._given
            self._played[bot, seats] += 1
        self._tables[seats] += 1
        self._given += 1
        return Sitting(self._seating.lineup(table))

    def learn(self, played: Played) -> None:
        """Move levels towards what was seen; a newcomer's moves quickly."""
        surprise = dict.fromkeys(played.sitting.lineup, 0.0)
        for one, other, score in duels(played):
            if one in self._level and other in self._level:
                gap = float(score) - 1 / (1 + exp(self._level[other] - self._level[one]))
                surprise[one] += gap
                surprise[other] -= gap
        for bot, gap in surprise.items():
            self._seen[bot] += 1
            if bot in self._level:
                self._level[bot] += max(STEADY, QUICK / self._seen[bot]) * gap

    def findings(self) -> tuple[str, ...]:
        """Sentences for the report."""
        return (f"{self._given} blocks were given out to {len(self._level)} bots",)

    def _whose_turn(self) -> str:
        """Who has waited longest; in every other block a newcomer, if there is one."""
        blocks = {bot: sum(self._played[bot, seats] for seats in self._sizes) for bot in self._level}
        newcomers = [bot for bot in self._level if blocks[bot] < NEWCOMER]
        if newcomers and self._given % 2:
            return min(newcomers, key=lambda bot: (blocks[bot], self._last[bot], self._chance.random()))
        return min(self._level, key=lambda bot: (self._last[bot], self._chance.random()))

    def _size(self, bot: str) -> int:
        possible = [seats for seats in self._sizes if seats <= len(self._level)]
        return min(possible, key=lambda seats: (self._played[bot, seats], self._tables[seats]))

    def _opponent(self, first: str, table: list[str], seats: int) -> str:
        """Drawn by lot: the closer in level the likelier, and likelier for who has played few tables of this size."""
        ladder = sorted(self._level, key=self._level.__getitem__)
        places = {bot: place for place, bot in enumerate(ladder)}
        reach = self._reach or max(2, len(ladder) // 6)
        others = [bot for bot in ladder if bot not in table]
        weights = [self._due(bot, seats) / (1 + ((places[bot] - places[first]) / reach) ** 2) for bot in others]
        marks = list(accumulate(weights))
        return others[bisect(marks, self._chance.random() * marks[-1], hi=len(marks) - 1)]

    def _due(self, bot: str, seats: int) -> float:
        """Halved for every table of this size more than of the size that the bot has played least."""
        least = min(self._played[bot, size] for size in self._sizes)
        return 0.5 ** (self._played[bot, seats] - least)
