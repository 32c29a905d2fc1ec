"""What the referee adds to the wire: matches between trivial bots, against a bare gRPC ping-pong of the same sizes.

Everything is pinned to one core, and the two are measured in turn, several times, in one run.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import grpc
import uvloop

from arena.record import MatchSpec
from arena.referee.connection import Connection
from arena.referee.match import play_match
from arena.referee.server import RefereeServer
from arena_sdk.client import ADDRESS, TOKEN
from arena_sdk.events import TimeControl

HERE = Path(__file__).parent
ROUNDS = 9
GAMES = 60
TURNS = GAMES * 40
TIME = TimeControl(move_ms=1000, bank_ms=10_000)

# The sizes of a TurnRequested with the news of one move, and of a MoveChosen, in a game of two.
PING_BYTES = 330
PONG_BYTES = 16

Measure = Callable[[], Awaitable[float]]
"""Plays for a while and gives the seconds per turn."""


@asynccontextmanager
async def child(script: str, *arguments: str, **environment: str) -> AsyncIterator[None]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(HERE / script), *arguments, env={**os.environ, **environment}
    )
    try:
        yield
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@asynccontextmanager
async def bare_pingpong(folder: Path) -> AsyncIterator[Measure]:
    streams: asyncio.Queue[Any] = asyncio.Queue()
    done = asyncio.Event()

    async def handler(_requests: object, context: Any) -> None:
        await context.read()
        await streams.put(context)
        await done.wait()

    def same(data: bytes) -> bytes:
        return data

    method = grpc.stream_stream_rpc_method_handler(handler, request_deserializer=same, response_serializer=same)
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bare", {"PingPong": method}),))
    address = f"unix:{folder}/bare"
    server.add_insecure_port(address)
    await server.start()
    async with child("pingpong_client.py", address, str(PONG_BYTES)):
        context = await streams.get()
        ping = b"x" * PING_BYTES

        async def measure() -> float:
            began = time.perf_counter()
            for _ in range(TURNS):
                await context.write(ping)
                await context.read()
            return (time.perf_counter() - began) / TURNS

        yield measure
        done.set()
        await server.stop(None)


@asynccontextmanager
async def matches(folder: Path) -> AsyncIterator[Callable[[int], Measure]]:
    async with RefereeServer(folder / "referee") as server:
        tickets = [server.ticket() for _ in range(2)]
        async with (
            child("trivial_bot.py", **{ADDRESS: tickets[0].address, TOKEN: tickets[0].token}),
            child("trivial_bot.py", **{ADDRESS: tickets[1].address, TOKEN: tickets[1].token}),
        ):
            bots = [await server.connection(ticket) for ticket in tickets]
            seeds = count()

            def with_in_flight(in_flight: int) -> Measure:
                async def measure() -> float:
                    games = GAMES * (1 + in_flight // 4)
                    began = time.perf_counter()
                    turns = await _play_games(bots, seeds, games, in_flight)
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


async def compare() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with bare_pingpong(folder) as bare, matches(folder) as match:
            contests = {"bare ping-pong": bare, "match": match(1), "match, 16 in flight": match(16)}
            times: dict[str, list[float]] = {name: [] for name in contests}
            for _ in range(ROUNDS):
                for name, measure in contests.items():
                    times[name].append(await measure())
    for name, seconds in times.items():
        ratios = sorted(mine / bare for mine, bare in zip(seconds, times["bare ping-pong"], strict=True))
        print(
            f"{name:24} {statistics.median(seconds) * 1e6:8.1f} us/turn   "
            f"{statistics.median(ratios):5.2f}x bare (from {ratios[0]:.2f} to {ratios[-1]:.2f} over {ROUNDS} rounds)"
        )


def main() -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(compare())


if __name__ == "__main__":
    main()
