"""The order-free fit: skills, intervals and rank bands."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from statistics import NormalDist, stdev

import numpy as np
import pytest

from arena.rating import ENOUGH_BLOCKS, Interval, Parameters, Tally, fit
from arena.rating.bands import bands, surely_above
from arena.rating.fitting import Fit
from arena.rating.interval import student
from arena.record import Result
from tests.known import EVEN, LUMPY, PLAIN, Field
from tests.unit.rating.results import blocks_of

PARAMETERS = Parameters()


def fitted(results: Sequence[Result]) -> Fit:
    return fit(Tally.of(results), PARAMETERS)


def skills(results: Sequence[Result]) -> dict[str, float]:
    return {rated.bot: rated.skill for rated in fitted(results).table}


def renumbered(blocks: Sequence[Sequence[Result]]) -> list[Result]:
    """Blocks that may be the same, as blocks of their own."""
    return [
        Result("cup", game.index, number, game.game, game.bots, game.ranks, game.scores, game.forfeits)
        for number, block in enumerate(blocks)
        for game in block
    ]


def test_shuffling_changes_no_bit() -> None:
    """The same games in another order, or from the rows of a store, give exactly the same table."""
    results = [
        *Field({"a": 28, "b": 25, "c": 23}, seed=1).round_robin(2, 40),
        *Field({"a": 28, "b": 25, "c": 23, "d": 25, "e": 20}, seed=2).round_robin(4, 30),
    ]
    results = [Result(str(len(game.bots)), *_rest(game)) for game in results]
    table = fitted(results).table
    assert fitted(random.Random(1).sample(results, len(results))).table == table
    rows = list(Tally.of(results).rows())
    assert fit(Tally.from_rows(random.Random(2).sample(rows, len(rows))), PARAMETERS).table == table


def _rest(game: Result) -> tuple[int, int, str, tuple[str, ...], tuple[int, ...], tuple[int, ...], tuple[bool, ...]]:
    return game.index, game.block, game.game, game.bots, game.ranks, game.scores, game.forfeits


def log_posterior(results: Sequence[Result], at: Mapping[str, float]) -> float:
    """Straight from the model, game by game; for games of two that nobody ties."""
    total = sum(-((skill - PARAMETERS.mu) ** 2) / (2 * PARAMETERS.sigma**2) for skill in at.values())
    unit = PARAMETERS.beta * math.sqrt(2)
    margin = NormalDist().inv_cdf((1 + PARAMETERS.draw_probability) / 2)
    for game in results:
        (_, winner), (_, loser) = sorted(zip(game.ranks, game.bots, strict=True))
        x = (at[winner] - at[loser]) / unit
        total += math.log((NormalDist().cdf(x - margin) + NormalDist().cdf(x + margin)) / 2)
    return total


def test_the_fit_is_the_most_likely() -> None:
    """Whichever way the skills are moved, the games become less likely."""
    results = Field({"a": 30, "b": 25, "c": 22, "d": 25}, seed=3).round_robin(2, 60)
    best = skills(results)
    top = log_posterior(results, best)
    rng = random.Random(4)
    for _ in range(50):
        moved = {bot: skill + rng.gauss(0, 0.05) for bot, skill in best.items()}
        assert log_posterior(results, moved) < top


def brute_force(results: Sequence[Result], bots: str) -> dict[str, tuple[float, float]]:
    """Mean and deviation of the posterior of three bots, summed over a grid of the differences between them."""
    steps = np.linspace(-18, 18, 73)
    grid = [{bots[0]: (2 * x - y) / 3, bots[1]: (2 * y - x) / 3, bots[2]: -(x + y) / 3} for x in steps for y in steps]
    grid = [{bot: 25 + skill for bot, skill in at.items()} for at in grid]
    logs = np.array([log_posterior(results, at) for at in grid])
    weights = np.exp(logs - logs.max())
    found = {}
    for bot in bots:
        values = np.array([at[bot] for at in grid])
        mean = np.average(values, weights=weights)
        found[bot] = (float(mean), math.sqrt(np.average((values - mean) ** 2, weights=weights)))
    return found


def test_against_the_whole_posterior() -> None:
    """The most likely skills are within a quarter of a deviation of the mean of the posterior."""
    results = Field({"a": 28, "b": 25, "c": 22}, seed=5).round_robin(2, 15)
    posterior = brute_force(results, "abc")
    for bot, skill in skills(results).items():
        mean, deviation = posterior[bot]
        assert abs(skill - mean) < deviation / 4


def log_ranking(skills_in_order: Sequence[float]) -> float:
    """The probability of three ending up in this order, by adding up over the performance of the second."""
    first, second, third = skills_in_order
    normal, beta = NormalDist(), PARAMETERS.beta
    steps = [-4 + 0.2 * step for step in range(41)]
    return math.log(
        sum(
            normal.pdf(x) * normal.cdf((first - second) / beta - x) * normal.cdf(x + (second - third) / beta)
            for x in steps
        )
        * 0.2
    )


def test_tables_of_three_against_the_whole_posterior() -> None:
    """With three at the table pairs stand for whole rankings, and the skills stay within half a deviation."""
    results = Field({"a": 28, "b": 25, "c": 22}, seed=13).round_robin(3, 12)
    orders = [tuple(bot for _, bot in sorted(zip(game.ranks, game.bots, strict=True))) for game in results]
    steps = np.linspace(-10, 10, 26)
    grid = [{"a": (2 * x - y) / 3, "b": (2 * y - x) / 3, "c": -(x + y) / 3} for x in steps for y in steps]
    logs = []
    for at in grid:
        rankings = {order: log_ranking([at[bot] for bot in order]) for order in set(orders)}
        prior = -sum(skill**2 for skill in at.values()) / (2 * PARAMETERS.sigma**2)
        logs.append(prior + sum(rankings[order] for order in orders))
    weights = np.exp(np.array(logs) - max(logs))
    for bot, skill in skills(results).items():
        values = np.array([25 + at[bot] for at in grid])
        mean = np.average(values, weights=weights)
        assert abs(skill - mean) < math.sqrt(np.average((values - mean) ** 2, weights=weights)) / 2


def test_against_trueskill_through_time() -> None:
    """Another package with the same model finds the same skills, within a fraction of what it is unsure by."""
    ttt = pytest.importorskip("trueskillthroughtime")
    results = Field({"a": 29, "b": 26, "c": 24, "d": 22, "e": 24}, seed=6).round_robin(2, 40)
    history = ttt.History(
        composition=[[[bot] for bot in game.bots] for game in results],
        results=[[-rank for rank in game.ranks] for game in results],
        times=[0] * len(results),
        mu=PARAMETERS.mu,
        sigma=PARAMETERS.sigma,
        beta=PARAMETERS.beta,
        gamma=0.0,
        p_draw=PARAMETERS.draw_probability,
    )
    history.convergence(verbose=False)
    ours = skills(results)
    for bot, curve in history.learning_curves().items():
        theirs = curve[-1][1]
        assert abs(ours[bot] - theirs.mu) < theirs.sigma / 3


@pytest.mark.parametrize("luck", [EVEN, PLAIN, LUMPY])
@pytest.mark.parametrize("players", [2, 4])
def test_errors_are_those_of_a_block_bootstrap(luck: object, players: int) -> None:
    """Intervals are as wide as the scatter of fits to blocks that are drawn with replacement."""
    field = Field({"a": 27, "b": 25, "c": 24, "d": 24}, luck, seed=7)  # type: ignore[arg-type]
    played = field.round_robin(players, 120 // players)
    blocks = [played[start : start + players] for start in range(0, len(played), players)]
    rng = random.Random(8)
    drawn = [skills(renumbered(rng.choices(blocks, k=len(blocks)))) for _ in range(150)]
    for rated in fitted(played).table:
        assert rated.interval is not None
        error = (rated.interval.high - rated.skill) / student(NormalDist().inv_cdf(0.975), rated.blocks - 1)
        assert error == pytest.approx(stdev(skill[rated.bot] for skill in drawn), rel=0.3)


def test_blocks_are_worth_what_they_are() -> None:
    """After as many games, intervals are wider where deals suit bots, and narrower where deals suit seats."""
    widths = []
    for luck in (EVEN, PLAIN, LUMPY):
        best = fitted(Field({"a": 26, "b": 25, "c": 24}, luck, seed=9).round_robin(3, 300)).table[0]
        assert best.interval is not None
        widths.append(best.interval.high - best.interval.low)
    assert widths[0] < 0.8 * widths[1]
    assert widths[2] > 1.2 * widths[1]


def test_no_games() -> None:
    """Nobody has played, nobody is in the table."""
    assert fit(Tally(), PARAMETERS).table == ()


def test_not_enough_games() -> None:
    """Below a number of blocks a skill comes without interval, band and order; with one block more they are there."""
    few = fitted(blocks_of("ab", [(1, 2), (2, 1)] * (ENOUGH_BLOCKS - 1)))
    assert [(rated.interval, rated.band) for rated in few.table] == [(None, None)] * 2
    assert few.difference("a", "b") is None
    assert few.above("a", "b") == 0.5
    enough = fitted(blocks_of("ab", [(1, 2), (2, 1)] * ENOUGH_BLOCKS))
    assert all(rated.interval and rated.band for rated in enough.table)
    assert enough.above("a", "b") > 0.95


def test_a_bot_that_only_wins() -> None:
    """Its skill is finite, it is surely above, and how far is not certain."""
    table = fitted(blocks_of("ab", [(1, 2), (2, 1)] * 20))
    best, worst = table.table
    assert (best.bot, best.band, worst.band) == ("a", (1, 1), (2, 2))
    lead = table.difference("a", "b")
    assert lead is not None
    assert 8 < lead.estimate < 25
    assert lead.high - lead.low > 4


def test_bots_that_never_met() -> None:
    """Between two groups that no game connects nothing is known, however many games each has played."""
    apart = [*blocks_of("ab", [(1, 2), (2, 1)] * 30), *blocks_of("cd", [(1, 2), (2, 1)] * 30, first=100)]
    table = fitted(apart)
    assert table.above("a", "d") == 0.5
    assert table.difference("a", "d") is None
    assert table.above("a", "b") > 0.99
    assert {rated.bot: rated.band for rated in table.table} == {"a": (1, 3), "b": (2, 4), "c": (1, 3), "d": (2, 4)}
    joined = fitted([*apart, *blocks_of("bc", [(1, 2), (2, 1)] * 30, first=200)])
    assert joined.above("a", "d") > 0.99


def test_twins_are_tied() -> None:
    """Bots that split every deal evenly share a band, though nothing scatters."""
    table = fitted(blocks_of("ab", [(1, 2), (1, 2)] * 50))
    assert [rated.band for rated in table.table] == [(1, 2), (1, 2)]
    assert table.above("a", "b") == 0.5


def test_one_that_always_forfeits_changes_nothing_between_others() -> None:
    """Differences between the others stay as they were when a bot that ranks last everywhere joins."""
    others = {"a": 27.0, "b": 25.0, "c": 24.0}
    without = fitted(Field(others, EVEN, seed=10).round_robin(3, 60))
    broken = Field({**others, "x": -200.0}, EVEN, seed=11).round_robin(4, 60)
    together = fitted([*Field(others, EVEN, seed=10).round_robin(3, 60), *(_late(game) for game in broken)])
    assert together.table[-1].bot == "x"
    assert together.table[-1].band == (4, 4)
    before, after = without.difference("a", "c"), together.difference("a", "c")
    assert before is not None
    assert after is not None
    assert abs(after.estimate - before.estimate) < (before.high - before.low) / 2
    assert after.high - after.low < before.high - before.low


def _late(game: Result) -> Result:
    return Result("second", *_rest(game))


def test_probability_of_being_above() -> None:
    """Both ways add up to one, the better is more likely above, and a bot is not above itself."""
    table = fitted(Field({"a": 26, "b": 25, "c": 20}, seed=12).round_robin(2, 60))
    assert table.above("a", "b") + table.above("b", "a") == pytest.approx(1)
    assert table.above("a", "c") > 0.99
    assert table.above("a", "a") == 0.5


@pytest.mark.parametrize("seed", range(20))
def test_laws_of_bands(seed: int) -> None:
    """The rank by skill lies in the band, and bots whose order is not known share at least one rank."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 12))
    root = rng.standard_normal((count, count)) * rng.uniform(0.1, 3, count)[:, None]
    covariance = root @ root.T
    variance = np.diag(covariance)
    error = np.sqrt(variance[:, None] + variance[None, :] - 2 * covariance)
    np.fill_diagonal(error, np.inf)
    skill = np.sort(rng.normal(0, 4, count))[::-1]
    above = surely_above((skill[:, None] - skill[None, :]) / error, covariance, error)
    found = bands(above)
    for one, (best, worst) in enumerate(found):
        assert best <= one + 1 <= worst
        for other, (their_best, their_worst) in enumerate(found):
            if not (above[one, other] or above[other, one]):
                assert max(best, their_best) <= min(worst, their_worst)


@pytest.mark.parametrize(("freedom", "point"), [(7, 2.365), (10, 2.228), (30, 2.042), (1000, 1.962)])
def test_students_distribution(freedom: int, point: float) -> None:
    """The 97.5% points are those of the printed tables."""
    assert student(NormalDist().inv_cdf(0.975), freedom) == pytest.approx(point, rel=2e-3)
    assert student(-1.96, freedom) == -student(1.96, freedom)


def test_intervals_are_cut_to_what_is_possible() -> None:
    """A score is never below 0 or above 1."""
    assert Interval(0.9, 0.7, 1.1).within(0, 1) == Interval(0.9, 0.7, 1)
