"""All line-ups of three or four, in an order that any two pairs meet at the same pace, without remembering any.

The line-ups are taken in classes by the sum of their numbers modulo the number of bots. For three seats a pair and the
sum fix the third bot, so each class lets every pair meet once (but for the few whose third would be one of them);
for four seats it lets every pair meet equally often up to one or two.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import gcd

Table = tuple[int, ...]

GOLDEN = 0.6180339887498949


def scattered(size: int) -> Iterator[int]:
    """All numbers below ``size``, each far from the ones before."""
    step = stride(size)
    return (place * step % size for place in range(size))


def stride(size: int) -> int:
    """A step that visits every number below ``size`` on a ring and spreads the visits of any stretch of it evenly."""
    step = max(1, round(size * GOLDEN))
    while gcd(step, size) > 1:
        step += 1
    return step


def tables(bots: int, seats: int) -> Iterator[Table]:
    """Every set of so many of the numbers below ``bots`` exactly once."""
    for total in scattered(bots):
        for place in scattered(bots ** (seats - 1)):
            table = _table(place, bots, seats, total)
            if all(low < high for low, high in pairwise(table)):
                yield table


def _table(place: int, bots: int, seats: int, total: int) -> Table:
    """The digits of the place, and the number that completes their sum."""
    table = []
    for _ in range(seats - 1):
        place, digit = divmod(place, bots)
        table.append(digit)
    return (*table, (total - sum(table)) % bots)
