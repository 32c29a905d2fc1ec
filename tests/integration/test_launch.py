"""Whole programs that start bots: however such a program ends, no bot outlives it, and long use costs nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import indent
from threading import Thread

import pytest
import uvloop

from arena.launch import Ending, Pool, start
from tests.unit.launch.table import FOREVER, alive, printed, python, shell, until

LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
Loop = Callable[[], asyncio.AbstractEventLoop]

every_loop = pytest.mark.parametrize("loop", [pytest.param(loop, id=name) for name, loop in LOOPS.items()])

ARENA = """
import asyncio, os, uvloop
from pathlib import Path
from arena.launch import Manifest, Pool

async def main():
    async with Pool(lambda manifest: {{}}) as pool:
        bot = Manifest("tester", ("shelfie",), ("sleep", "600"), None, Path.cwd())
        print(*[(await pool.take(bot)).pid for _ in range(2)], flush=True)
{then}

with asyncio.Runner(loop_factory={loop}.new_event_loop) as runner:
    runner.run(main())
"""

WAIT = "await asyncio.Event().wait()"
DIE = "os.kill(os.getpid(), 9)"


@contextmanager
def arena(folder: Path, loop: str, then: str) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A program that starts two bots and then does something else, and the numbers of the bots."""
    code = ARENA.format(loop=loop, then=indent(then, " " * 8))
    with subprocess.Popen([sys.executable, "-c", code], cwd=folder, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        try:
            yield program, [int(pid) for pid in program.stdout.readline().split()]
        finally:
            program.kill()


def asleep(pid: int) -> bool:
    """Whether the bot is up; before that it is the program that starts it."""
    return alive(pid) and Path(f"/proc/{pid}/comm").read_text() == "sleep\n"


@pytest.mark.parametrize("loop", LOOPS)
async def test_bots_die_with_an_arena_that_is_killed(tmp_path: Path, loop: str) -> None:
    """A bot that never looks at its connection is gone within a second after its arena was killed by SIGKILL."""
    with arena(tmp_path, loop, WAIT) as (program, bots):
        await until(lambda: len(bots) == 2 and all(map(asleep, bots)))
        program.kill()
        await until(lambda: not any(map(alive, bots)), seconds=1)


@pytest.mark.parametrize("loop", LOOPS)
async def test_bots_die_with_an_arena_that_is_killed_as_they_start(tmp_path: Path, loop: str) -> None:
    """An arena that is killed before its bots are up leaves none either."""
    with arena(tmp_path, loop, DIE) as (_, bots):
        assert len(bots) == 2
        await until(lambda: not any(map(alive, bots)), seconds=1)


@pytest.mark.parametrize("loop", LOOPS)
async def test_bots_end_with_an_arena_that_is_interrupted(tmp_path: Path, loop: str) -> None:
    """After Ctrl-C the program ends, and all bots were gone before it did."""
    with arena(tmp_path, loop, WAIT) as (program, bots):
        await until(lambda: len(bots) == 2 and all(map(asleep, bots)))
        program.send_signal(signal.SIGINT)
        await until(lambda: program.poll() is not None)
        assert not any(map(alive, bots))


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def children() -> set[int]:
    """The processes that this one has started and not reaped."""
    lists = Path("/proc/self/task").glob("*/children")
    return {int(pid) for path in lists for pid in path.read_text().split()}


@every_loop
def test_thirty_bots_cost_no_file_and_no_process(tmp_path: Path, loop: Loop) -> None:
    """After thirty starts and stops there are as many open files and child processes as after three."""

    async def cycle(times: int) -> int:
        for _ in range(times):
            process = await start(shell(tmp_path, "echo ready; exec sleep 600"), {})
            await printed(process)
            await process.stop()
        return open_files()

    async def measure() -> tuple[int, int]:
        return await cycle(3), await cycle(30)

    before = children()
    with asyncio.Runner(loop_factory=loop) as runner:
        few, many = runner.run(measure())
    assert many == few
    assert children() == before


@every_loop
def test_a_pool_over_many_games(tmp_path: Path, loop: Loop) -> None:
    """A hundred games are played by two processes on any event loop, with a crash in the middle."""

    async def play() -> set[int]:
        async with Pool(lambda manifest: {}) as pool:
            owl = python(tmp_path, FOREVER)
            seen: set[int] = set()
            for game in range(100):
                lineup = [await pool.take(owl), await pool.take(owl)]
                seen.update(process.pid for process in lineup)
                if game == 50:
                    os.kill(lineup[0].pid, signal.SIGKILL)
                    assert await lineup[0].ended() == Ending(None, signal.SIGKILL)
                for process in lineup:
                    pool.give_back(process)
            return seen

    with asyncio.Runner(loop_factory=loop) as runner:
        pids = runner.run(play())
    assert len(pids) == 3
    assert not any(map(alive, pids))


@every_loop
def test_an_event_loop_in_a_thread(tmp_path: Path, loop: Loop) -> None:
    """Bots can be started by an event loop that is not in the main thread."""
    endings: list[Ending] = []

    async def play() -> None:
        process = await start(python(tmp_path, FOREVER), {})
        await printed(process)
        endings.append(await process.stop(grace=10))

    def work() -> None:
        with asyncio.Runner(loop_factory=loop) as runner:
            runner.run(play())

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert endings == [Ending(None, signal.SIGTERM)]


SERVER = """
import asyncio, grpc, uvloop
from pathlib import Path
from arena.launch import Manifest, start

async def echo(requests, context):
    async for request in requests:
        yield request

async def chat(channel):
    call = channel.stream_stream("/table/chat")()
    while True:
        await call.write(b"a view")
        await call.read()

async def main():
    server = grpc.aio.server()
    handlers = {"chat": grpc.stream_stream_rpc_method_handler(echo)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("table", handlers),))
    server.add_insecure_port("unix:table.sock")
    await server.start()
    async with grpc.aio.insecure_channel("unix:table.sock") as channel:
        chats = [asyncio.create_task(chat(channel)) for _ in range(4)]
        bot = Manifest("tester", ("shelfie",), ("true",), None, Path.cwd())
        endings = [await (await start(bot, {})).ended() for _ in range(60)]
        for task in chats:
            task.cancel()
        await asyncio.wait(chats)
    await server.stop(None)
    print({ending.describe() for ending in endings})

uvloop.run(main())
"""


def test_no_start_fails_while_grpc_is_serving(tmp_path: Path) -> None:
    """A referee in the middle of games can start bots at any time: none of them dies of how it was started."""
    done = subprocess.run(
        [sys.executable, "-c", SERVER], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "{'exited with status 0'}\n", done.stderr
