"""What the referee adds to the wire: matches between trivial bots, against a bare gRPC ping-pong of the same sizes.

Everything is pinned to one core. The contests are measured in turn, several times, in one run; a ratio is taken within
each round, and the median over the rounds is what counts. All is started afresh a few times, because a process is
faster or slower by a tenth all its life, as chance has laid it out in memory.

Much depends on how Python was built: with an unoptimised build, as pyenv makes it unless told otherwise, a match takes
a tenth longer than with that of a distribution, and the bare ping-pong, which is nearly all gRPC, does not.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path

from arena.launch import Manifest, Pool
from arena.record import MatchSpec
from arena.referee.connection import Connection
from arena.referee.match import play_match
from arena.referee.server import RefereeServer, Ticket
from arena.referee.transport import GRPC_ENVIRONMENT
from arena.tournament.house import ADDRESS, TOKEN
from arena.tournament.runner import run
from arena_rules.registry import Build, build_of
from arena_sdk.events import TimeControl
from arena_sdk.player import Player
from tests.compiled import can_compile, compiled, copy_of_the_sdk

TRIVIAL = Manifest("trivial", ("shelfie",), ("python", "trivial_bot.py"), None, Path(__file__).parent)
STARTS = 3
ROUNDS = 3
GAMES = 40
PINGS = 2000
TIME = TimeControl(move_ms=1000, bank_ms=10_000)
CODE = build_of(Player.__module__)
"""Whether the SDK, whose wire and rules are compiled together, is compiled or pure."""

Measure = Callable[[], Awaitable[float]]
"""Plays for a while and gives the seconds per turn."""


@contextmanager
def bare(folder: Path, peers: int, environment: Mapping[str, str]) -> Iterator[Measure]:
    command = [sys.executable, "-m", "tests.benchmarks.pingpong", "serve", str(folder), str(peers)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as server:
        orders, results = server.stdin, server.stdout
        assert orders
        assert results

        async def measure() -> float:
            orders.write(f"{PINGS}\n".encode())
            orders.flush()
            return float(results.readline())

        yield measure
        orders.close()


@asynccontextmanager
async def matches(folder: Path) -> AsyncIterator[Callable[[int], Measure]]:
    tickets: list[Ticket] = []

    def environment(_: Manifest) -> dict[str, str]:
        tickets.append(server.ticket())
        sdk = {"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}
        return {**GRPC_ENVIRONMENT, **sdk, ADDRESS: tickets[-1].address, TOKEN: tickets[-1].token}

    async with RefereeServer(folder / "referee") as server, Pool(environment) as pool:
        for _ in range(2):
            await pool.take(TRIVIAL)
        bots = [await server.connection(ticket) for ticket in tickets]
        seeds = count()

        def with_in_flight(in_flight: int) -> Measure:
            async def measure() -> float:
                began = time.perf_counter()
                turns = await _play_games(bots, seeds, GAMES * (1 + in_flight // 4), in_flight)
                return (time.perf_counter() - began) / turns

            return measure

        yield with_in_flight


async def _play_games(bots: list[Connection], seeds: count[int], games: int, in_flight: int) -> int:
    turns = 0
    left = games

    async def table() -> None:
        nonlocal turns, left
        while left > 0:
            left -= 1
            spec = MatchSpec(0, "shelfie", "en-revised", ("a", "b"), next(seeds), TIME)
            record = await play_match(spec, [bot.seat() for bot in bots], in_flight=in_flight)
            assert not record.verdicts, record.verdicts
            turns += len(record.moves)

    await asyncio.gather(*(table() for _ in range(in_flight)))
    return turns


async def compare(rounds: int) -> dict[str, list[float]]:
    """Seconds per turn in every round, by contest."""
    stock = {name: value for name, value in os.environ.items() if name not in GRPC_ENVIRONMENT}
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        (folder := Path(name, "tuned")).mkdir()
        one = stack.enter_context(bare(Path(name), 1, stock))
        two = stack.enter_context(bare(Path(name), 2, stock))
        tuned = stack.enter_context(bare(folder, 2, {**stock, **GRPC_ENVIRONMENT}))
        async with matches(Path(name)) as match:
            contests = {
                "bare ping-pong": one,
                "bare, two peers": two,
                "bare, two peers, tuned": tuned,
                f"match, {CODE.value}": match(1),
                f"match, {CODE.value}, 16 in flight": match(16),
            }
            times: dict[str, list[float]] = {contest: [] for contest in contests}
            for _ in range(rounds):
                for contest, measure in contests.items():
                    times[contest].append(await measure())
    return times


def main(rounds: int = ROUNDS) -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    starts = [run(compare(rounds)) for _ in range(STARTS)]
    times = {contest: [seconds for start in starts for seconds in start[contest]] for contest in starts[0]}
    baseline = times["bare ping-pong"]
    for contest, seconds in times.items():
        ratios = sorted(mine / bare for mine, bare in zip(seconds, baseline, strict=True))
        print(
            f"{contest:30} {statistics.median(seconds) * 1e6:8.1f} us/turn   "
            f"{statistics.median(ratios):5.2f}x bare (from {ratios[0]:.2f} to {ratios[-1]:.2f})"
        )
    if CODE is Build.PURE and can_compile():
        measure_compiled()


def measure_compiled() -> None:
    """The same again with a copy of the SDK that is compiled, as `make compile` does it."""
    with tempfile.TemporaryDirectory() as name:
        sdk = compiled(copy_of_the_sdk(Path(name, "sdk")), "3")
        command = [sys.executable, "-m", "tests.benchmarks.wire"]
        sys.stdout.flush()
        subprocess.run(command, env={**os.environ, "PYTHONPATH": str(sdk)}, check=True)


if __name__ == "__main__":
    main()
