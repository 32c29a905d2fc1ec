"""Playing guesses on, and what their ends are worth."""

from __future__ import annotations

from random import Random

import pytest

from arena_rules import game
from arena_sdk.search import Guide, rewards, rollout
from tests.unit.rules.coins import Coins
from tests.unit.sdk.search.toys import SAFE, Nim, Vault


def test_a_rollout_ends_with_the_game() -> None:
    """Without a depth, a rollout plays to the end."""
    state = game("shelfie").deal(players=4, seed=1)
    assert rollout(state, Random(1)).outcome() is not None


def test_a_rollout_stops_at_its_depth() -> None:
    """With a depth, so many moves are made, by the policy."""
    state = rollout(Nim(20), Random(1), policy=lambda state, rng: 2, depth=3)
    assert isinstance(state, Nim)
    assert state.made == [2, 2, 2]


@pytest.mark.parametrize(
    ("made", "expected"), [([1, 2], [0.0, 1.0]), ([3], [1.0, 0.0])], ids=["second wins", "first wins"]
)
def test_a_finished_game_is_worth_its_ranks(made: list[int], expected: list[float]) -> None:
    """The winner gets 1, the loser 0."""
    assert rewards(Nim(3, made)) == expected


def test_ties_are_in_the_middle() -> None:
    """Level seats get one half each."""
    assert rewards(Vault(0, [SAFE])) == [0.5, 0.5]


def test_a_lead_is_worth_more_than_none() -> None:
    """Of an unfinished game, rewards follow the points that the guide expects, and add up to half the seats."""
    state = Coins().deal(players=3, seed=1)

    class Ahead(Guide[object]):
        def points(self, state: object) -> list[float]:
            return [12.0, 10.0, 2.0]

    first, second, third = rewards(state, Ahead())
    assert first > second > third
    assert first + second + third == pytest.approx(1.5)


def test_who_left_gets_nothing() -> None:
    """A seat that has left is out of the reckoning, and the others are compared among themselves."""
    state = Coins().deal(players=3, seed=1).retire(2)
    first, second, third = rewards(state)
    assert third == 0.0
    assert first + second == pytest.approx(1.0)
