"""`run(bot)`: connect a bot to the arena that started it, and play until the arena says goodbye.

A bot process ends with one of these exit codes:

0  the arena said goodbye
1  the bot itself failed; the traceback is in its log
2  the bot was not started by an arena
3  the arena refused the token
4  the bot's rules are not those of the arena
5  the connection was lost
6  the arena refused what the bot sent
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from enum import IntEnum
from importlib.metadata import PackageNotFoundError, version
from typing import NoReturn

import grpc

from arena_sdk.bot import Bot
from arena_sdk.player import Player
from arena_sdk.v1.referee_pb2 import PlayRequest, PlayResponse
from arena_sdk.v1.referee_pb2_grpc import RefereeServiceStub

ADDRESS = "ARENA_ADDRESS"
TOKEN = "ARENA_TOKEN"

# A proxy setting of the host must never come between a bot and the referee beside it.
_CHANNEL_OPTIONS = [("grpc.enable_http_proxy", 0)]


class Exit(IntEnum):
    """How a bot process ends."""

    GOODBYE = 0
    BOT_FAILED = 1
    NOT_IN_AN_ARENA = 2
    TOKEN_REFUSED = 3
    WRONG_RULES = 4
    CONNECTION_LOST = 5
    REFUSED = 6


_REFUSALS = {
    grpc.StatusCode.UNAUTHENTICATED: Exit.TOKEN_REFUSED,
    grpc.StatusCode.FAILED_PRECONDITION: Exit.WRONG_RULES,
    grpc.StatusCode.INVALID_ARGUMENT: Exit.REFUSED,
}


def run(bot: Bot) -> NoReturn:
    """Play for the arena that started this process, then end the process. Call it last."""
    _keep_log_in_order()
    address, token = os.environ.get(ADDRESS), os.environ.get(TOKEN)
    if not address or not token:
        _leave(
            Exit.NOT_IN_AN_ARENA,
            f"{ADDRESS} and {TOKEN} are not set: this bot is started by the arena, as in 'arena match MY_BOT OTHER'; "
            "to try it alone use arena_sdk.testing",
        )
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        status, sentence = runner.run(_play(Player(bot), address, token))
    _leave(status, sentence)


async def _play(player: Player, address: str, token: str) -> tuple[Exit, str]:
    async with grpc.aio.insecure_channel(address, options=_CHANNEL_OPTIONS) as channel:
        call = RefereeServiceStub(channel).Play()
        try:
            await call.write(player.join(token, _sdk_version()))
            while isinstance(response := await call.read(), PlayResponse):
                request = player.hear(response)
                if request.events:
                    await call.write(request)
                if player.dismissed is not None:
                    await call.done_writing()
                    return Exit.GOODBYE, ""
            return await _why_closed(call)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            if not call.done():
                raise  # the bot's own: it may well use gRPC itself, to ask a model, say
            return await _why_closed(call)


async def _why_closed(call: grpc.aio.StreamStreamCall[PlayRequest, PlayResponse]) -> tuple[Exit, str]:
    code, details = await call.code(), await call.details()
    if code in _REFUSALS:
        return _REFUSALS[code], details
    return Exit.CONNECTION_LOST, f"the connection to the arena was lost: {details or code.name}"


def _leave(status: Exit, sentence: str) -> NoReturn:
    if sentence:
        print(f"arena: {sentence}", file=sys.stderr)
    sys.exit(int(status))


def _keep_log_in_order() -> None:
    """What a bot prints goes to its log line by line, in step with what it writes to stderr."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(line_buffering=True)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _sdk_version() -> str:
    try:
        return f"arena-sdk {version('arena-sdk')}"
    except PackageNotFoundError:
        return "arena-sdk"
