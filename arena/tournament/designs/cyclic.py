"""Balanced tables of three or four for many bots, in memory for a row of the bots only.

The bots stand on a ring. A table is moved all round it, so that everybody takes each of its places once, and two bots
meet whenever their distance is one of its distances. So it is enough to balance how often each distance is used, which
are half as many numbers as bots, instead of all pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from random import Random

from arena.tournament.designs.complete import scattered

Table = tuple[int, ...]

TRIES = 8
"""How many tables are sketched for each that is moved round. More no longer improve the balance."""


def tables(bots: int, seats: int, chance: Random) -> Iterator[Table]:
    """Tables without end. Wants enough bots for tables whose distances all differ: 20 always are."""
    used = [0] * (bots // 2 + 1)
    while True:
        burden = [_burden(used, place, bots) for place in range(bots)]
        sketches = [_sketch(burden, seats, chance) for _ in range(TRIES)]
        base = min(sketches, key=lambda sketch: sum(burden[away] for away in _distances(sketch, bots)))
        for away in _distances(base, bots):
            used[away] += _weight(away, bots)
        for shift in scattered(bots):
            yield tuple([(place + shift) % bots for place in base])


def _sketch(burden: Sequence[float], seats: int, chance: Random) -> Table:
    """A table grown place by place from the distances least used, no two of them equal."""
    bots = len(burden)
    base, costs = [0], list(burden)
    while len(base) < seats:
        place = _cheapest(costs, chance)
        distances = _distances((*base, place), bots)
        if len(set(distances)) < len(distances):
            costs[place] = inf
            continue
        base.append(place)
        turned = (*burden[-place:], *burden[:-place])
        costs = [cost + more for cost, more in zip(costs, turned, strict=True)]
    return tuple(base)


def _cheapest(costs: Sequence[float], chance: Random) -> int:
    low = min(costs)
    places = [place for place, cost in enumerate(costs) if cost == low]
    return places[int(chance.random() * len(places))]


def _burden(used: Sequence[int], place: int, bots: int) -> float:
    """How little a place of that distance is wanted: the square of its use, and nobody sits down twice.

    A turn of half of the ring gives two meetings, so it is wanted when the other distances are between the two.
    """
    away = _distance(place, 0, bots)
    return (used[away] + (1 + _weight(away, bots)) / 2) ** 2 if place else inf


def _weight(away: int, bots: int) -> int:
    return 2 if 2 * away == bots else 1


def _distance(one: int, other: int, bots: int) -> int:
    away = abs(one - other)
    return min(away, bots - away)


def _distances(base: Table, bots: int) -> list[int]:
    return [_distance(one, other, bots) for place, one in enumerate(base) for other in base[:place]]
