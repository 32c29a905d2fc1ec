"""The sequential test behind `arena compare`."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest

from arena.rating import Decision, SequentialTest, block_score, elo_difference
from tests.known import EVEN, LUMPY, Field, Luck

RUNS = 300
ALLOWED = 0.05 + 3 * math.sqrt(0.05 * 0.95 / RUNS)
"""More wrong decisions than this happen by chance once in a thousand times if the rate is 5%."""


def block_scores(players: int, luck: Luck, gap: float) -> list[float]:
    """Scores of a bot that is better than its rival by so much, the others at the table being like the rival."""
    field = Field({"n": 25 + gap, "o": 25, "x": 25, "y": 25}, luck, seed=players)
    return [block_score(field.block("noxy"[:players]), "n", "o") for _ in range(1500)]


def centred(scores: Sequence[float], mean: float) -> list[float]:
    """The same scores with a few of the extreme ones exchanged, so that their mean is what it should be."""
    pool = list(scores)
    step = 1 / players_of(pool)
    while abs(sum(pool) / len(pool) - mean) > step / len(pool):
        up = sum(pool) / len(pool) < mean
        place = next(at for at, score in enumerate(pool) if (score <= 0.5 if up else score >= 0.5))
        pool[place] += step if up else -step
        pool.append(pool.pop(place))
    return pool


def players_of(pool: Sequence[float]) -> int:
    return round(1 / min(abs(one - other) for one in set(pool) for other in set(pool) if one != other))


def verdicts(pool: Sequence[float], seed: int) -> list[tuple[Decision, SequentialTest]]:
    rng = random.Random(seed)
    found = []
    for _ in range(RUNS):
        test = SequentialTest(d1=0.1)
        while test.add(rng.choice(pool)) is Decision.UNDECIDED:
            pass
        found.append((test.decision, test))
    return found


@pytest.mark.parametrize("luck", [EVEN, LUMPY])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_error_rates_hold(players: int, luck: Luck) -> None:
    """An equal bot is called better, and one better by d1 not better, in no more cases than was asked for.

    The interval at the moment of stopping misses the truth at neither end more often than that.
    """
    for gap, mean, wrong in ((0.0, 0.5, Decision.BETTER), (1.5, 0.6, Decision.NOT_BETTER)):
        found = verdicts(centred(block_scores(players, luck, gap), mean), seed=players)
        assert sum(decision is wrong for decision, _ in found) / RUNS < ALLOWED
        effects = [test.effect() for _, test in found[:60]]
        assert sum(not effect.low <= mean <= effect.high for effect in effects) <= 12


def test_one_that_always_wins() -> None:
    """A clear case is over soon."""
    test = SequentialTest(d1=0.05)
    while test.add(1.0) is Decision.UNDECIDED:
        pass
    assert test.decision is Decision.BETTER
    assert test.blocks < 20
    assert "above 0.5" in test.reason


def test_one_that_always_loses() -> None:
    """The other way round as well, and the sentence says which mean it cannot have."""
    test = SequentialTest(d1=0.05)
    while test.add(0.0) is Decision.UNDECIDED:
        pass
    assert test.decision is Decision.NOT_BETTER
    assert test.blocks < 20
    assert "below 0.55" in test.reason


@pytest.mark.parametrize("seed", range(10))
def test_decision_and_interval_agree(seed: int) -> None:
    """It says better when the interval lies above 1/2 + d0, not better when it lies below 1/2 + d1, and not before."""
    rng = random.Random(seed)
    test = SequentialTest(d1=0.1)
    while True:
        decision = test.add(rng.choice([0, 0.25, 0.5, 0.75, 1] if seed % 2 else [0.25, 0.5, 0.5, 1]))
        effect = test.effect()
        assert (effect.low > 0.5 + 1e-9) == (decision is Decision.BETTER)
        assert (effect.high < 0.6 - 1e-9) == (decision is Decision.NOT_BETTER)
        assert effect.low <= effect.estimate <= effect.high
        if decision is not Decision.UNDECIDED:
            return


def test_a_decision_stands() -> None:
    """Blocks that were under way when it was decided change the estimate, not the decision."""
    test = SequentialTest()
    while test.add(1.0) is Decision.UNDECIDED:
        pass
    assert test.add(0.0) is Decision.BETTER
    assert test.effect().estimate < 1


def test_nothing_played() -> None:
    """Before the first block everything is possible, and the reason says how much evidence there is."""
    test = SequentialTest()
    assert (test.decision, test.blocks) == (Decision.UNDECIDED, 0)
    assert (test.effect().low, test.effect().high) == (0, 1)
    assert "1 of the 20 needed" in test.reason


def test_what_cannot_be_tested() -> None:
    """Error rates and differences that make no sense, and scores beyond 0 and 1, are refused."""
    with pytest.raises(ValueError, match="alpha 0"):
        SequentialTest(alpha=0)
    with pytest.raises(ValueError, match="d1"):
        SequentialTest(d0=0.1, d1=0.1)
    with pytest.raises(ValueError, match="between 0 and 1"):
        SequentialTest().add(1.5)


def test_elo() -> None:
    """Even is 0, three quarters are 191 points, and who scores all is infinitely better."""
    assert elo_difference(0.5) == 0
    assert elo_difference(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo_difference(0.25) == -elo_difference(0.75)
    assert (elo_difference(1), elo_difference(0)) == (math.inf, -math.inf)
