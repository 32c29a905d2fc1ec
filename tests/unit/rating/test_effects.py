"""Head to head, seats and table sizes."""

from __future__ import annotations

import pytest

from arena.rating import ENOUGH_BLOCKS, HeadToHead, Parameters, Tally, players_effects, seat_effects
from arena.record import Result
from tests.known import EVEN, LUMPY, PLAIN, Field, Luck
from tests.unit.rating.results import blocks_of


def test_head_to_head() -> None:
    """The mean score of one against the other, from either side; without enough blocks there is no interval."""
    met = HeadToHead(Tally.of(blocks_of("abc", [(1, 2, 3), (1, 1, 3), (1, 3, 2)])))
    one, other = met.encounter("a", "b"), met.encounter("b", "a")
    assert one is not None
    assert other is not None
    assert (one.blocks, one.comparisons, one.interval) == (1, 3, None)
    assert one.score == pytest.approx(1 / 3)
    assert other.score == pytest.approx(2 / 3)
    assert met.encounter("a", "nobody") is None


def test_head_to_head_after_nothing_but_wins() -> None:
    """A clean sweep is a score of 1 that is not certain to go on."""
    met = HeadToHead(Tally.of(blocks_of("ab", [(1, 2), (2, 1)] * ENOUGH_BLOCKS))).encounter("a", "b")
    assert met is not None
    assert met.interval is not None
    assert met.score == met.interval.high == 1
    assert 0.7 < met.interval.low < 0.95


@pytest.mark.parametrize("luck", [EVEN, PLAIN, LUMPY])
def test_head_to_head_intervals_hold(luck: Luck) -> None:
    """About 95 of 100 intervals hold the true score, however the games of a block hang together."""
    held = 0
    for seed in range(300):
        met = HeadToHead(Tally.of(Field({"a": 25, "b": 25}, luck, seed=seed).round_robin(2, 25))).encounter("a", "b")
        assert met is not None
        assert met.interval is not None
        held += met.interval.low <= 0.5 <= met.interval.high
    assert 0.92 * 300 < held < 0.99 * 300


def test_a_seat_that_matters() -> None:
    """The bonus of the first seat shows in its score, whoever is strong; without one the intervals hold 1/2."""
    bots = {"a": 30.0, "b": 25.0, "c": 20.0}
    biased = seat_effects(Tally.of(Field(bots, seed=1, seat_bonus=(3.0,)).round_robin(3, 200)))
    assert [(effect.players, effect.seat, effect.blocks) for effect in biased] == [(3, seat, 200) for seat in range(3)]
    assert biased[0].interval is not None
    assert biased[0].interval.low > 0.55
    assert sum(effect.score for effect in biased) == pytest.approx(1.5)
    for effect in seat_effects(Tally.of(Field(bots, seed=2).round_robin(3, 200))):
        assert effect.interval is not None
        assert effect.interval.low < 0.5 < effect.interval.high


def test_a_bot_for_small_tables() -> None:
    """A bot that is better at two than at four shows it at both; games of one size alone tell nothing."""
    others = {"b": 25.0, "c": 25.0, "d": 25.0}
    two = Field({"a": 29, **others}, seed=3).round_robin(2, 300)
    four = Field({"a": 25, **others}, seed=4).round_robin(4, 150)
    apart = [Result(f"cup of {len(game.bots)}", game.index, game.block, *_rest(game)) for game in [*two, *four]]
    found = {(effect.players, effect.bot): effect.interval for effect in players_effects(Tally.of(apart), Parameters())}
    assert found[2, "a"].low > 0
    assert found[4, "a"].high < 0
    assert found[4, "a"].estimate == pytest.approx(-found[2, "a"].estimate)
    assert found[2, "b"].low < 0
    assert players_effects(Tally.of(two), Parameters()) == []


def _rest(game: Result) -> tuple[str, tuple[str, ...], tuple[int, ...], tuple[int, ...], tuple[bool, ...]]:
    return game.game, game.bots, game.ranks, game.scores, game.forfeits
