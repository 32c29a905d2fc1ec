"""Who takes which seat: every bot sits equally often in each."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import permutations
from random import Random
from typing import Generic, TypeVar

B = TypeVar("B", bound=Hashable)

ORDERS = {seats: tuple(permutations(range(seats))) for seats in (2, 3, 4)}


class Seating(Generic[B]):
    """Turns a table into a line-up.

    Blocks that rotate even the seats out by themselves; then what varies is who moves after whom. Where a block is a
    single game, this is what keeps the seats fair.
    """

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._sat: dict[tuple[B, int], list[int]] = {}

    def lineup(self, table: Sequence[B]) -> tuple[B, ...]:
        """The table in the order that evens out who has sat where, with ties broken by lot."""
        seats = len(table)
        rows = [self._sat.setdefault((bot, seats), [0] * seats) for bot in table]
        order = self._fairest(rows)
        for seat, place in enumerate(order):
            rows[place][seat] += 1
        return tuple(table[place] for place in order)

    def _fairest(self, rows: Sequence[Sequence[int]]) -> tuple[int, ...]:
        orders = ORDERS[len(rows)]
        start = int(self._chance.random() * len(orders))
        turned = orders[start:] + orders[:start]
        return min(turned, key=lambda order: sum([rows[place][seat] for seat, place in enumerate(order)]))
