"""Tallies: sums that a fit needs."""

from __future__ import annotations

import json
import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating import Tally, block_score
from arena.rating.tally import LineUp, Moments, Seating
from arena.record import Result
from tests.unit.rating.results import blocks_of, result

RANKS: dict[int, list[tuple[int, ...]]] = {
    2: [(1, 2), (2, 1), (1, 1)],
    3: [(1, 2, 3), (2, 1, 3), (1, 1, 3), (3, 2, 1), (2, 2, 1)],
}


BLOCKS = st.sampled_from(
    [
        (bots, games)
        for players, ranks in RANKS.items()
        for bots in product("abcd", repeat=players)
        for games in product(ranks, repeat=players)
    ]
)


@st.composite
def seasons(draw: st.DrawFn) -> list[Result]:
    """Some blocks of two or three bots, the last perhaps cut short."""
    played: list[Result] = []
    for first, (bots, games) in enumerate(draw(st.lists(BLOCKS, min_size=1, max_size=6))):
        played += blocks_of(bots, games, first=first)
    return played[: len(played) - draw(st.integers(0, 1))]


@settings(deadline=None)
@given(seasons(), st.integers(0, 999))
def test_order_does_not_matter(results: list[Result], seed: int) -> None:
    """Shuffled results give the same tally, line by line."""
    shuffled = random.Random(seed).sample(results, len(results))
    assert list(Tally.of(shuffled).rows()) == list(Tally.of(results).rows())


@settings(deadline=None)
@given(seasons(), st.integers(0, 6))
def test_parts_add_up(results: list[Result], cut: int) -> None:
    """Tallies of two parts, merged or read from their rows one after the other, are that of the whole."""
    first = [game for game in results if game.block < cut]
    rest = [game for game in results if game.block >= cut]
    whole = list(Tally.of(results).rows())
    merged = Tally.of(first)
    merged.merge(Tally.of(rest))
    assert list(merged.rows()) == whole
    rows = json.loads(json.dumps([*Tally.of(first).rows(), *Tally.of(rest).rows()]))
    assert list(Tally.from_rows(rows).rows()) == whole


@settings(deadline=None)
@given(seasons())
def test_a_block_can_be_taken_back(results: list[Result]) -> None:
    """A block that was counted and taken back has never been."""
    tally = Tally.of(results)
    block = blocks_of("ab", [(1, 2), (1, 2)], first=99)
    tally.add(block)
    tally.add(block, times=-1)
    assert list(tally.rows()) == list(Tally.of(results).rows())


def test_what_is_summed() -> None:
    """Per line-up the half points of every pair in a block, and their products; per table size those of the seats."""
    tally = Tally.of(blocks_of("ab", [(1, 2), (2, 1), (1, 2), (1, 1)]))
    assert tally.lineups == {LineUp(2, ("a", "b")): Moments(2, (4 + 3,), (16 + 9,))}
    assert tally.seatings == {Seating(2, 2): Moments(2, (2 + 3, 2 + 1), (4 + 9, 4 + 3, 4 + 1))}
    assert (tally.bots, tally.blocks, tally.games) == (["a", "b"], 2, 4)


def test_copies_are_compared_with_their_rivals_only() -> None:
    """Two copies of a bot against one rival are two comparisons a game; between themselves they are none."""
    tally = Tally.of(blocks_of("aab", [(1, 3, 2)] * 3))
    ((lineup, moments),) = tally.lineups.items()
    assert lineup.pairs == [("a", "b")]
    assert lineup.comparisons == [6]
    assert moments.sums == (2 + 2 + 2,)


def test_a_part_of_a_block_says_nothing_about_seats() -> None:
    """While its last rotation is missing, a block counts for its bots but not for the seats."""
    tally = Tally.of([result("ab", (1, 2))])
    assert tally.blocks == 1
    assert tally.seatings == {}


def test_by_table_size() -> None:
    """The part with so many players is what those games alone would give."""
    two, three = blocks_of("ab", [(1, 2), (1, 2)]), blocks_of("abc", [(1, 2, 3)] * 3, first=1)
    assert list(Tally.of([*two, *three]).with_players(3).rows()) == list(Tally.of(three).rows())


def test_self_play_is_left_out() -> None:
    """A block in which one version holds all seats is none."""
    assert list(Tally.of(blocks_of("aa", [(1, 2), (1, 2)])).rows()) == []


def test_a_block_is_one_deal_of_one_line_up() -> None:
    """Games of other bots, or of another block, are not counted as one by accident."""
    with pytest.raises(ValueError, match="not one block"):
        Tally().add([result("ab", (1, 2)), result("ac", (1, 2))])


def test_block_score() -> None:
    """Above is 1, level is 1/2, below is 0; games of a block and copies of a bot are averaged."""
    assert block_score(blocks_of("ab", [(1, 2), (1, 1)]), "a", "b") == 0.75
    assert block_score(blocks_of("anbo", [(1, 2, 3, 4), (1, 1, 1, 1)]), "n", "o") == 0.75
    assert block_score([result("nno", (1, 3, 2))], "n", "o") == 0.5


def test_block_score_wants_both_bots() -> None:
    """A game without one of the two cannot be scored."""
    with pytest.raises(ValueError, match="cup/7"):
        block_score([result("ab", (1, 2), index=7)], "a", "c")
