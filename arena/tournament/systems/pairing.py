"""Who meets whom in a round of a Swiss tournament: neighbours in the standings who have not met yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

REMATCH = 10**15
"""What another meeting costs: more than any distance in the standings."""
NEAR = 8
"""How many neighbours in the standings a bot is matched among at first; twice as many where that leaves a rematch."""
REACH = 6
"""How far apart two tables of three or four may be to exchange bots, unless that leaves a rematch."""

Cost = Callable[[str, str], int]
Table = list[str]


class Meetings:
    """Who has met whom how often, and what it would cost to let two bots meet."""

    def __init__(self) -> None:
        self._met: Counter[frozenset[str]] = Counter()

    def add(self, table: Sequence[str]) -> None:
        self._met.update(frozenset(pair) for pair in combinations(table, 2))

    def between(self, one: str, other: str) -> int:
        return self._met[frozenset((one, other))]


def paired(order: Sequence[str], cost: Cost) -> list[Table]:
    """All bots in pairs, so that the sum of the costs is the lowest: a matching of maximum weight.

    Only neighbours in the given order are weighed against each other, unless that leaves a rematch.
    """
    near = NEAR
    while True:
        tables = _matched(order, cost, near)
        whole = near >= len(order) - 1
        if whole or (tables and all(cost(one, other) < REMATCH for one, other in tables)):
            return tables
        near *= 2


def _matched(order: Sequence[str], cost: Cost, near: int) -> list[Table]:
    """The pairs, best standing first; none when the neighbours do not go up in pairs."""
    from networkx import Graph, max_weight_matching

    graph: Graph[int] = Graph()
    for place, bot in enumerate(order):
        for other in range(place + 1, min(place + 1 + near, len(order))):
            graph.add_edge(place, other, weight=-cost(bot, order[other]))
    pairs = sorted(tuple(sorted(pair)) for pair in max_weight_matching(graph, maxcardinality=True))
    return [[order[one], order[other]] for one, other in pairs] if 2 * len(pairs) == len(order) else []


def grouped(order: Sequence[str], seats: int, cost: Cost) -> list[Table]:
    """All bots at tables of three or four neighbours: filled from the top, then mended by exchanging bots.

    Where that leaves a rematch, tables far apart exchange bots too, and filling from the bottom is tried.
    """
    best: list[Table] = []
    for start in (order, order[::-1]):
        tables = _filled(start, seats, cost)
        for reach in (REACH, len(tables)):
            while sum(_exchange(one, other, cost) for one, other in _neighbours(tables, reach)):
                pass
            if _total(tables, cost) < REMATCH:
                return tables
        best = min(filter(None, (best, tables)), key=lambda tables: _total(tables, cost))
    return best


def _total(tables: Sequence[Table], cost: Cost) -> int:
    return sum(cost(one, other) for table in tables for one, other in combinations(table, 2))


def _filled(order: Sequence[str], seats: int, cost: Cost) -> list[Table]:
    waiting, tables = list(order), []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < seats:
            nearest = min(range(len(waiting)), key=lambda place: (_price(waiting[place], table, cost), place))
            table.append(waiting.pop(nearest))
        tables.append(table)
    return tables


def _neighbours(tables: Sequence[Table], reach: int) -> Iterator[tuple[Table, Table]]:
    for place, one in enumerate(tables):
        for other in tables[place + 1 : place + 1 + reach]:
            yield one, other


def _exchange(one: Table, other: Table, cost: Cost) -> bool:
    """Make the exchange between two tables that saves most. Whether there was one."""
    best, swap = 0, None
    for here, bot in enumerate(one):
        for there, guest in enumerate(other):
            mates, hosts = one[:here] + one[here + 1 :], other[:there] + other[there + 1 :]
            before = _price(bot, mates, cost) + _price(guest, hosts, cost)
            change = _price(guest, mates, cost) + _price(bot, hosts, cost) - before
            if change < best:
                best, swap = change, (here, there)
    if swap:
        here, there = swap
        one[here], other[there] = other[there], one[here]
    return swap is not None


def _price(bot: str, table: Sequence[str], cost: Cost) -> int:
    return sum([cost(bot, other) for other in table])
