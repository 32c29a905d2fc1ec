"""The other end of the bare ping-pong: echoes a fixed answer for everything it reads."""

from __future__ import annotations

import asyncio
import sys

import grpc
import uvloop


def same(data: bytes) -> bytes:
    return data


async def main(address: str, size: int) -> None:
    answer = b"x" * size
    async with grpc.aio.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)]) as channel:
        call = channel.stream_stream("/bare/PingPong", request_serializer=same, response_deserializer=same)()
        await call.write(answer)
        while await call.read() is not grpc.aio.EOF:
            await call.write(answer)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(sys.argv[1], int(sys.argv[2])))
