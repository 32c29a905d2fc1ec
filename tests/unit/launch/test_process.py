"""One bot process: what it finds around it, how its end is told, and that nothing of it is left."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from arena.errors import ArenaError
from arena.launch import BotProcess, Ending, Launch, Manifest, Order, StartFailed, start
from arena.launch.command import Bare
from tests.unit.launch.table import FOREVER, STUBBORN, alive, bot, group, printed, python, shell, spin, until

# ── what a bot finds ────────────────────────────────────────────────────────────────────────────────────────────────


async def output(manifest: Manifest, environment: dict[str, str] | None = None) -> str:
    """All that the bot prints until it ends."""
    process = await start(manifest, environment or {})
    await process.ended()
    return process.log_tail


async def test_runs_in_its_folder(tmp_path: Path) -> None:
    """A bot finds its own files by relative paths."""
    (tmp_path / "weights").write_text("42")
    assert await output(shell(tmp_path, "cat weights")) == "42"


async def test_program_of_its_own(tmp_path: Path) -> None:
    """A command may be a program in the bot's folder, with arguments that no shell touches."""
    (tmp_path / "bot").write_text('#!/bin/sh\necho "$1"\n')
    (tmp_path / "bot").chmod(0o755)
    assert await output(bot(tmp_path, "./bot", "$HOME *")) == "$HOME *\n"


async def test_python_is_the_one_with_the_sdk(tmp_path: Path) -> None:
    """`python` in a bot.toml is the Python that runs the arena, whatever the PATH."""
    assert await output(python(tmp_path, "import sys, arena_sdk; print(sys.executable)")) == f"{sys.executable}\n"


async def test_environment_holds_what_was_given_and_little_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot sees where to join, and nothing of the environment of whoever runs the arena."""
    monkeypatch.setenv("PASSWORD", "secret")
    process = await start(bot(tmp_path, "env"), {"ARENA_TOKEN": "abc"})
    await process.ended()
    seen = dict(line.split("=", 1) for line in process.log_tail.splitlines())
    assert set(seen) == {
        *("PATH", "HOME", "LANG", "LC_ALL", "PYTHONUNBUFFERED", "GRPC_ENABLE_FORK_SUPPORT", "ARENA_TOKEN"),
    }
    assert (seen["ARENA_TOKEN"], seen["LC_ALL"]) == ("abc", "C.UTF-8")
    assert process.environment == {"ARENA_TOKEN": "abc"}


async def test_home_is_private_and_not_the_bots_folder(tmp_path: Path) -> None:
    """What a library writes at home is neither seen by other users nor part of the bot."""
    home, mode = (await output(shell(tmp_path, 'echo "$HOME"; ls -ld "$HOME"'))).splitlines()
    assert home not in (str(tmp_path), str(Path.home()))
    assert mode.startswith("drwx------")


@pytest.mark.parametrize("trap", ["open folder", "link", "file"])
async def test_home_that_somebody_else_has_laid_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trap: str) -> None:
    """No bot is started in a home into which somebody else could put files that run at its start."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    lay_out(tmp_path / f"arena-home-{os.getuid()}", trap)
    with pytest.raises(ArenaError, match="not a folder of yours alone; remove it"):
        await start(bot(tmp_path, "true"), {})


def lay_out(home: Path, trap: str) -> None:
    if trap == "link":
        home.symlink_to(home.parent)
    elif trap == "file":
        home.touch()
    else:
        home.mkdir()
        home.chmod(0o777)


async def test_standard_input_is_empty(tmp_path: Path) -> None:
    """A bot that reads its standard input does not get what is typed to the arena, and waits for nothing."""
    typed, typing = os.pipe()
    os.write(typing, b"yes")
    os.close(typing)
    kept = os.dup(0)
    os.dup2(typed, 0)
    try:
        assert await output(python(tmp_path, "import sys; print(repr(sys.stdin.read()))")) == "''\n"
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        os.close(typed)


async def test_signals_are_as_usual(tmp_path: Path) -> None:
    """A bot is ended by a broken pipe like any program, though Python programs ignore that signal."""
    assert await output(shell(tmp_path, "sh -c 'kill -PIPE $$; echo survived'; echo $?")) == f"{128 + signal.SIGPIPE}\n"


async def test_memory_is_laid_out_alike_at_every_start(tmp_path: Path) -> None:
    """What a bot derives from addresses, as the order of a set of objects, is the same when it plays again."""
    if await output(shell(tmp_path, "setarch -R true")):
        pytest.skip("this host forbids it, as some containers do")
    first_mapping = shell(tmp_path, "head -n 1 /proc/self/maps")
    assert await output(first_mapping) == await output(first_mapping)


async def test_inherits_no_file_of_the_arena(tmp_path: Path) -> None:
    """A bot cannot reach into files and connections that the arena has open, even inheritable ones."""
    secret = os.open(tmp_path, os.O_RDONLY)
    os.set_inheritable(secret, True)
    try:
        seen = await output(python(tmp_path, "import os; print(sorted(map(int, os.listdir('/proc/self/fd')))[:-1])"))
    finally:
        os.close(secret)
    assert seen == "[0, 1, 2]\n"


async def test_wrapper_has_the_last_word(tmp_path: Path) -> None:
    """What a wrapper makes of the command is what runs: the place for a sandbox."""
    seen: list[str] = []

    class Echo(Bare):
        def __call__(self, order: Order) -> Launch:
            seen.append(f"{order.manifest.name}: {order.command}")
            return super().__call__(replace(order, command=("echo", "wrapped")))

    process = await start(bot(tmp_path, "no-such-program"), {}, wrapper=Echo())
    await process.ended()
    assert process.log_tail == "wrapped\n"
    assert seen == ["tester: ('no-such-program',)"]


# ── what it prints ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_both_outputs_in_one_log(tmp_path: Path) -> None:
    """What goes to stdout and to stderr is kept in the order in which it was printed."""
    assert await output(shell(tmp_path, "echo one; echo two >&2; echo three")) == "one\ntwo\nthree\n"


async def test_flood_neither_blocks_nor_costs_memory(tmp_path: Path) -> None:
    """A bot that prints 50 MB runs to its end, and 16 KiB of it are kept."""
    code = "import os; [os.write(1, b'x' * 65536) for _ in range(800)]; print('the end')"
    process = await start(python(tmp_path, code), {})
    assert await process.ended() == Ending(0)
    assert process.log_tail.endswith("xxxthe end\n")
    assert len(process.log_tail) == 16 * 1024


async def test_length_of_the_tail_can_be_chosen(tmp_path: Path) -> None:
    """Who wants less of the log says so."""
    process = await start(shell(tmp_path, "echo 1234567890"), {}, log_bytes=4)
    await process.ended()
    assert process.log_tail == "890\n"


# ── how it ends ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_alive_until_it_ends(tmp_path: Path) -> None:
    """There is no ending while it runs, and exactly one afterwards."""
    process = await start(python(tmp_path, FOREVER), {})
    await printed(process)
    assert process.ending is None
    assert alive(process.pid)
    ending = await process.stop()
    assert process.ending == ending == await process.ended() == await process.stop()


@pytest.mark.parametrize(
    ("code", "ending", "sentence"),
    [
        ("exit 0", Ending(0), "exited with status 0"),
        ("exit 3", Ending(3), "exited with status 3"),
        ("kill -9 $$", Ending(None, signal.SIGKILL), "was killed by signal 9 (SIGKILL)"),
        ("kill -SEGV $$", Ending(None, signal.SIGSEGV), "was killed by signal 11 (SIGSEGV)"),
        ("kill -40 $$", Ending(None, 40), "was killed by signal 40"),
    ],
)
async def test_how_it_ended(tmp_path: Path, code: str, ending: Ending, sentence: str) -> None:
    """The ending says what a record should say: the status, or the signal by its name."""
    process = await start(shell(tmp_path, code), {})
    assert await process.ended() == ending
    assert ending.describe() == sentence


async def test_ending_is_never_out_of_date(tmp_path: Path) -> None:
    """A process that is dead is known to be dead, though the event loop had no time to notice."""
    process = await start(python(tmp_path, FOREVER), {})
    await printed(process)
    os.kill(process.pid, signal.SIGKILL)
    spin(lambda: process.ending)
    assert process.ending == Ending(None, signal.SIGKILL)
    assert await process.ended() == process.ending


async def test_log_is_complete_when_it_has_ended(tmp_path: Path) -> None:
    """The last words of a bot are in its log, though there was much in its pipe when it ended."""
    code = "import fcntl; fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 2**20); print('x' * 900_000, 'the reason')"
    process = await start(python(tmp_path, code), {})
    spin(lambda: process.ending)
    assert await process.ended() == Ending(0)
    assert process.log_tail.endswith("x the reason\n")


async def test_everybody_may_wait_for_the_end(tmp_path: Path) -> None:
    """One who stops waiting does not spoil it for the others."""
    process = await start(python(tmp_path, FOREVER), {})
    impatient, patient = asyncio.create_task(process.ended()), asyncio.create_task(process.ended())
    await printed(process)
    impatient.cancel()
    await asyncio.wait({impatient})
    process.kill()
    assert await patient == Ending(None, signal.SIGKILL)


# ── that nothing is left ────────────────────────────────────────────────────────────────────────────────────────────

FAMILY = "sleep 600 & sleep 600 & echo ready; wait"
FUGITIVE = "import subprocess as s; print(s.Popen(['sleep', '600'], start_new_session=True).pid)"


async def test_stop_asks_first(tmp_path: Path) -> None:
    """A bot that wants to save something at the end gets the time for it."""
    code = "import signal, sys; signal.signal(15, lambda *_: sys.exit('saved')); print('ready'); signal.pause()"
    process = await start(python(tmp_path, code), {})
    await printed(process)
    assert await process.stop(grace=10) == Ending(1)
    assert "saved" in process.log_tail


async def test_stop_kills_who_does_not_listen(tmp_path: Path) -> None:
    """A bot that ignores the request is killed when its time is up."""
    process = await start(python(tmp_path, STUBBORN), {})
    await printed(process)
    assert await process.stop(grace=0.05) == Ending(None, signal.SIGKILL)
    assert not alive(process.pid)


async def test_stop_ends_one_that_stands_still(tmp_path: Path) -> None:
    """A bot that was halted by SIGSTOP is ended like any other."""
    process = await start(python(tmp_path, FOREVER), {})
    await printed(process)
    os.kill(process.pid, signal.SIGSTOP)
    await process.stop(grace=0.05)
    assert not alive(process.pid)


async def test_stop_before_the_bot_is_up(tmp_path: Path) -> None:
    """A bot can be stopped at the very moment of its start."""
    process = await start(python(tmp_path, FOREVER), {})
    await process.stop()
    assert group(process.pid) == set()


async def test_stop_takes_the_whole_group(tmp_path: Path) -> None:
    """Processes that the bot started end with it."""
    process = await start(shell(tmp_path, FAMILY), {})
    await printed(process)
    assert len(group(process.pid)) == 3
    await process.stop()
    await until(lambda: group(process.pid) == set())


async def test_group_goes_with_its_leader(tmp_path: Path) -> None:
    """Processes that a bot leaves behind when it ends by itself are killed, though nobody stops it."""
    process = await start(shell(tmp_path, "trap '' TERM; sleep 600 & sleep 600 & echo ready; exit 5"), {})
    assert await process.ended() == Ending(5)
    await until(lambda: group(process.pid) == set())


async def test_stop_after_a_crash_still_clears_the_group(tmp_path: Path) -> None:
    """Stopping a bot whose first process was killed from outside leaves nothing of the rest."""
    process = await start(shell(tmp_path, FAMILY), {})
    await printed(process)
    os.kill(process.pid, signal.SIGKILL)
    assert await process.stop() == Ending(None, signal.SIGKILL)
    await until(lambda: group(process.pid) == set())


async def test_kill_needs_no_event_loop(tmp_path: Path) -> None:
    """In an emergency the whole group is killed without awaiting anything."""
    process = await start(shell(tmp_path, FAMILY), {})
    await printed(process)
    process.kill()
    assert await process.ended() == Ending(None, signal.SIGKILL)
    await until(lambda: group(process.pid) == set())
    process.kill()


async def test_a_fugitive_cannot_hold_up_the_end(tmp_path: Path) -> None:
    """A process that left the group and keeps the log open does not keep us waiting."""
    process = await start(python(tmp_path, FUGITIVE), {})
    begun = monotonic()
    ending = await process.ended()
    os.kill(int(process.log_tail), signal.SIGKILL)
    assert ending == Ending(0)
    assert monotonic() - begun < 5


async def test_cancelled_stop_kills_at_once(tmp_path: Path) -> None:
    """Whoever loses patience with a stop leaves no bot behind."""
    process = await start(python(tmp_path, STUBBORN), {})
    await printed(process)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(process.stop(grace=600), 0.05)
    assert await process.ended() == Ending(None, signal.SIGKILL)


async def test_two_may_stop_at_once(tmp_path: Path) -> None:
    """Stopping twice at the same time ends it once."""
    process = await start(python(tmp_path, STUBBORN), {})
    await printed(process)
    first, second = await asyncio.gather(process.stop(grace=0.05), process.stop(grace=0.05))
    assert first == second == Ending(None, signal.SIGKILL)


def test_nothing_survives_its_event_loop(tmp_path: Path) -> None:
    """A program that forgets to stop its bots leaves none when its event loop ends, not even a dead one."""

    async def forget() -> BotProcess:
        return await start(python(tmp_path, FOREVER), {})

    pid = asyncio.run(forget()).pid
    assert not Path(f"/proc/{pid}").exists()


# ── that it does not start ──────────────────────────────────────────────────────────────────────────────────────────


async def complaint(manifest: Manifest) -> str:
    """The sentence with which the bot is not started."""
    with pytest.raises(StartFailed) as caught:
        await start(manifest, {})
    assert "\n" not in str(caught.value)
    return str(caught.value)


async def test_unknown_program(tmp_path: Path) -> None:
    """A program that is not installed is named, with the bot that wants it."""
    said = await complaint(bot(tmp_path, "no-such-program", "bot.py"))
    assert "tester cannot be started: its command no-such-program was not found on the PATH" in said


async def test_file_in_the_folder_needs_its_path(tmp_path: Path) -> None:
    """Who names a file of the folder as if it were installed is told how to write it."""
    (tmp_path / "mybot").touch(0o755)
    assert "write ./mybot" in await complaint(bot(tmp_path, "mybot"))


async def test_missing_file(tmp_path: Path) -> None:
    """A program that is not in the folder is named."""
    assert "its command ./mybot does not exist" in await complaint(bot(tmp_path, "./mybot"))


async def test_file_that_is_not_executable(tmp_path: Path) -> None:
    """A script without its executable bit is named, with the cure."""
    (tmp_path / "mybot").touch(0o644)
    assert "chmod +x" in await complaint(bot(tmp_path, "./mybot"))


async def test_folder_that_went_away(tmp_path: Path) -> None:
    """A bot whose folder was removed since its manifest was read does not start."""
    said = await complaint(bot(tmp_path / "gone", "python"))
    assert "tester cannot be started" in said
    assert "No such file or directory" in said


async def test_script_for_an_interpreter_that_is_not_there(tmp_path: Path) -> None:
    """The log of a script that cannot be run says why."""
    (tmp_path / "bot").write_text("#!/no/such/interpreter\n")
    (tmp_path / "bot").chmod(0o755)
    process = await start(bot(tmp_path, "./bot"), {})
    assert await process.ended() == Ending(127)
    assert "cannot run './bot': No such file or directory; if it is a script" in process.log_tail
