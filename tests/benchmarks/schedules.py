"""Schedules: what adaptive play saves and how often it errs, and what a large round robin costs. Bots are simulated.

A bot of strength s reaches the mark s plus a normal deviate in each game; the higher mark is ahead. A field of n has
the strengths of n equally likely slices of the normal distribution, so its top lies closer together the larger it is.
"""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Mapping
from random import Random

import numpy as np

from arena.tournament.system import Played, Sitting
from arena.tournament.systems import Field, make
from arena.tournament.systems.adaptive import Adaptive, AdaptiveOptions
from arena.tournament.systems.belief import Belief
from arena.tournament.systems.points import duels
from arena.tournament.systems.statement import Statement
from tests.schedules import Table, drive, names

TOP = 3
CONFIDENCE = 0.95
LEAD = 8
LOOK = 1.1
"""A round robin is looked at again when it has so many times the blocks of the last look."""
MOST = 3_000_000
"""Games after which a round robin is given up."""
Strengths = Mapping[str, float]


def main() -> None:
    compare_with_round_robin()
    count_errors()
    measure_large_round_robin()


def compare_with_round_robin() -> None:
    print(f"games until the best {TOP} are known at {CONFIDENCE}, by the same rule; medians over so many runs")
    print("  bots  seats  runs  adaptive  round robin  ratio  both right  estimated by adaptive  ms per decision")
    for bots, seats, runs in ((6, 2, 20), (6, 4, 20), (20, 2, 10), (20, 4, 10), (100, 2, 4), (100, 4, 4)):
        rows = [_contest(bots, seats, seed) for seed in range(runs)]
        adaptive, robin, estimate, pause = (
            statistics.median(column) for column in zip(*(r[:4] for r in rows), strict=True)
        )
        ratio = statistics.median(row[1] / row[0] for row in rows)
        right = sum(row[4] for row in rows)
        print(
            f"{bots:6} {seats:6} {runs:5} {adaptive:9,.0f} {robin:12,.0f} {ratio:6.1f} {right:7} of {runs}"
            f" {estimate:22,.0f} {pause * 1e3:16.1f}"
        )


def _field_strengths(bots: int) -> Strengths:
    normal = statistics.NormalDist()
    return {bot: normal.inv_cdf(1 - (place + 0.5) / bots) for place, bot in enumerate(names(bots))}


def _contest(bots: int, seats: int, seed: int) -> tuple[float, float, float, float, bool]:
    strengths = _field_strengths(bots)
    system = Adaptive(Field(names(bots), (seats,), seed), AdaptiveOptions(blocks=10**6, confidence=CONFIDENCE))
    table, play_seconds = Table(strengths, seed), 0.0

    def play(block: int, sitting: Sitting) -> Played:
        nonlocal play_seconds
        began = time.process_time()
        played = table(block, sitting)
        play_seconds += time.process_time() - began
        return played

    began = time.process_time()
    story = drive(system, play, lead=LEAD, most=10**6)
    pause = (time.process_time() - began - play_seconds) / len(story.sittings)
    games, right = _round_robin(bots, seats, seed, strengths)
    said = set(names(TOP)) == {bot for bot in names(bots) if f"{bot}," in system.findings()[0]}
    return story.games, games, system.round_robin_games(), pause, said and right


def _round_robin(bots: int, seats: int, seed: int, strengths: Strengths) -> tuple[int, bool]:
    """How many games a round robin takes until the same statement has the same certainty, and whether it is true."""
    system = make("round-robin", Field(names(bots), (seats,), seed), {"games": MOST})
    table, belief, number = Table(strengths, seed), Belief(bots), {bot: place for place, bot in enumerate(names(bots))}
    blocks = games = 0
    look = float(bots)
    while isinstance(sitting := system.next(), Sitting):
        played = table(blocks, sitting)
        blocks, games = blocks + 1, games + len(played.results)
        for one, other, score in duels(played):
            belief.learn(number[one], number[other], float(score), 2 / seats)
        if blocks >= look:
            look *= LOOK
            belief.fit()
            statement = Statement.about(belief.strength, np.arange(bots), TOP, ordered=False)
            if statement.risk(belief.strength, belief.covariance()) <= 1 - CONFIDENCE:
                return games, set(statement.best) == set(range(TOP))
    return games, False


def count_errors() -> None:
    print("\nwrong among the statements that adaptive play stopped with; six bots, up to 500 blocks")
    print("  field                       seats  confidence  runs  stopped  wrong   rate")
    for label, close in (("random strengths", False), ("third and fourth 0.1 apart", True)):
        for seats in (2, 4):
            for confidence in (0.8, 0.95):
                runs = 150
                ends = [_end(seats, seed, confidence, close=close) for seed in range(runs)]
                stopped, wrong = sum(stop for stop, _ in ends), sum(stop and not right for stop, right in ends)
                rate = wrong / max(1, stopped)
                print(f"  {label:27} {seats:5} {confidence:11} {runs:5} {stopped:8} {wrong:6} {rate:6.1%}")


def _end(seats: int, seed: int, confidence: float, *, close: bool) -> tuple[bool, bool]:
    chance = Random(seed)
    marks = [1.5, 1.0, 0.05, -0.05, -1.0, -1.5] if close else [chance.gauss(0, 1) for _ in range(6)]
    strengths = dict(zip(names(6), chance.sample(marks, 6), strict=True))
    system = Adaptive(Field(names(6), (seats,), seed), AdaptiveOptions(confidence=confidence, blocks=500))
    drive(system, Table(strengths, seed), lead=LEAD)
    best = sorted(strengths, key=strengths.__getitem__)[-TOP:]
    sentence = system.findings()[0]
    return "confidence" in sentence, all(bot in sentence for bot in best)


def measure_large_round_robin() -> None:
    print("\na round robin of 1,000 bots and 1,000,000 games, from the first block to the last")
    print("  players   blocks  seconds  us per block  peak of memory")
    for players in ((2,), (4,), (2, 3, 4)):
        field = Field(names(1000), players, 7)
        began = time.process_time()
        blocks = _exhaust(field)
        seconds = time.process_time() - began
        tracemalloc.start()
        _exhaust(field)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        mixed = "mixed" if len(players) > 1 else players[0]
        print(f"  {mixed:>7} {blocks:8,} {seconds:8.1f} {seconds / blocks * 1e6:13.1f} {peak / 1024:11.0f} KiB")


def _exhaust(field: Field) -> int:
    system = make("round-robin", field, {"games": 1_000_000})
    return sum(1 for _ in iter(system.next, None))
