"""Searching: finds what is there to be found, sees only what its seat sees, and can be repeated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from arena_rules import State, View, game
from arena_sdk.search import Budget, Found, Guide, determinised, ismcts
from tests.unit.rules.coins import Coins
from tests.unit.sdk.search.toys import GAMBLE, SAFE, Nim, Vault

Search = Callable[[View[Any], Budget, Random], Found[Any]]
BOTH = pytest.mark.parametrize("search", [ismcts, determinised])


@BOTH
@pytest.mark.parametrize("heap", [1, 2, 3, 5, 6, 7])
def test_a_forced_win_is_found(search: Search, heap: int) -> None:
    """Where one move wins against every answer, it is chosen, and its value says so."""
    found = search(Nim(heap).view(0), Budget(rounds=2000), Random(heap))
    assert found.move == heap % 4
    assert found.tried[0].value > 0.75


def test_the_other_seats_are_not_fools() -> None:
    """In a position that is lost against best play the search does not count on mistakes for long."""
    found = ismcts(Nim(4).view(0), Budget(rounds=2000), Random(4))
    assert all(one.value < 0.15 for one in found.tried)


def test_what_is_hidden_is_not_assumed_to_be_known() -> None:
    """A guess that is right in one of three cases is worse than to go home level, and is known to be."""
    found = ismcts(Vault(1).view(0), Budget(rounds=2000), Random(3))
    assert found.move == SAFE
    values = {one.move: one.value for one in found.tried}
    assert values[SAFE] == 0.5
    assert values[GAMBLE] < 0.45


def test_a_search_of_single_guesses_believes_them() -> None:
    """The determinised search takes every guess for the truth: the price of its depth, as its docstring says."""
    assert determinised(Vault(1).view(0), Budget(rounds=2000), Random(3)).move == GAMBLE


@BOTH
def test_only_the_view_matters(search: Search) -> None:
    """Two deals that look alike from a seat are searched alike, whatever is hidden in them."""
    state = Coins().deal(players=3, seed=1)
    other = state.copy()
    own, *rest = state.cards
    other.cards = (own, *(card for card in range(1, 10) if card not in state.cards))[: len(rest) + 1]
    assert other != state
    first, second = (search(deal.view(0), Budget(rounds=200), Random(5)) for deal in (state, other))
    assert first == second


@BOTH
def test_the_same_chance_gives_the_same_search(search: Search) -> None:
    """With a number of rounds and a seed, a search can be repeated exactly; with another seed it is another one."""
    view = game("shelfie").deal(players=2, seed=3).view(0)
    first, again, other = (search(view, Budget(rounds=30), Random(seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@BOTH
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", ["codex", "shelfie"])
def test_every_game_can_be_searched(search: Search, name: str, players: int) -> None:
    """Without any knowledge of a game the search gives a legal move, having made the rounds it was given."""
    state = game(name).deal(players, seed=players)
    found = search(state.view(0), Budget(rounds=20), Random(1))
    state.check(found.move)
    assert found.rounds == 20
    assert sum(one.visits for one in found.tried) == 20


class Narrow(Guide[int]):
    """Thinks of two moves, at first of the first one only, and asks for no playout."""

    rounds = 1

    def __init__(self) -> None:
        self.seen: list[int] = []

    def moves(self, state: State[int]) -> Sequence[tuple[float, int]]:
        return [(0.5, move) for move in state.legal_moves()[:2]]

    def width(self, visits: int) -> int:
        return 1 if visits < 10 else 2

    def points(self, state: State[int]) -> Sequence[float]:
        self.seen.append(state.turn)
        return (0.0, 0.0)


def test_a_guide_narrows_the_search() -> None:
    """Moves that the guide does not name are not tried, and those beyond the width only after some visits."""
    guide = Narrow()
    assert [one.move for one in ismcts(Nim(21).view(0), Budget(rounds=10), Random(1), guide).tried] == [1]
    assert {one.move for one in ismcts(Nim(21).view(0), Budget(rounds=50), Random(1), guide).tried} == {1, 2}


def test_positions_are_judged_after_whole_rounds() -> None:
    """A playout that is cut short ends when both seats have had the same number of turns."""
    guide = Narrow()
    ismcts(Nim(40).view(0), Budget(rounds=60), Random(1), guide)
    assert {turn % 2 for turn in guide.seen} == {0}
    assert max(guide.seen) > 2
