"""Who sits together so that all meet equally often: balanced tables of numbers, given one by one.

`Mixture` is the face of this package. Whatever it is asked for, it keeps no list of what it gave or will give.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice, repeat
from math import comb
from random import Random
from typing import Protocol

from arena.tournament.designs import circle, complete, cyclic
from arena.tournament.designs.annealed import Annealed
from arena.tournament.designs.seating import Seating

__all__ = ["Mixture", "Seating"]

Table = tuple[int, ...]

FEW = 30
"""Up to so many bots all pairs are counted, which balances best; for more, only distances."""


class Part(Protocol):
    """A stretch of tables."""

    def __iter__(self) -> Iterator[Table]: ...
    def __next__(self) -> Table: ...
    def withdraw(self, bot: int) -> None: ...


class Fixed:
    """Tables that stay as they are, without those of bots that withdrew."""

    def __init__(self, tables: Iterator[Table]) -> None:
        self._tables = tables
        self._gone: set[int] = set()

    def __iter__(self) -> Iterator[Table]:
        return self

    def __next__(self) -> Table:
        return next(table for table in self._tables if self._gone.isdisjoint(table))

    def withdraw(self, bot: int) -> None:
        self._gone.add(bot)


def balanced(bots: int, seats: int, blocks: int, chance: Random) -> list[Part]:
    """So many tables of one to four seats: all of them as often as they fit, and a balanced choice for the rest."""
    if seats <= 2:  # whose order is so even that a part of it is a balanced choice
        return [Fixed(islice(_over_and_over(bots, seats), blocks))]
    passes, rest = divmod(blocks, comb(bots, seats))
    whole = islice(_over_and_over(bots, seats), passes * comb(bots, seats))
    return [Fixed(whole), _choice(bots, seats, rest, chance)]


def _over_and_over(bots: int, seats: int) -> Iterator[Table]:
    """All tables, again and again."""
    return chain.from_iterable(_all(bots, seats) for _ in repeat(None))


def _all(bots: int, seats: int) -> Iterator[Table]:
    if seats == 1:
        return ((bot,) for bot in range(bots))
    return circle.pairs(bots) if seats == 2 else complete.tables(bots, seats)


def _choice(bots: int, seats: int, blocks: int, chance: Random) -> Part:
    if bots <= FEW:
        return Annealed(bots, seats, blocks, chance)
    return Fixed(islice(cyclic.tables(bots, seats, chance), blocks))


class Mixture:
    """Tables of several sizes in turn, each size balanced in itself: every pair meets equally often at each.

    What is given depends on the arguments and on who withdrew when, and on nothing else.
    """

    def __init__(self, bots: int, sizes: Sequence[int], blocks: int, chance: Random) -> None:
        shares = [len(range(turn, blocks, len(sizes))) for turn in range(len(sizes))]
        self._parts = [balanced(bots, seats, share, chance) for seats, share in zip(sizes, shares, strict=True)]
        self._streams = [chain.from_iterable(parts) for parts in self._parts]
        self._turn = 0

    def __iter__(self) -> Iterator[Table]:
        return self

    def __next__(self) -> Table:
        for _ in self._streams:
            stream = self._streams[self._turn]
            self._turn = (self._turn + 1) % len(self._streams)
            table = next(stream, None)
            if table is not None:
                return table
        raise StopIteration

    def withdraw(self, bot: int) -> None:
        for parts in self._parts:
            for part in parts:
                part.withdraw(bot)
