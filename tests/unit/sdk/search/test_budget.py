"""Time to think: kept to, with something to spare."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from arena_rules import game
from arena_sdk import GameStarted, Table, TimeControl, Turn
from arena_sdk.search import Budget, ismcts
from tests.unit.sdk.search.toys import Nim


class FakeClock:
    """Goes on by a fixed step each time that somebody looks."""

    def __init__(self, step: float) -> None:
        self.now = 100.0
        self.step = step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def turn(move_ms: int, bank_ms: int, left_ms: int) -> Turn:
    shelfie = game("shelfie")
    start = GameStarted(shelfie, shelfie.rules(), 2, 0, 7, TimeControl(move_ms, bank_ms))
    return Turn(Table(1, start), 0, left_ms, shelfie.deal(2, 7).view(0))


def seconds_used(given: Turn, **how: Any) -> float:
    """How long a search with the budget of a turn goes on, by a clock of milliseconds."""
    clock = FakeClock(0.001)
    began = clock.now
    budget = Budget.of_turn(given, clock=clock, **how)
    while budget.spend():
        pass
    return clock.now - began


def test_rounds_are_counted() -> None:
    """A budget of rounds grants just so many."""
    found = ismcts(Nim(20).view(0), Budget(rounds=17), Random(1))
    assert found.rounds == 17


def test_time_is_kept() -> None:
    """A budget of seconds ends with the first look at the clock that is past them."""
    clock = FakeClock(0.01)
    found = ismcts(Nim(20).view(0), Budget(seconds=0.2, clock=clock), Random(1))
    assert 15 <= found.rounds <= 21
    assert clock.now <= 100.0 + 0.01 + 0.2 + 0.011


def test_one_round_is_always_granted() -> None:
    """Even with no time at all there is a move to answer with."""
    assert ismcts(Nim(5).view(0), Budget(seconds=0.0), Random(1)).rounds == 1


def test_a_budget_without_end_is_refused() -> None:
    """A budget must be limited by something."""
    with pytest.raises(ValueError, match="rounds or seconds"):
        Budget()


@pytest.mark.parametrize(
    ("given", "least", "most"),
    [
        (turn(200, 0, 200), 0.1, 0.18),
        (turn(200, 10_000, 10_200), 0.1, 0.18),
        (turn(1000, 10_000, 1000), 0.6, 0.98),
        (turn(0, 60_000, 30_000), 0.5, 3.0),
        (turn(0, 60_000, 10), 0.0, 0.01),
    ],
    ids=["move time", "bank untouched", "bank used up", "bank alone", "bank almost gone"],
)
def test_a_turn_is_answered_in_time(given: Turn, least: float, most: float) -> None:
    """A search uses much of the time of a move, never all of it, and leaves the bank alone when it can."""
    assert least <= seconds_used(given) <= most


def test_the_bank_is_used_when_told() -> None:
    """With leave to do so, a part of the bank is spent on top."""
    given = turn(200, 10_000, 10_200)
    assert seconds_used(given) + 0.2 < seconds_used(given, bank=True) < 2.0


def test_without_a_limit_the_rounds_are_fixed() -> None:
    """No clock, no chance: the same number of rounds every time, so that a game can be played again."""
    budget = Budget.of_turn(turn(0, 0, 0), rounds=25, clock=FakeClock(1000.0))
    assert ismcts(Nim(20).view(0), budget, Random(1)).rounds == 25
