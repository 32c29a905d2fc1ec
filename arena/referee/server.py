"""The gRPC server around the referee: lets bots in that hold a ticket, and hands out their connections."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health
from grpc_reflection.v1alpha import reflection

from arena.referee.connection import Connection, StreamBroken, UnreadableMessage
from arena_rules import games
from arena_sdk.v1 import referee_pb2 as pb

SERVICE = pb.DESCRIPTOR.services_by_name["RefereeService"].full_name

# A move takes some twenty bytes; what is larger than this is not a bot's answer.
MAX_REQUEST_BYTES = 64 * 1024

_OPTIONS = [
    ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
    ("grpc.max_concurrent_streams", 4),
    ("grpc.so_reuseport", 0),
]


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a bot process needs to find its place: where to dial, and a token that opens one stream, once."""

    address: str
    token: str


class RefereeServer:
    """Listens on a Unix socket. Use as an async context manager."""

    def __init__(self, socket: Path) -> None:
        self.address = f"unix:{socket}"
        self._expected: dict[str, asyncio.Future[Connection]] = {}
        self._connections: set[Connection] = set()
        self._server = grpc.aio.server(options=_OPTIONS)
        self._register()

    def _register(self) -> None:
        play = grpc.stream_stream_rpc_method_handler(
            self._play, request_deserializer=_read_request, response_serializer=pb.PlayResponse.SerializeToString
        )
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": play}),))
        self._health = health.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection((SERVICE, reflection.SERVICE_NAME), self._server)

    async def __aenter__(self) -> Self:
        self._server.add_insecure_port(self.address)
        await self._server.start()
        await self._health.set(SERVICE, health_pb2.HealthCheckResponse.SERVING)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for expected in self._expected.values():
            expected.cancel()
        await self._server.stop(grace=None)

    def ticket(self) -> Ticket:
        """Expect one more bot."""
        token = secrets.token_urlsafe(32)
        self._expected[_digest(token)] = asyncio.get_running_loop().create_future()
        return Ticket(self.address, token)

    async def connection(self, ticket: Ticket) -> Connection:
        """Wait for the bot with that ticket to join."""
        return await self._expected[_digest(ticket.token)]

    def withdraw(self, ticket: Ticket) -> None:
        """Expect that bot no more."""
        if expected := self._expected.pop(_digest(ticket.token), None):
            expected.cancel()

    async def _play(self, _requests: AsyncIterator[Any], context: grpc.aio.ServicerContext[Any, Any]) -> None:
        stream = _GrpcStream(context)
        join = await self._joining(stream, context)
        expected = self._expected.get(_digest(join.token))
        if expected is None or expected.done():
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED,
                "the arena does not know this token, or it has been used: a bot joins once, with the token it was given",
            )
        if mismatch := _rules_mismatch(join):
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, mismatch)
        connection = Connection(stream, join)
        self._connections.add(connection)
        expected.set_result(connection)
        try:
            await connection.serve()
        finally:
            self._connections.discard(connection)

    async def _joining(self, stream: _GrpcStream, context: grpc.aio.ServicerContext[Any, Any]) -> pb.Join:
        try:
            request = await stream.read()
        except UnreadableMessage as error:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        if request is None or len(request.events) != 1 or not request.events[0].HasField("join"):
            await context.abort(
                grpc.StatusCode.INVALID_ARGUMENT, "the first message of a stream must be one Join event"
            )
        return request.events[0].join


class _GrpcStream:
    """A grpc.aio call as a `Stream`. Reading and writing the context is cheaper than an async generator."""

    def __init__(self, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        self._context = context

    async def read(self) -> pb.PlayRequest | None:
        request = await self._context.read()
        if request is grpc.aio.EOF:
            return None
        if request is _UNREADABLE:
            raise UnreadableMessage("the bytes it sent are not a PlayRequest message")
        return request  # type: ignore[no-any-return]

    async def write(self, response: pb.PlayResponse) -> None:
        try:
            await self._context.write(response)
        except Exception as error:  # grpc has no one exception for a stream that has ended under a writer
            raise StreamBroken from error


_UNREADABLE = object()


def _read_request(data: bytes) -> pb.PlayRequest | object:
    # An exception here would end the call without a word on why.
    try:
        return pb.PlayRequest.FromString(data)
    except DecodeError:
        return _UNREADABLE


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
