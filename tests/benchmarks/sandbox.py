"""What the sandbox costs: milliseconds for each start of a process, and its share of a turn.

Bots in the open and bots in the sandbox take turns at the same work, so that both meet the same moods of the machine.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.launch import Guard, Manifest, Wrapper, bare, start
from arena.launch.probe import survey
from arena.record import MatchSpec
from arena.tournament.house import House
from arena.tournament.runner import run
from arena_sdk import TimeControl
from tests.benchmarks.wire import TRIVIAL

STARTS = 60
ROUNDS = 30
GAMES = 20
WAYS: dict[str, Wrapper] = {"in the open": bare, "in the sandbox": Guard()}


def main() -> None:
    if obstacle := survey().obstacle:
        print(f"there is no sandbox here: {obstacle}")
        return
    run(_measure())


async def _measure() -> None:
    print(f"a process from its start to its end, median of {STARTS}:")
    _compare(await _starts(), 1e3, "ms")
    print(f"a turn, median of {ROUNDS} rounds of {GAMES} games:")
    _compare(await _turns(), 1e6, "us")


def _compare(seconds: dict[str, list[float]], scale: float, unit: str) -> None:
    before = 0.0
    for name, taken in seconds.items():
        middle = statistics.median(taken) * scale
        more = f"   {middle - before:+.1f} {unit}, {middle / before - 1:+.1%}" if before else ""
        print(f"  {name:<16}{middle:8.1f} {unit}{more}")
        before = before or middle


async def _starts() -> dict[str, list[float]]:
    elapsed: dict[str, list[float]] = {name: [] for name in WAYS}
    with TemporaryDirectory() as folder:
        bot = Manifest("true", ("shelfie",), ("true",), None, Path(folder))
        os.chmod(folder, 0o755)  # noqa: PTH101, S103 - as it comes it is for its owner alone, and would be copied
        for _ in range(STARTS):
            for name, wrapper in WAYS.items():
                began = time.perf_counter()
                process = await start(bot, {}, wrapper=wrapper)
                ending = await process.ended()
                elapsed[name].append(time.perf_counter() - began)
                assert ending.exit_status == 0, process.log_tail
    return elapsed


async def _turns() -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {name: [] for name in WAYS}
    seeds = count()
    async with _house(bare) as open_house, _house(WAYS["in the sandbox"]) as held:
        for _ in range(ROUNDS):
            for name, house in zip(WAYS, (open_house, held), strict=True):
                taken[name].append(await _per_turn(house, seeds))
    return taken


@asynccontextmanager
async def _house(wrapper: Wrapper) -> AsyncIterator[House]:
    async with House({"trivial": TRIVIAL}, wrapper=wrapper) as house:
        await house.welcome(("trivial", "trivial"))
        yield house


async def _per_turn(house: House, seeds: count[int]) -> float:
    turns = 0
    began = time.perf_counter()
    for _ in range(GAMES):
        spec = MatchSpec(0, "shelfie", "en-revised", ("trivial", "trivial"), next(seeds), TimeControl(10_000, 60_000))
        record = await house.play(spec, 1)
        assert not record.verdicts, record.verdicts
        turns += len(record.moves)
    return (time.perf_counter() - began) / turns


if __name__ == "__main__":
    main()
