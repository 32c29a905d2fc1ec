"""What ratings claim, tried on bots of known strength: intervals, rank bands, the sequential test, and speed.

Blocks are drawn with three kinds of luck (tests/known.py): games of a block that even out, that are independent, and
that go the same way. All seeds are fixed; it takes a few minutes.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence

from arena.rating import Decision, Parameters, SequentialTest, Tally, block_score, fit
from arena.rating.fitting import Fit
from tests.known import EVEN, LUMPY, PLAIN, Field, Luck

LUCK: Mapping[str, Luck] = {"even": EVEN, "plain": PLAIN, "lumpy": LUMPY}
PARAMETERS = Parameters.of("shelfie")
RUNS = 1000
GAIN = 0.1
"""How much better NEW should be, in points of the block score."""


def drawn_fit(
    bots: int, players: int, blocks: int, spread: float, luck: Luck, seed: int
) -> tuple[dict[str, float], Fit]:
    """The true skills of a field, around a mean of 25, and what the fit makes of its games."""
    rng = random.Random(seed)
    skills = {f"bot{number}": rng.gauss(0, spread) for number in range(bots)}
    mean = statistics.fmean(skills.values())
    truth = {bot: skill - mean + 25 for bot, skill in skills.items()}
    return truth, fit(Tally.of(Field(truth, luck, seed=seed).round_robin(players, blocks)), PARAMETERS)


def coverage(bots: int, players: int, blocks: int, spread: float, luck: Luck, runs: int = RUNS) -> tuple[float, float]:
    """How many intervals hold the true skill, and how many tables hold all true ranks in their bands."""
    held = rated = right = 0
    for seed in range(runs):
        truth, table = drawn_fit(bots, players, blocks, spread, luck, seed)
        order = sorted(truth, key=lambda bot: -truth[bot])
        wrong = 0
        for row in table.table:
            if row.interval and row.band:
                rated += 1
                held += row.interval.low <= truth[row.bot] <= row.interval.high
                wrong += not row.band[0] <= order.index(row.bot) + 1 <= row.band[1]
        right += wrong == 0
    return held / rated, right / runs


def show_coverage() -> None:
    print(f"{RUNS} tables each: 95% intervals that hold the true skill / tables in which all bands hold the true ranks")
    print(f"{'bots':>5}{'seats':>6}{'blocks':>7}{'spread':>7}" + "".join(f"{name:>16}" for name in LUCK))
    for bots, players, blocks in ((4, 2, 100), (6, 3, 60), (8, 4, 60), (20, 4, 100), (4, 4, 10), (2, 2, 8)):
        for spread in (1, 4):
            cells = [coverage(bots, players, blocks, spread, luck) for luck in LUCK.values()]
            print(
                f"{bots:5}{players:6}{blocks:7}{spread:7}" + "".join(f"{one:8.3f}/{all_:.3f}  " for one, all_ in cells)
            )


def pool(players: int, luck: Luck, mean: float) -> tuple[list[float], list[float]]:
    """Block scores of one bot against another and their probabilities, tilted so that the mean is exactly this."""
    field = Field({"n": 25 + 14 * (mean - 0.5), "o": 25, "x": 25, "y": 25}, luck, seed=3)
    scores = [block_score(field.block("noxy"[:players]), "n", "o") for _ in range(4000)]
    values = sorted(set(scores))
    low, high = -50.0, 50.0
    while True:
        tilt = (low + high) / 2
        weights = [scores.count(value) * math.exp(tilt * (value - 0.5)) for value in values]
        tilted = sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)
        if abs(tilted - mean) < 1e-9:
            return values, weights
        low, high = (tilt, high) if tilted < mean else (low, tilt)


def by_betting(draw: Callable[[], float]) -> tuple[Decision, int]:
    test = SequentialTest(d1=GAIN)
    while test.add(draw()) is Decision.UNDECIDED:
        pass
    return test.decision, test.blocks


def by_likelihood(draw: Callable[[], float]) -> tuple[Decision, int]:
    """The rival: a generalised SPRT in its normal approximation, from the eighth block on."""
    bound = math.log(0.95 / 0.05)
    blocks, total, squares = 0, 0.0, 0.0
    while True:
        score = draw()
        blocks, total, squares = blocks + 1, total + score, squares + score * score
        mean = total / blocks
        ratio = blocks * GAIN * (2 * mean - 1 - GAIN) / (2 * max(squares / blocks - mean**2, 1e-3))
        if blocks >= 8 and abs(ratio) >= bound:
            return (Decision.BETTER if ratio > 0 else Decision.NOT_BETTER), blocks


Test = Callable[[Callable[[], float]], tuple[Decision, int]]


def outcome(test: Test, players: int, luck: Luck, mean: float, wrong: Decision) -> str:
    """The rate of one kind of wrong decision, and how long decisions take."""
    values, weights = pool(players, luck, mean)
    rng = random.Random(players)
    found = [test(lambda: rng.choices(values, weights)[0]) for _ in range(RUNS)]
    lengths = [blocks for _, blocks in found]
    rate = sum(decision is wrong for decision, _ in found) / RUNS
    return f"{test.__name__} {rate:.3f} {statistics.fmean(lengths):6.1f} ({statistics.median(lengths):.0f})"


def show_test(tests: Sequence[Test]) -> None:
    print(f"{RUNS} runs each at alpha = beta = 0.05, d0 = 0, d1 = {GAIN}: wrong decisions, mean blocks (median)")
    for players in (2, 3, 4):
        for name, luck in LUCK.items():
            for mean, wrong in ((0.5, Decision.BETTER), (0.5 + GAIN, Decision.NOT_BETTER)):
                found = "  ".join(outcome(test, players, luck, mean, wrong) for test in tests)
                print(f"{players} seats, {name:5}, mean {mean:.2f}:  {found}")


def show_forfeits() -> None:
    """One bot that ranks last in every game: what that does to the others."""
    shifts, orders = [], 0
    for seed in range(200):
        truth = {"a": 27.0, "b": 25.5, "c": 24.5, "d": 23.0}
        games = Field(truth, PLAIN, seed=seed).round_robin(2, 120)
        alone = fit(Tally.of(games), PARAMETERS)
        tally = Tally.of(games)
        tally.merge(Tally.of(Field({**truth, "x": -500.0}, PLAIN, seed=seed).round_robin(4, 60)))
        joined = fit(tally, PARAMETERS)
        one, other = alone.difference("a", "d"), joined.difference("a", "d")
        assert one is not None
        assert other is not None
        shifts.append((other.estimate - one.estimate) / ((one.high - one.low) / 4))
        orders += joined.table[-1].band == (5, 5)
    print(
        f"a bot that always forfeits: surely last in {orders} of 200 tables; difference between best and worst of the"
    )
    print(f"others moves by {statistics.fmean(shifts):+.2f} ± {statistics.stdev(shifts):.2f} standard errors")


def show_speed() -> None:
    """A million games of 20 bots, and a field of 1,000."""
    for bots, players, blocks, times in ((20, 2, 25_000, 20), (20, 4, 12_500, 20), (1000, 4, 25_000, 1)):
        rng = random.Random(1)
        field = Field({f"bot{number}": rng.gauss(25, 4) for number in range(bots)}, seed=2)
        part = Tally.of(field.round_robin(players, blocks))
        whole = Tally()
        for _ in range(times):
            whole.merge(part)
        rows = list(whole.rows())
        start = time.perf_counter()
        read = Tally.from_rows(rows)
        middle = time.perf_counter()
        fit(read, PARAMETERS)
        end = time.perf_counter()
        print(
            f"{bots} bots, {players} seats, {whole.games} games, {len(rows)} rows: "
            f"read {middle - start:.2f} s, fitted with intervals and bands {end - middle:.2f} s"
        )


def main() -> None:
    show_speed()
    show_forfeits()
    show_test([by_betting, by_likelihood])
    show_coverage()
