"""`run(bot)` in a process of its own: however it ends, the exit code says why, and one sentence does too."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.record import MatchSpec
from arena.referee.connection import Connection
from arena.referee.match import play_match
from arena.referee.seat import LocalSeat
from arena.referee.server import RefereeServer
from arena.referee.transport import GRPC_ENVIRONMENT
from arena_sdk import Exit
from tests.unit.sdk.authors import FirstBot

PATIENCE = 20.0
STOLEN = "stolen"

BOT = """
from arena_sdk import Bot, run

class Tested(Bot):
    def choose(self, turn):
        {choose}

{before}
run(Tested())
"""
FIRST = "return turn.legal[0]"


class Left(NamedTuple):
    """What a process has left behind."""

    exit: Exit
    out: str
    err: str


@asynccontextmanager
async def bot(choose: str = FIRST, before: str = "", **environment: str) -> AsyncIterator[Process]:
    """A bot in a process of its own, with nothing of an arena around it but what is given."""
    ours = ("ARENA_", "PYTHONUNBUFFERED")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    code = BOT.format(choose=choose, before=before)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, env={**clean, **GRPC_ENVIRONMENT, **environment}, stdout=PIPE, stderr=PIPE
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def left(process: Process) -> Left:
    """Waits for the process to end."""
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate()
    assert process.returncode is not None
    return Left(Exit(process.returncode), out.decode(), err.decode())


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RefereeServer]:
    async with RefereeServer(tmp_path / "referee") as server:
        yield server


def invited(server: RefereeServer) -> dict[str, str]:
    """The environment of a bot that the arena expects."""
    ticket = server.ticket()
    return {"ARENA_ADDRESS": ticket.address, "ARENA_TOKEN": ticket.token}


@asynccontextmanager
async def joined(
    server: RefereeServer, choose: str = FIRST, before: str = ""
) -> AsyncIterator[tuple[Process, Connection]]:
    """A bot that has joined, and the referee's end of its stream."""
    ticket = server.ticket()
    async with bot(choose, before, ARENA_ADDRESS=ticket.address, ARENA_TOKEN=ticket.token) as process:
        yield process, await asyncio.wait_for(server.connection(ticket), PATIENCE)


async def played(server: RefereeServer, choose: str) -> Left:
    """What is left of a bot after a game and a goodbye, or after as much of it as it took part in."""
    async with joined(server, choose) as (process, connection), asyncio.timeout(PATIENCE):
        spec = MatchSpec(0, "shelfie", "en-2022", ("tested", "first"), 7)
        await play_match(spec, [connection.seat(), LocalSeat(FirstBot())])
        connection.dismiss("that was all")
        return await left(process)


def test_exit_codes() -> None:
    """The codes are a promise to whoever runs bots: they never change their meaning."""
    codes = ["GOODBYE", "BOT_FAILED", "NOT_IN_AN_ARENA", "TOKEN_REFUSED", "WRONG_RULES", "CONNECTION_LOST", "REFUSED"]
    assert {code.name: int(code) for code in Exit} == {name: code for code, name in enumerate(codes)}


async def test_a_bot_that_nobody_invited() -> None:
    """Started by hand, a bot says in one sentence how it is meant to be started."""
    async with bot() as process:
        ended = await left(process)
    assert ended.exit is Exit.NOT_IN_AN_ARENA
    assert ended.out == ""
    assert ended.err.startswith("arena: ARENA_ADDRESS and ARENA_TOKEN are not set")
    assert "arena match" in ended.err
    assert ended.err.count("\n") == 1


async def test_a_bot_with_half_an_invitation() -> None:
    """An address without a token is not enough."""
    async with bot(ARENA_ADDRESS="unix:nowhere") as process:
        assert (await left(process)).exit is Exit.NOT_IN_AN_ARENA


async def test_a_refused_token(server: RefereeServer) -> None:
    """A token that the arena does not know ends the bot with the arena's sentence."""
    async with bot(ARENA_ADDRESS=server.ticket().address, ARENA_TOKEN=STOLEN) as process:
        ended = await left(process)
    assert ended.exit is Exit.TOKEN_REFUSED
    assert ended.err.startswith("arena: the arena does not know this token")
    assert ended.err.count("\n") == 1


async def test_other_rules(server: RefereeServer) -> None:
    """A bot that would plan with other rules than are played is refused, and told what to install."""
    old = "from arena_rules.shelfie import SHELFIE; SHELFIE.rules_version = 'zero'"
    async with bot(before=old, **invited(server)) as process:
        ended = await left(process)
    assert ended.exit is Exit.WRONG_RULES
    assert "version zero of the rules of shelfie" in ended.err
    assert "install the arena-sdk" in ended.err
    assert ended.err.count("\n") == 1


async def test_an_arena_that_goes_away(tmp_path: Path) -> None:
    """When the arena is gone in the middle of things, the bot ends too, and says why."""
    async with AsyncExitStack() as arena:
        server = await arena.enter_async_context(RefereeServer(tmp_path / "referee"))
        async with joined(server) as (process, _):
            await arena.aclose()
            ended = await left(process)
    assert ended.exit is Exit.CONNECTION_LOST
    assert ended.err.startswith("arena: the connection to the arena was lost")
    assert ended.err.count("\n") == 1


async def test_an_arena_that_is_not_there(tmp_path: Path) -> None:
    """An address where nobody listens is a lost connection, not a traceback."""
    async with bot(ARENA_ADDRESS=f"unix:{tmp_path}/nobody", ARENA_TOKEN=STOLEN) as process:
        ended = await left(process)
    assert ended.exit is Exit.CONNECTION_LOST
    assert ended.err.count("\n") == 1


async def test_goodbye(server: RefereeServer) -> None:
    """After the last game a bot ends without a word, and all that it printed is in its log."""
    ended = await played(server, "print('turn', turn.number); return turn.legal[0]")
    assert ended.exit is Exit.GOODBYE
    assert ended.err == ""
    assert ended.out.startswith("turn 0\nturn 2\nturn 4\n")


OWN_CALL = "from grpc import StatusCode, aio; m = aio.Metadata(); raise aio.AioRpcError(StatusCode.OK, m, m, 'mine')"
FAILURES = {
    "a slip": ("return turn.nonsense", "AttributeError: 'WireTurn' object has no attribute 'nonsense'"),
    "not a move": ("return object()", "is not a move of My Shelfie: choose one of turn.legal"),
    "a call of its own that failed": (OWN_CALL, 'details = "mine"'),
    "a future of its own": ("import asyncio; raise asyncio.InvalidStateError('mine')", "InvalidStateError: mine"),
}


@pytest.mark.parametrize("what", FAILURES)
async def test_a_bot_that_fails(server: RefereeServer, what: str) -> None:
    """An exception of the bot ends it with a traceback in its log, whatever kind of exception it is."""
    failure, line = FAILURES[what]
    ended = await played(server, failure)
    assert ended.exit is Exit.BOT_FAILED
    assert ended.err.startswith("Traceback (most recent call last)")
    assert line in ended.err


async def test_what_is_printed_is_in_the_log_at_once(server: RefereeServer) -> None:
    """A line that a bot prints is there before the bot goes on, also when the log is a file or a pipe."""
    async with joined(server, before="print('ready to play')") as (process, _):
        assert process.stdout is not None
        assert await asyncio.wait_for(process.stdout.readline(), PATIENCE) == b"ready to play\n"
