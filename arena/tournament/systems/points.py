"""What a block is worth to each of its bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations

from arena.record import Result
from arena.tournament.system import Played

HALF = Fraction(1, 2)


def points(played: Played) -> Mapping[str, Fraction]:
    """From 0 to 1 for each bot: the part of all its encounters in the block that it won, a tie being half a win."""
    total = dict.fromkeys(played.sitting.lineup, Fraction(0))
    for result in played.results:
        for bot, share in _shares(result):
            total[bot] += share
    return {bot: score / len(played.results) for bot, score in total.items()}


def duels(played: Played) -> Iterator[tuple[str, str, Fraction]]:
    """For each pair of the block, once: the part of its games in which the first ranked above the second."""
    for one, other in combinations(played.sitting.lineup, 2):
        won = sum(_wins_over(result, one, other) for result in played.results)
        yield one, other, Fraction(won, 2 * len(played.results))


def _wins_over(result: Result, one: str, other: str) -> int:
    """Two for a win, one for a tie."""
    mine, theirs = result.ranks[result.bots.index(one)], result.ranks[result.bots.index(other)]
    return (mine < theirs) + (mine <= theirs)


def _shares(result: Result) -> list[tuple[str, Fraction]]:
    """The part of the others at the table that each bot left behind."""
    ranks, others = result.ranks, len(result.ranks) - 1
    return [(bot, Fraction(_wins(rank, ranks), 2 * others)) for bot, rank in zip(result.bots, ranks, strict=True)]


def _wins(rank: int, ranks: tuple[int, ...]) -> int:
    """Two for each who ranks below, one for each who shares the rank, not counting the bot itself."""
    return sum([(rank < other) + (rank <= other) for other in ranks]) - 1
