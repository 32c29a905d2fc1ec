"""The door of one bot: a gRPC server on a Unix socket of its own, that lets in who holds the one token for it, once.

Every bot has a door of its own, so that whatever it does to the server it dials, others have another one. It costs a
tenth of a millisecond.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health
from grpc_reflection.v1alpha import reflection

from arena.record import VerdictKind
from arena.referee.connection import Connection, Unacceptable
from arena.referee.floor import Floor
from arena.referee.verdict import Forfeit
from arena_rules import games
from arena_sdk.v1 import referee_pb2 as pb

SERVICE = pb.DESCRIPTOR.services_by_name["RefereeService"].full_name
SOCKET = "referee"

# A move takes some twenty bytes; what is larger than this is not a bot's answer.
MAX_REQUEST_BYTES = 64 * 1024

JOIN_SECONDS = 10.0
"""How long a stream may be open without a Join."""

MAX_STREAMS = 32
"""How many streams may come in at one door. A bot needs one, and a few more to be told what is wrong with it."""

_OPTIONS = [
    # Larger than what is accepted, so that the bot's author is told of the size, and not of a lost connection.
    ("grpc.max_receive_message_length", 128 * MAX_REQUEST_BYTES),
    ("grpc.max_metadata_size", 8 * 1024),
    ("grpc.absolute_max_metadata_size", 16 * 1024),
    ("grpc.max_concurrent_streams", 4),
    # A bot needs one. Each takes a file descriptor, and of those the arena may have a thousand for all bots together.
    ("grpc.max_allowed_incoming_connections", 8),
    ("grpc.http2.bdp_probe", 0),  # it would let a fast sender have larger and larger buffers
    ("grpc.http2.max_ping_strikes", 2),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.server_handshake_timeout_ms", 5_000),
    ("grpc.so_reuseport", 0),
]
_MAX_CALLS = 8


class Door:
    """Open from the moment it is made. Its folder holds nothing but its socket."""

    def __init__(self, folder: Path, token: str, floor: Floor) -> None:
        folder.mkdir()
        self.address = f"unix:{folder / SOCKET}"
        self.joined: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()
        """The connection of the bot, once it has come in."""
        self.left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Settled when it has gone again."""
        self._folder = folder
        self._token = _digest(token)
        self._streams = 0
        self._floor = floor
        self._server = grpc.aio.server(options=_OPTIONS, maximum_concurrent_rpcs=_MAX_CALLS)
        self._register()
        self._server.add_insecure_port(self.address)
        # A bot in a sandbox is another user. Nobody else gets as far as this: the folder above is ours alone.
        (folder / SOCKET).chmod(0o666)
        self._opening = asyncio.create_task(self._open())

    def _register(self) -> None:
        self._server.add_generic_rpc_handlers((_Counter(self._count),))
        play = grpc.stream_stream_rpc_method_handler(
            self._play, request_deserializer=read_request, response_serializer=pb.PlayResponse.SerializeToString
        )
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": play}),))
        self._health = health.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection((SERVICE, reflection.SERVICE_NAME), self._server)

    async def _open(self) -> None:
        await self._server.start()
        await self._health.set(SERVICE, health_pb2.HealthCheckResponse.SERVING)

    async def close(self) -> None:
        """Let nobody in any more, and whoever is in out."""
        self.joined.cancel()
        self.left.cancel()
        await self._opening
        await self._server.stop(grace=None)
        with suppress(OSError):
            self._folder.rmdir()

    async def _play(self, _requests: AsyncIterator[Any], context: grpc.aio.ServicerContext[Any, Any]) -> None:
        if self._streams > MAX_STREAMS:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "a bot needs one stream, and this is one too many")
        join = await _first(context)
        if self.joined.done() or _digest(join.token) != self._token:
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED,
                "the arena does not know this token, or it has been used: a bot joins once, with its own token",
            )
        if mismatch := _rules_mismatch(join):
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, mismatch)
        connection = Connection(context, join, self._floor)
        self.joined.set_result(connection)
        try:
            await connection.serve()
        finally:
            if not self.left.done():
                self.left.set_result(None)

    def _count(self) -> None:
        """A stream has come in. After the last that may come the door is closed."""
        self._streams += 1
        if self._streams <= MAX_STREAMS or self.left.done():
            return
        if self.joined.done() and not self.joined.cancelled():
            self.joined.result().break_off(Forfeit(VerdictKind.FLOODED, f"it opened more than {MAX_STREAMS} streams"))
        self.left.set_result(None)


class _Counter(grpc.GenericRpcHandler):
    """Sees every call, also of what does not exist, and answers none."""

    def __init__(self, count: Callable[[], None]) -> None:
        self._count = count

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> None:
        self._count()


async def _first(context: grpc.aio.ServicerContext[Any, Any]) -> pb.Join:
    """The Join that opens a stream."""
    try:
        async with asyncio.timeout(JOIN_SECONDS):
            request = await context.read()
    except TimeoutError:
        await context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, f"no Join came within {JOIN_SECONDS:.0f} s")
    if not request or len(request.events) != 1 or not request.events[0].HasField("join"):
        await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the first message of a stream must be one Join")
    join: pb.Join = request.events[0].join
    return join


def read_request(data: bytes) -> pb.PlayRequest | Unacceptable:
    # An exception here would end the call without a word on why.
    if len(data) > MAX_REQUEST_BYTES:
        return Unacceptable(VerdictKind.TOO_LARGE, f"{len(data):,} bytes, and {MAX_REQUEST_BYTES:,} is the most")
    try:
        return pb.PlayRequest.FromString(data)
    except DecodeError:
        return Unacceptable(VerdictKind.UNREADABLE, "the bytes it sent are not a PlayRequest message")


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _rules_mismatch(join: pb.Join) -> str:
    """Why the bot's rules will not do, or nothing."""
    for name, theirs in sorted(join.rules_versions.items()):
        ours = games()[name].rules_version if name in games() else theirs
        if ours != theirs:
            return (
                f"the bot has version {theirs} of the rules of {name} and the arena has version {ours}: "
                "install the arena-sdk that comes with this arena"
            )
    return ""
