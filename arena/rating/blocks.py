"""Games by blocks. A block is one deal over all rotations of a line-up; its games go together, so blocks count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from statistics import fmean

from arena.record import Result

Block = Sequence[Result]
"""The games of one block: the same bots, in other seats."""


def counts(result: Result) -> bool:
    """Whether a game says anything about who is better: not when one version holds all seats."""
    return len(set(result.bots)) > 1


def in_blocks(results: Iterable[Result]) -> Iterator[Block]:
    """The results that count, gathered by tournament and block, whatever order they come in."""
    gathered: dict[tuple[str, int], list[Result]] = {}
    for result in filter(counts, results):
        gathered.setdefault((result.tournament, result.block), []).append(result)
    yield from gathered.values()


def half_points(mine: int, other: int) -> int:
    """What a rank scores against another: 2 above it, 1 level with it, 0 below. In whole numbers sums are exact."""
    return 2 if mine < other else int(mine == other)


def block_score(block: Iterable[Result], new: str, old: str) -> float:
    """The score of one bot against another in a block: 1 above, 1/2 level, 0 below; the mean over its games.

    Where several copies of a bot sit in one game, all pairs of a new and an old seat count alike.
    """
    return fmean(_score(result, new, old) for result in block)


def _score(result: Result, new: str, old: str) -> float:
    ranks = [[rank for bot, rank in zip(result.bots, result.ranks, strict=True) if bot == name] for name in (new, old)]
    if not all(ranks):
        raise ValueError(f"game {result.tournament}/{result.index} is not one of {new} against {old}")
    return fmean(half_points(mine, other) for mine, other in product(*ranks)) / 2
