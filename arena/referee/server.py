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

from arena.referee.connection import UNREADABLE, Connection
from arena.referee.floor import Floor
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
        self._floor = Floor()
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
        join = await _first(context)
        expected = self._expected.get(_digest(join.token))
        if expected is None or expected.done():
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED,
                "the arena does not know this token, or it has been used: a bot joins once, with its own token",
            )
        if mismatch := _rules_mismatch(join):
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, mismatch)
        connection = Connection(context, join, self._floor)
        expected.set_result(connection)
        await connection.serve()


async def _first(context: grpc.aio.ServicerContext[Any, Any]) -> pb.Join:
    """The Join that opens a stream."""
    request = await context.read()
    if not request or len(request.events) != 1 or not request.events[0].HasField("join"):
        await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the first message of a stream must be one Join")
    join: pb.Join = request.events[0].join
    return join


def _read_request(data: bytes) -> pb.PlayRequest | None:
    # An exception here would end the call without a word on why.
    try:
        return pb.PlayRequest.FromString(data)
    except DecodeError:
        return UNREADABLE


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
