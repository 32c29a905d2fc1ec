"""Balanced tables of three or four for a few dozen bots: stretch by stretch, each searched for balance by annealing.

A stretch is long enough for every pair to meet about twice. Its tables are grown from the pairs that met least, then
bots are swapped in and out until all pairs have met equally often, counting from the first stretch; then they are put
in an order in which nobody waits. So the balance is within one at the end of most stretches and near it in between, and
what is kept in memory are the meetings and one stretch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from random import Random

Table = tuple[int, ...]
Row = list[int]

COOLING = (1, 2, 3, 4, 5, 6, 8)
"""The stages of the search: a swap that makes things worse by d is taken with chance 2 ** (-d / 2 * stage)."""
SWAPS = 15_000
"""How many swaps are tried in a stage: what a moment allows. More of them bring few designs from within two to one."""

TRIES = 4
"""How often the search is begun again when it leaves pairs apart by more than two."""


class Annealed:
    """So many tables of the numbers below ``bots``."""

    def __init__(self, bots: int, seats: int, blocks: int, chance: Random) -> None:
        self._present = list(range(bots))
        self._seats = seats
        self._left = blocks
        self._chance = chance
        self._met = [[0] * bots for _ in range(bots)]
        self._played = [0] * bots
        self._stretch: list[Row] = []

    def __iter__(self) -> Iterator[Table]:
        return self

    def __next__(self) -> Table:
        if not self._stretch:
            self._stretch = self._next_stretch()
        self._left -= 1
        return tuple(self._stretch.pop())

    def withdraw(self, bot: int) -> None:
        """Go on without the bot, so that the others meet as often as they would have."""
        bots = len(self._present)
        self._present.remove(bot)
        for table in self._stretch:
            self._count(table, -1)
        self._stretch.clear()
        self._left = round(self._left * (bots - 2) / bots) if bots > self._seats else 0

    def _next_stretch(self) -> list[Row]:
        if self._left <= 0:
            raise StopIteration
        usual = round(2 * comb(len(self._present), 2) / comb(self._seats, 2)) or 1
        blocks = usual if self._left >= 2 * usual else self._left
        tables = [self._grown() for _ in range(blocks)]
        for _ in range(TRIES):
            self._anneal(tables)
            if self._balanced():
                break
        return self._interleaved(tables)[::-1]

    def _grown(self) -> Row:
        """A table of those who have met least, counted as met."""
        table = [min(self._present, key=lambda bot: (self._played[bot], self._chance.random()))]
        while len(table) < self._seats:
            others = [bot for bot in self._present if bot not in table]
            table.append(min(others, key=lambda bot: (self._meetings(bot, table), self._played[bot])))
        self._count(table, 1)
        return table

    def _meetings(self, bot: int, table: Sequence[int]) -> int:
        return sum([self._met[bot][other] for other in table])

    def _count(self, table: Sequence[int], meetings: int) -> None:
        for one, other in combinations(table, 2):
            self._met[one][other] += meetings
            self._met[other][one] += meetings
        for bot in table:
            self._played[bot] += meetings

    def _anneal(self, tables: list[Row]) -> None:
        """Swap bots until the squares of the meetings and of the blocks played are as low as can be, or give up."""
        above = self._cost() - self._lowest_cost()
        for stage in COOLING:
            for _ in range(SWAPS):
                if above <= 0:
                    return
                above += self._swap(tables, stage)

    def _swap(self, tables: list[Row], stage: int) -> int:
        """Try to put one bot in the place of another, and give what it cost."""
        lot = self._chance.random
        table = tables[int(lot() * len(tables))]
        seat = int(lot() * len(table))
        leaver, comer = table[seat], self._present[int(lot() * len(self._present))]
        if comer in table:
            return 0
        left, come = self._met[leaver], self._met[comer]
        more = len(table) + self._played[comer] - self._played[leaver] - come[leaver]
        for other in table:
            more += come[other] - left[other]
        if more > 0 and lot() >= 0.5 ** (more * stage):
            return 0
        self._count(table, -1)
        table[seat] = comer
        self._count(table, 1)
        return 2 * more

    def _balanced(self) -> bool:
        meetings = [self._met[one][other] for one, other in combinations(self._present, 2)]
        return max(meetings) - min(meetings) <= 2

    def _cost(self) -> int:
        pairs = sum(self._met[one][other] ** 2 for one, other in combinations(self._present, 2))
        return pairs + sum(self._played[bot] ** 2 for bot in self._present)

    def _lowest_cost(self) -> int:
        """What no arrangement can get below: everything shared out evenly."""
        pairs = [self._met[one][other] for one, other in combinations(self._present, 2)]
        return _even(pairs) + _even([self._played[bot] for bot in self._present])

    def _interleaved(self, tables: list[Row]) -> list[Row]:
        """The tables in an order in which those come first who have waited longest, and pairs that met least."""
        for table in tables:
            self._count(table, -1)
        waiting, order = tables[:], []
        while waiting:
            table = min(waiting, key=lambda table: (self._crowding(table), self._due(table)))
            waiting.remove(table)
            self._count(table, 1)
            order.append(table)
        return order

    def _crowding(self, table: Row) -> int:
        return sum([self._met[one][other] for one, other in combinations(table, 2)])

    def _due(self, table: Row) -> int:
        return sum([self._played[bot] for bot in table])


def _even(counts: Sequence[int]) -> int:
    """The sum of squares when the same total is shared out evenly."""
    low, rest = divmod(sum(counts), len(counts))
    return (len(counts) - rest) * low**2 + rest * (low + 1) ** 2
