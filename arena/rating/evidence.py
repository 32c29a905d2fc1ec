"""A tally as arrays: what the fit works with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from arena.rating.tally import LineUp, Moments, Tally

Numbers = NDArray[np.float64]
Indices = NDArray[np.intp]

EMPTY: Numbers = np.empty(0)


@dataclass(frozen=True, slots=True)
class Stack:
    """Line-ups with equally many different bots, one below the other. Scores in points: 1 above, 1/2 level, 0 below."""

    bots: Indices
    """By line-up and place: the number of the bot."""
    blocks: Numbers
    comparisons: Numbers
    """By line-up and pair: how often a block compares the two."""
    sums: Numbers
    """By line-up and pair: the points of the first against the second."""
    products: Numbers
    """By line-up, pair and pair."""

    @property
    def one(self) -> Indices:
        """By line-up and pair: the first bot."""
        return self.bots[:, self._places[:, 0]]

    @property
    def other(self) -> Indices:
        return self.bots[:, self._places[:, 1]]

    @property
    def incidence(self) -> Numbers:
        """By pair and place: 1 for the first of the pair, -1 for the second."""
        matrix = np.zeros((len(self._places), self.bots.shape[1]))
        for pair, (one, other) in enumerate(self._places):
            matrix[pair, one], matrix[pair, other] = 1, -1
        return matrix

    @property
    def _places(self) -> Indices:
        return np.array(list(combinations(range(self.bots.shape[1]), 2)), dtype=np.intp)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of bots that met, in whatever line-ups."""

    one: Indices
    other: Indices
    blocks: Numbers
    comparisons: Numbers
    points: Numbers
    """Those of the first."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All line-ups of a tally, stacked by the number of different bots in them."""

    bots: list[str]
    blocks: Numbers
    """By bot: in how many blocks it took part."""
    stacks: list[Stack]
    pairs: Pairs
    components: Indices
    """By bot: the smallest number of a bot that it is connected with by games."""

    @classmethod
    def of(cls, tally: Tally) -> Evidence:
        bots = tally.bots
        numbers = {bot: number for number, bot in enumerate(bots)}
        played = _blocks(tally)
        sizes: dict[int, list[tuple[LineUp, Moments]]] = {}
        for lineup, moments in tally.lineups.items():
            sizes.setdefault(len(lineup.distinct), []).append((lineup, moments))
        stacks = [_stack(alike, numbers) for _, alike in sorted(sizes.items())]
        pairs = _pairs(stacks, len(bots))
        blocks = np.array([played[bot] for bot in bots], dtype=float)
        return cls(bots, blocks, stacks, pairs, _components(pairs, len(bots)))


def total(groups: Indices, values: Numbers, count: int) -> Numbers:
    """By group: the sum of the values that belong to it."""
    return np.asarray(np.bincount(groups, values, count), dtype=float)


def _blocks(tally: Tally) -> Mapping[str, int]:
    count: Counter[str] = Counter()
    for lineup, moments in tally.lineups.items():
        count.update(dict.fromkeys(lineup.distinct, moments.blocks))
    return count


def _stack(alike: Sequence[tuple[LineUp, Moments]], numbers: Mapping[str, int]) -> Stack:
    first, second = np.triu_indices(len(alike[0][0].pairs))
    products = np.zeros((len(alike), first.max() + 1, first.max() + 1))
    products[:, first, second] = [moments.products for _, moments in alike]
    products[:, second, first] = products[:, first, second]
    return Stack(
        bots=np.array([[numbers[bot] for bot in lineup.distinct] for lineup, _ in alike], dtype=np.intp),
        blocks=np.array([moments.blocks for _, moments in alike], dtype=float),
        comparisons=np.array([lineup.comparisons for lineup, _ in alike], dtype=float),
        sums=np.array([moments.sums for _, moments in alike]) / 2,
        products=products / 4,
    )


def _pairs(stacks: Sequence[Stack], count: int) -> Pairs:
    codes = np.concatenate([EMPTY, *((stack.one * count + stack.other).ravel() for stack in stacks)])
    met, place = np.unique(codes.astype(np.intp), return_inverse=True)
    one, other = np.divmod(met, max(count, 1))
    return Pairs(one, other, *(total(place, values, len(met)) for values in _pair_values(stacks)))


def _pair_values(stacks: Sequence[Stack]) -> Iterator[Numbers]:
    """Blocks, comparisons and points, of all pairs of all line-ups."""
    blocks = [np.broadcast_to(stack.blocks[:, None], stack.sums.shape) for stack in stacks]
    comparisons = [stack.comparisons * times for stack, times in zip(stacks, blocks, strict=True)]
    for values in (blocks, comparisons, [stack.sums for stack in stacks]):
        yield np.concatenate([EMPTY, *(value.ravel() for value in values)])


def _components(pairs: Pairs, count: int) -> Indices:
    label = np.arange(count)
    while True:
        lower = np.minimum(label[pairs.one], label[pairs.other])
        spread = label.copy()
        np.minimum.at(spread, pairs.one, lower)
        np.minimum.at(spread, pairs.other, lower)
        spread = spread[spread]
        if np.array_equal(spread, label):
            return label
        label = spread
