"""What intervals and bands claim, tried on bots of known strength. The long version is `make bench ARGS=ratings`."""

from __future__ import annotations

import pytest

from tests.benchmarks.ratings import coverage
from tests.known import EVEN, LUMPY, Luck


@pytest.mark.parametrize("luck", [EVEN, LUMPY])
@pytest.mark.parametrize("players", [2, 4])
def test_intervals_and_bands_hold(players: int, luck: Luck) -> None:
    """About 95 of 100 intervals hold the true skill, and hardly a table has a wrong band, however blocks scatter."""
    intervals, tables = coverage(5, players, 100 // players, spread=2, luck=luck, runs=120)
    assert 0.92 < intervals < 0.98
    assert tables > 0.93


def test_intervals_hold_where_one_always_wins() -> None:
    """Of bots so far apart that many win every game, intervals are wide enough to hold the truth."""
    intervals, _ = coverage(2, 2, 30, spread=8, luck=EVEN, runs=150)
    assert intervals > 0.9
