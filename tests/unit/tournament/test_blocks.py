"""Duplicate-deal blocks."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.record import MatchSpec
from arena.tournament.blocks import blocks
from arena_sdk.events import TimeControl

TIME = TimeControl(100, 0)


def schedule(lineup: str, games: int, seed: int = 7) -> list[MatchSpec]:
    return list(
        blocks(
            game="shelfie",
            edition="it",
            options={"common_goals": "1"},
            lineup=tuple(lineup),
            seed=seed,
            time=TIME,
            games=games,
        )
    )


def test_one_game_is_what_was_asked_for() -> None:
    """A single game has the seed and the line-up as they were given."""
    assert schedule("ab", 1) == [MatchSpec(0, "shelfie", "it", ("a", "b"), 7, TIME, {"common_goals": "1"})]


def test_every_deal_is_played_with_every_rotation() -> None:
    """A block is one deal, seen once from each seat by each bot."""
    specs = schedule("abc", 6)
    assert ["".join(spec.lineup) for spec in specs] == ["abc", "bca", "cab"] * 2
    assert [spec.seed == 7 for spec in specs] == [True] * 3 + [False] * 3
    assert len({spec.seed for spec in specs}) == 2


def test_the_last_block_may_be_cut_short() -> None:
    """As many games are played as were asked for."""
    assert [spec.index for spec in schedule("ab", 5)] == [0, 1, 2, 3, 4]


@given(st.integers(2, 4), st.integers(1, 5), st.integers(0, 2**64 - 1))
def test_seats_are_shared_equally(players: int, deals: int, seed: int) -> None:
    """In whole blocks every bot has every seat equally often, and the deals all differ."""
    specs = schedule("abcd"[:players], players * deals, seed)
    seats = Counter((bot, seat) for spec in specs for seat, bot in enumerate(spec.lineup))
    assert set(seats.values()) == {deals}
    assert len({spec.seed for spec in specs}) == deals
    assert all(0 <= spec.seed < 2**64 for spec in specs)


def test_a_longer_schedule_begins_like_a_shorter_one() -> None:
    """Asking for more games does not change the first ones."""
    assert schedule("abcd", 17)[:9] == schedule("abcd", 9)
