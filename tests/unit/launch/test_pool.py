"""The pool: processes are kept for the next game, and none is left when it closes."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path

import pytest

from arena.launch import BotProcess, Manifest, Pool, StartFailed
from tests.unit.launch.table import FOREVER, STUBBORN, alive, bot, group, printed, python, spin, until


def nothing(manifest: Manifest) -> Mapping[str, str]:
    return {}


@pytest.fixture
def owl(tmp_path: Path) -> Manifest:
    """A bot that plays for ever."""
    (tmp_path / "owl").mkdir()
    return python(tmp_path / "owl", FOREVER)


@pytest.fixture
def eagle(tmp_path: Path) -> Manifest:
    """A bot that does not stop when it is asked to."""
    (tmp_path / "eagle").mkdir()
    return python(tmp_path / "eagle", STUBBORN)


def gone(*processes: BotProcess) -> bool:
    return all(process.ending is not None and group(process.pid) == set() for process in processes)


async def test_process_is_used_again(owl: Manifest) -> None:
    """The next game is played by the process that played the last one."""
    async with Pool(nothing) as pool:
        first = await pool.take(owl)
        pool.give_back(first)
        assert await pool.take(owl) is first


async def test_process_in_use_is_not_shared(owl: Manifest) -> None:
    """A bot that plays against itself does so with two processes."""
    async with Pool(nothing) as pool:
        first, second = await pool.take(owl), await pool.take(owl)
        assert first.pid != second.pid


async def test_giving_back_twice_does_not_share_it(owl: Manifest) -> None:
    """A process that was given back twice is handed out once."""
    async with Pool(nothing) as pool:
        first = await pool.take(owl)
        pool.give_back(first)
        pool.give_back(first)
        assert await pool.take(owl) is not await pool.take(owl)


async def test_bots_are_told_apart_by_their_folders(owl: Manifest, eagle: Manifest) -> None:
    """Nobody gets the process of another bot, though they have the same name."""
    async with Pool(nothing) as pool:
        pool.give_back(await pool.take(owl))
        assert (await pool.take(eagle)).manifest == eagle


async def test_each_process_has_an_environment_of_its_own(tmp_path: Path) -> None:
    """Each new process gets what was made for it, and one that is used again keeps it."""
    tokens = iter("abc")
    async with Pool(lambda manifest: {"ARENA_TOKEN": next(tokens)}) as pool:
        manifest = bot(tmp_path, "sh", "-c", "echo $ARENA_TOKEN; exec sleep 600")
        first, second = await pool.take(manifest), await pool.take(manifest)
        await printed(first, "a\n")
        await printed(second, "b\n")
        pool.give_back(first)
        assert (await pool.take(manifest)).environment == {"ARENA_TOKEN": "a"}


async def test_who_died_while_idle_is_not_handed_out(owl: Manifest) -> None:
    """A process that was killed between two games is replaced, even when it was killed this very moment."""
    async with Pool(nothing) as pool:
        first = await pool.take(owl)
        await printed(first)
        pool.give_back(first)
        os.kill(first.pid, signal.SIGKILL)
        spin(lambda: not alive(first.pid))
        second = await pool.take(owl)
        assert second is not first
        assert second.ending is None


async def test_discarded_process_is_stopped(owl: Manifest) -> None:
    """A process that misbehaved is ended, and somebody else plays the next game."""
    async with Pool(nothing) as pool:
        first = await pool.take(owl)
        await pool.discard(first)
        assert gone(first)
        pool.give_back(first)
        assert await pool.take(owl) is not first


async def test_idle_process_can_be_discarded(owl: Manifest) -> None:
    """A process may be discarded after it was given back."""
    async with Pool(nothing) as pool:
        first = await pool.take(owl)
        pool.give_back(first)
        await pool.discard(first)
        assert await pool.take(owl) is not first


async def test_leaving_stops_all(owl: Manifest) -> None:
    """Processes in use, idle and dead are all gone when the context ends."""
    async with Pool(nothing) as pool:
        playing, idle, dead = [await pool.take(owl) for _ in range(3)]
        pool.give_back(idle)
        os.kill(dead.pid, signal.SIGKILL)
    assert gone(playing, idle, dead)


async def test_leaving_stops_all_at_the_same_time(eagle: Manifest) -> None:
    """Four bots that do not listen take as long to end as one."""
    async with Pool(nothing) as pool:
        processes = [await pool.take(eagle) for _ in range(4)]
        await asyncio.gather(*map(printed, processes))
        begun = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - begun < 3
    assert gone(*processes)


async def test_leaving_by_an_error_stops_all(owl: Manifest) -> None:
    """An error passes through, and leaves no process behind."""
    taken: list[BotProcess] = []

    async def play() -> None:
        async with Pool(nothing) as pool:
            taken.append(await pool.take(owl))
            raise LookupError("a shelf")

    with pytest.raises(LookupError, match="a shelf"):
        await play()
    assert gone(*taken)


async def test_leaving_by_cancellation_stops_all(owl: Manifest) -> None:
    """Ctrl-C in the middle of a game leaves no process behind."""
    taken: list[BotProcess] = []

    async def play() -> None:
        async with Pool(nothing) as pool:
            taken.append(await pool.take(owl))
            await asyncio.Event().wait()

    playing = asyncio.create_task(play())
    await until(lambda: taken)
    playing.cancel()
    await asyncio.wait({playing})
    assert playing.cancelled()
    assert gone(*taken)


async def test_cancelled_while_leaving(eagle: Manifest) -> None:
    """A second Ctrl-C while bots are being asked to end kills them at once, and they are gone when it is over."""
    leaving = asyncio.Event()
    taken: list[BotProcess] = []

    async def play() -> None:
        async with Pool(nothing) as pool:
            taken.extend([await pool.take(eagle), await pool.take(eagle)])
            await asyncio.gather(*map(printed, taken))
            leaving.set()

    playing = asyncio.create_task(play())
    await leaving.wait()
    begun = asyncio.get_running_loop().time()
    playing.cancel()
    await asyncio.wait({playing})
    assert playing.cancelled()
    assert gone(*taken)
    assert asyncio.get_running_loop().time() - begun < 0.9


async def test_start_that_fails(tmp_path: Path) -> None:
    """A bot that cannot be started is an error of that bot alone; the pool goes on."""
    async with Pool(nothing) as pool:
        with pytest.raises(StartFailed, match="no-such-program"):
            await pool.take(bot(tmp_path, "no-such-program"))
        assert (await pool.take(python(tmp_path, FOREVER))).ending is None


async def test_leaving_while_bots_are_being_built(tmp_path: Path) -> None:
    """A pool that closes during a build ends the build, and whoever waited for that bot is told so."""
    manifest = bot(tmp_path, "true", build=("sh", "-c", "echo $$ > leader; sleep 600"))
    async with Pool(nothing) as pool:
        taking = asyncio.create_task(pool.take(manifest))
        await until(lambda: (tmp_path / "leader").exists() and (tmp_path / "leader").read_text())
    leader = int((tmp_path / "leader").read_text())
    await until(lambda: group(leader) == set())
    with pytest.raises(StartFailed, match="games are being ended"):
        await taking


@pytest.mark.parametrize("steps", range(6))
async def test_cancelled_take_loses_no_process(owl: Manifest, steps: int) -> None:
    """At whatever moment a take is cancelled, its process is either never started, or idle for the next."""
    started: list[Manifest] = []

    def note(manifest: Manifest) -> Mapping[str, str]:
        started.append(manifest)
        return {}

    async with Pool(note) as pool:
        taking = asyncio.create_task(pool.take(owl))
        for _ in range(steps):
            await asyncio.sleep(0)
        taking.cancel()
        await asyncio.wait({taking})
        if not taking.cancelled():
            pool.give_back(taking.result())
        process = await pool.take(owl)
        assert len(started) == 1
    assert gone(process)


async def test_closed_pool_gives_nothing(owl: Manifest) -> None:
    """Nothing can be started in a pool that is closed."""
    async with Pool(nothing) as pool:
        pass
    with pytest.raises(RuntimeError, match="closed"):
        await pool.take(owl)
