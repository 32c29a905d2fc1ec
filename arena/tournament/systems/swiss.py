"""Swiss: in every round neighbours in the standings meet, who have not met before while that can be avoided."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle
from math import ceil, log2
from typing import ClassVar

from arena.errors import UsageError
from arena.tournament.designs import Seating
from arena.tournament.system import WAIT, Length, Played, Sitting, System, Wait
from arena.tournament.systems.field import Field
from arena.tournament.systems.options import Options, setting
from arena.tournament.systems.pairing import REMATCH, Meetings, Table, grouped, paired
from arena.tournament.systems.points import HALF, points

GRAIN = 10_000
"""Into how many steps a point is divided when distances in the standings are weighed."""


@dataclass(frozen=True)
class SwissOptions(Options):
    system: ClassVar[str] = "swiss"

    rounds: int | None = setting(None, "how many rounds; without it two more than halving the field takes", least=1)
    blocks: int | None = setting(None, "how many blocks at most; only whole rounds are played", least=1)
    games: int | None = setting(None, "how many games at most; only whole rounds are played", least=1)
    repeat: int = setting(1, "how many blocks every table plays in a round", least=1)

    def __post_init__(self) -> None:
        self.at_most_one("rounds", "blocks", "games")

    def length(self, field: Field) -> list[int]:
        """The sizes of the tables in each round: one size, or several in turn."""
        if self.blocks is None and self.games is None:
            rounds = self.rounds or ceil(log2(len(field.bots))) + 2
            return [seats for seats, _ in zip(cycle(field.players), range(rounds), strict=False)]
        sizes, left = [], self.blocks or self.games or 0
        for seats in cycle(field.players):
            left -= self.tables(field, seats) * (field.games(seats) if self.games else 1)
            if left < 0:
                break
            sizes.append(seats)
        if not sizes:
            raise UsageError(
                f"{self.blocks or self.games} {'blocks' if self.blocks else 'games'} are less than a round"
            )
        return sizes

    def tables(self, field: Field, seats: int) -> int:
        """How many blocks a round has."""
        return len(field.bots) // seats * self.repeat


class Swiss(System):
    """A bot's standing is the sum of what its blocks were worth, each from 0 to 1.

    Who is left over when the tables are full has a bye, worth half a point: what an even block is worth, so that nobody
    gains a place by not playing. Byes go to the lowest standing among those who had fewest. With several sizes of
    tables, the rounds take them in turn.
    """

    def __init__(self, field: Field, options: SwissOptions) -> None:
        self._repeat = options.repeat
        self._rounds = options.length(field)
        self._planned = sum(options.tables(field, seats) for seats in self._rounds)
        self._score = dict.fromkeys(field.bots, Fraction(0))
        self._byes = Counter(dict.fromkeys(field.bots, 0))
        self._met = Meetings()
        self._chance = field.chance("swiss")
        self._seating: Seating[str] = Seating(field.chance("seats"))
        self._round = 0
        self._waiting: deque[Table] = deque()
        self._under_way = 0

    @property
    def length(self) -> Length:
        return Length.of(self._planned)

    def next(self) -> Sitting | Wait | None:
        if not self._waiting and self._under_way:
            return WAIT
        if not self._waiting and not self._begin_round():
            return None
        self._under_way += 1
        return Sitting(self._seating.lineup(self._waiting.popleft()), f"round {self._round}")

    def learn(self, played: Played) -> None:
        self._under_way -= 1
        for bot, score in points(played).items():
            if bot in self._score:
                self._score[bot] += score / self._repeat

    def withdraw(self, bot: str) -> None:
        """Those who were to meet it in this round have a bye instead."""
        del self._score[bot], self._byes[bot]
        dropped = [table for table in self._waiting if bot in table]
        self._waiting = deque(table for table in self._waiting if bot not in table)
        for table in dropped:
            self._give_byes([other for other in table if other != bot], Fraction(1, self._repeat))

    def findings(self) -> tuple[str, ...]:
        """Sentences for the report: the points, best first."""
        order = sorted(self._score, key=lambda bot: (-self._score[bot], bot))
        return tuple(f"{bot} has {float(self._score[bot]):.4g} of {self._round} points" for bot in order)

    def _begin_round(self) -> bool:
        if self._round == len(self._rounds) or len(self._score) < self._rounds[self._round]:
            return False
        seats = self._rounds[self._round]
        self._round += 1
        tables = self._tables(self._present(seats), seats)
        for table in tables:
            self._met.add(table)
        self._waiting.extend(table for _ in range(self._repeat) for table in tables)
        return True

    def _present(self, seats: int) -> list[str]:
        """Who plays in this round, in the order of the standings; the others have byes."""
        order = self._standings()
        fewest_last = sorted(order, key=lambda bot: -self._byes[bot])  # among equals the lowest standing is last
        idle = fewest_last[len(order) - len(order) % seats :]
        self._give_byes(idle, Fraction(1))
        return [bot for bot in order if bot not in idle]

    def _give_byes(self, bots: list[str], part: Fraction) -> None:
        """A bye for a part of a round."""
        for bot in bots:
            self._score[bot] += HALF * part
            self._byes[bot] += 1

    def _standings(self) -> list[str]:
        """Best first; those who are level in an order drawn by lot, so it is to be asked for once a round."""
        lots = {bot: self._chance.random() for bot in self._score}
        return sorted(self._score, key=lambda bot: (-self._score[bot], lots[bot]))

    def _tables(self, order: list[str], seats: int) -> list[Table]:
        standing = {bot: round(self._score[bot] * GRAIN) for bot in order}

        def cost(one: str, other: str) -> int:
            return REMATCH * self._met.between(one, other) + (standing[one] - standing[other]) ** 2

        return paired(order, cost) if seats == 2 else grouped(order, seats, cost)
