"""A bare gRPC ping-pong: the least that a turn over grpc.aio can cost. No rules, no codec, no record, just bytes.

    python -m tests.benchmarks.pingpong serve FOLDER PEERS    plays with peers that it starts, taking turns; every line
                                                              on stdin is a number of turns, answered with seconds/turn
    python -m tests.benchmarks.pingpong peer ADDRESS          echoes a fixed answer

It runs in processes of its own, so that it can have gRPC as it comes, without the settings of the arena.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from typing import Any

import grpc
import uvloop

# The sizes of a TurnRequested and of a MoveChosen in a game of two.
PING = b"x" * 230
PONG = b"x" * 14


def same(data: bytes) -> bytes:
    return data


async def peer(address: str) -> None:
    async with grpc.aio.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)]) as channel:
        call = channel.stream_stream("/bare/PingPong", request_serializer=same, response_deserializer=same)()
        await call.write(PONG)
        while await call.read() is not grpc.aio.EOF:
            await call.write(PONG)


async def serve(folder: str, peers: int) -> None:
    joined: asyncio.Queue[Any] = asyncio.Queue()
    done = asyncio.Event()

    async def handler(_requests: object, context: Any) -> None:
        await context.read()
        await joined.put(context)
        await done.wait()

    method = grpc.stream_stream_rpc_method_handler(handler, request_deserializer=same, response_serializer=same)
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bare", {"PingPong": method}),))
    address = f"unix:{folder}/{peers}"
    server.add_insecure_port(address)
    await server.start()
    command = [sys.executable, "-m", "tests.benchmarks.pingpong", "peer", address]
    processes = [subprocess.Popen(command) for _ in range(peers)]  # noqa: ASYNC220 - nothing else goes on yet
    streams = [await joined.get() for _ in processes]
    for line in sys.stdin:
        print(await measure(streams, int(line)), flush=True)
    for process in processes:
        process.kill()


async def measure(streams: list[Any], turns: int) -> float:
    began = time.perf_counter()
    for turn in range(turns):
        stream = streams[turn % len(streams)]
        await stream.write(PING)
        await stream.read()
    return (time.perf_counter() - began) / turns


if __name__ == "__main__":
    role, where, *rest = sys.argv[1:]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(where, int(rest[0])) if role == "serve" else peer(where))
