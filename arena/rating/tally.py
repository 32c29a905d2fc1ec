"""All that a fit needs to know of a history, however long: whole numbers that add up, a few per line-up.

A fit that counts blocks needs, for every line-up, how often each pair of its bots came out above each other, and how
much that varied from block to block: the sums of the pairs' block scores, and the sums of their products. Those are
whole numbers (`half_points`), so they come out the same in whatever order the blocks are added, and a million games are
some thousand rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import Self, TypeVar

from arena.rating.blocks import Block, counts, half_points, in_blocks
from arena.record import Result


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over blocks that are alike: their number, the sums of some block scores, and of the products of any two."""

    blocks: int
    sums: tuple[int, ...]
    products: tuple[int, ...]
    """Of scores 0 and 0, 0 and 1, ..., 1 and 1, ...: each pair of scores once."""

    @classmethod
    def of(cls, scores: Sequence[int]) -> Moments:
        """Those of a single block."""
        return cls(1, tuple(scores), tuple(one * other for one, other in combinations_with_replacement(scores, 2)))

    def square(self, place: int) -> int:
        """The sum of the squares of one of the scores."""
        return self.products[place * len(self.sums) - place * (place - 1) // 2]

    def plus(self, other: Moments, times: int = 1) -> Moments:
        return Moments(
            self.blocks + times * other.blocks,
            tuple([mine + times * theirs for mine, theirs in zip(self.sums, other.sums, strict=True)]),
            tuple([mine + times * theirs for mine, theirs in zip(self.products, other.products, strict=True)]),
        )


@dataclass(frozen=True, order=True, slots=True)
class LineUp:
    """Blocks that are alike: the same bots (sorted, copies included) in the same number of games."""

    games: int
    bots: tuple[str, ...]

    @property
    def distinct(self) -> list[str]:
        return sorted(set(self.bots))

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """What the scores of its moments belong to: the half points of the first bot against the second."""
        return list(combinations(self.distinct, 2))

    @property
    def comparisons(self) -> list[int]:
        """How often each pair is compared in one block."""
        copies = Counter(self.bots)
        return [self.games * copies[one] * copies[other] for one, other in self.pairs]


@dataclass(frozen=True, order=True, slots=True)
class Seating:
    """Blocks in which every bot held every seat equally often. Their scores are those of the seats, in seat order."""

    games: int
    players: int


K = TypeVar("K", LineUp, Seating)

Row = tuple[str, str]
"""A key and the numbers that belong to it, both as text. Rows of one key add up number by number."""


class Tally:
    """A fold over blocks of one game, in any order."""

    def __init__(self) -> None:
        self._lineups: dict[LineUp, Moments] = {}
        self._seatings: dict[Seating, Moments] = {}

    @classmethod
    def of(cls, results: Iterable[Result]) -> Self:
        """The tally of results in any order, gathered to blocks."""
        tally = cls()
        for block in in_blocks(results):
            tally.add(block)
        return tally

    def add(self, block: Block, times: int = 1) -> None:
        """Count a block; with ``times=-1`` take it back, so that it can be counted anew with one game more.

        Games in which one version holds all seats are left out, and a block without any other is none.
        """
        block = [result for result in block if counts(result)]
        if not block:
            return
        lineup = _lineup_of(block)
        _put(self._lineups, lineup, Moments.of(_pair_scores(block, lineup)), times)
        if _is_balanced(block):
            _put(self._seatings, Seating(len(block), len(block[0].bots)), Moments.of(_seat_scores(block)), times)

    def merge(self, other: Tally) -> None:
        """Add all that another tally has counted."""
        for lineup, moments in other._lineups.items():
            _put(self._lineups, lineup, moments)
        for seating, moments in other._seatings.items():
            _put(self._seatings, seating, moments)

    @property
    def lineups(self) -> Mapping[LineUp, Moments]:
        """Sorted, so that whatever is worked out from them does not depend on the order of adding."""
        return dict(sorted(self._lineups.items()))

    @property
    def seatings(self) -> Mapping[Seating, Moments]:
        return dict(sorted(self._seatings.items()))

    @property
    def bots(self) -> list[str]:
        return sorted({bot for lineup in self._lineups for bot in lineup.bots})

    @property
    def blocks(self) -> int:
        return sum(moments.blocks for moments in self._lineups.values())

    @property
    def games(self) -> int:
        return sum(lineup.games * moments.blocks for lineup, moments in self._lineups.items())

    def with_players(self, *players: int) -> Tally:
        """The part of it that was played at tables of these sizes."""
        part = Tally()
        part._lineups = {lineup: moments for lineup, moments in self._lineups.items() if len(lineup.bots) in players}
        part._seatings = {seating: moments for seating, moments in self._seatings.items() if seating.players in players}
        return part

    def rows(self) -> Iterator[Row]:
        """All of it as text, sorted."""
        for lineup, moments in self.lineups.items():
            yield " ".join(["lineup", str(lineup.games), *lineup.bots]), _written(moments)
        for seating, moments in self.seatings.items():
            yield f"seats {seating.games} {seating.players}", _written(moments)

    @classmethod
    def from_rows(cls, rows: Iterable[Row]) -> Self:
        """A tally from its rows; several rows of one key add up."""
        tally = cls()
        for key, numbers in rows:
            kind, games, *rest = key.split(" ")
            if kind == "lineup":
                lineup = LineUp(int(games), tuple(rest))
                _put(tally._lineups, lineup, _read(numbers, len(lineup.pairs)))
            else:
                seating = Seating(int(games), int(rest[0]))
                _put(tally._seatings, seating, _read(numbers, seating.players))
        return tally


def _put(table: dict[K, Moments], key: K, more: Moments, times: int = 1) -> None:
    none = Moments(0, (0,) * len(more.sums), (0,) * len(more.products))
    table[key] = table.get(key, none).plus(more, times)
    if not table[key].blocks:
        del table[key]


def _written(moments: Moments) -> str:
    return " ".join(map(str, (moments.blocks, *moments.sums, *moments.products)))


def _read(numbers: str, scores: int) -> Moments:
    blocks, *rest = map(int, numbers.split(" "))
    return Moments(blocks, tuple(rest[:scores]), tuple(rest[scores:]))


def _lineup_of(block: Block) -> LineUp:
    lineups = {(result.game, result.tournament, result.block, tuple(sorted(result.bots))) for result in block}
    if len(lineups) > 1:
        raise ValueError(f"these games are not one block: {sorted(lineups)}")
    ((*_, bots),) = lineups
    return LineUp(len(block), bots)


def _pair_scores(block: Block, lineup: LineUp) -> list[int]:
    """The half points of the first bot of each pair against the second, over all games and copies."""
    scores = dict.fromkeys(lineup.pairs, 0)
    for result in block:
        places = list(zip(result.bots, result.ranks, strict=True))
        for (one, mine), (other, theirs) in product(places, repeat=2):
            if one < other:
                scores[one, other] += half_points(mine, theirs)
    return list(scores.values())


def _seat_scores(block: Block) -> list[int]:
    """The half points of each seat against all others, over all games."""
    scores = [0] * len(block[0].bots)
    for result in block:
        for one, other in combinations(range(len(scores)), 2):
            points = half_points(result.ranks[one], result.ranks[other])
            scores[one] += points
            scores[other] += 2 - points
    return scores


def _is_balanced(block: Block) -> bool:
    """Whether every bot held every seat equally often."""
    holders = [Counter(seat) for seat in zip(*(result.bots for result in block), strict=True)]
    return all(holder == holders[0] for holder in holders)
