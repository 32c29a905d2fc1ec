"""The life of one bot process: started in a group of its own, watched, and ended with all that it started.

A process is started with `subprocess.Popen` and watched through a file descriptor of the kernel, and not with
`asyncio.create_subprocess_exec`: uvloop implements that with a fork that runs Python in the child, and while gRPC was
serving a fifth of the children died in it by SIGSEGV. `Popen` runs no Python between fork and exec, and lets the child
inherit no file descriptor of the arena. It also leaves nothing to await, so that no start can be half done.
"""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from arena.launch.build import place_of
from arena.launch.cgroup import Group, wait_until_removed
from arena.launch.command import NOT_CONFINED, Launch, Order, Wrapper, bare, cannot_start, on_leash
from arena.launch.family import is_stopped
from arena.launch.log import TAIL_BYTES, Log
from arena.launch.manifest import Manifest, shown
from arena.launch.usage import Usage, usage_of

DRAIN_PATIENCE = 0.5
"""Seconds to wait for the rest of the log when somebody outside the group still holds the pipe open."""

FAREWELL = 2.0
"""Seconds in which the kernel has to clear away the dead of a group."""

WALLS = 2
"""How many generations of bubblewrap stand between the arena and a bot in a sandbox."""

FAULTS_OF_THE_BOT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ENOEXEC, errno.E2BIG})
"""Reasons for which one bot does not start; all others (no memory, no file descriptors) are troubles of the arena."""


_MAXRSS_PER_KB = 1024 if sys.platform == "darwin" else 1


@dataclass(frozen=True, slots=True)
class Ending:
    """How a process ended."""

    exit_status: int | None
    """None when a signal ended it."""
    signal: int = 0
    """0 when it ended by itself."""
    usage: Usage = field(default=Usage(), compare=False)
    """What it had used in the end, with those of its children that it had waited for."""

    def describe(self) -> str:
        """The end of a sentence that begins with the name of the bot."""
        if self.signal:
            return f"was killed by signal {_signal_name(self.signal)}"
        return f"exited with status {self.exit_status}"


def _signal_name(number: int) -> str:
    try:
        return f"{number} ({signal.Signals(number).name})"
    except ValueError:
        return str(number)


class BotProcess:
    """A bot that was started. Made by `start`; it belongs to the event loop in which it was made."""

    def __init__(self, order: Order, launch: Launch, child: subprocess.Popen[bytes], log: Log) -> None:
        self.manifest = order.manifest
        self.environment: Mapping[str, str] = MappingProxyType(dict(order.environment))
        """What was given to `start`."""
        self.confinement = launch.confinement
        """What keeps it from the machine, in words."""
        self._child = child
        self._log = log
        self._group = launch.group
        self.memory_kills = 0
        """After its end: how many of its processes were killed because together they took too much memory."""
        self._ending: Ending | None = None
        self._handle = _handle_of(child)
        self._watching = asyncio.create_task(self._watch(), name=f"watch {self.manifest.name}")
        # Not a `finally` in the task: one that is cancelled before its first step never reaches it.
        self._watching.add_done_callback(self._let_go)

    def __repr__(self) -> str:
        return f"<BotProcess {self.manifest.name} {self.pid}>"

    @property
    def pid(self) -> int:
        """The number of the process, and of its group."""
        return self._child.pid

    @property
    def log_tail(self) -> str:
        """The last that it printed, on stdout or stderr, as text that is safe to show."""
        return self._log.tail

    @property
    def usage(self) -> Usage:
        """What it has used so far, or had used when it ended."""
        if (ending := self.ending) is not None:
            return ending.usage
        return self._group.usage() if self._group else usage_of(self.pid)

    def begin_chapter(self, mark: Callable[[], int]) -> None:
        """From now on, keep what it prints also by itself, each line with the mark of the moment."""
        self._log.begin_chapter(mark)

    @property
    def chapter(self) -> list[tuple[int, str]]:
        """What it has printed since, the last lines of it if they are many, with their marks."""
        return self._log.chapter

    @property
    def ending(self) -> Ending | None:
        """None while it lives. This looks at the process itself, so it is never out of date."""
        if self._ending is None and _has_exited(self._child):
            self._settle()
        return self._ending

    @property
    def stopped(self) -> bool:
        """Whether it does not run because it was stopped, as by SIGSTOP."""
        return is_stopped(self.pid, after=WALLS if self._confined else 0)

    @property
    def _confined(self) -> bool:
        return self.confinement != NOT_CONFINED

    async def ended(self) -> Ending:
        """Waits for the end of the process. After that its group is gone too, and its log complete."""
        return await asyncio.shield(self._watching)

    async def stop(self, grace: float = 1.0) -> Ending:
        """End it and its group: by SIGTERM, and after ``grace`` seconds by SIGKILL.

        May be called at any time and more than once. When cancelled it kills at once.
        """
        if self.ending is None:
            try:
                self._signal(signal.SIGTERM)
                await asyncio.wait({self._watching}, timeout=grace)
            finally:
                self.kill()
        return await self.ended()

    def kill(self) -> None:
        """Kill it and its group now, without waiting: for exits in which nothing can be awaited any more."""
        if self._ending is None:
            self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):  # macOS says the latter of a group of dead processes.
            os.killpg(self.pid, number)
        if self._group and number is signal.SIGKILL:
            self._group.kill()

    async def _watch(self) -> Ending:
        await _exit_of(self._child, self._handle)
        ending = self._settle()
        await self._log.drained(DRAIN_PATIENCE)
        if self._group:
            await _cleared_away(self._group)
        return ending

    def _settle(self) -> Ending:
        """Kill what is left in the group, then reap its leader, with whom the bot is over.

        In this order, because until it is reaped the kernel cannot give its number to a stranger.
        """
        if self._ending is None:
            self.kill()
            ending = _reap(self._child, relayed=self._confined)
            if self._group:
                self.memory_kills = self._group.memory_kills()
                ending = replace(ending, usage=self._group.usage())
            self._ending = ending
        return self._ending

    def _let_go(self, watching: asyncio.Task[Ending]) -> None:
        """The process is still alive here when, and only when, the event loop is being closed."""
        self._settle()
        self._log.close()
        if self._group and watching.cancelled():
            wait_until_removed(self._group, FAREWELL)
        if self._handle is not None:
            os.close(self._handle)


def _handle_of(child: subprocess.Popen[bytes]) -> int | None:
    """A file descriptor that becomes readable when the process exits; None where there is no such thing."""
    if sys.platform != "linux":
        return None
    try:
        return os.pidfd_open(child.pid)
    except OSError:  # A kernel older than 5.3.
        return None


async def _exit_of(child: subprocess.Popen[bytes], handle: int | None) -> None:
    """Returns when the process has exited, and leaves it to be reaped."""
    if handle is not None:
        await _readable(handle)
    while not _has_exited(child):  # noqa: ASYNC110 - without a handle there is nothing to wait for
        await asyncio.sleep(0.02)


async def _readable(source: int) -> None:
    loop = asyncio.get_running_loop()
    seen = asyncio.Event()
    loop.add_reader(source, seen.set)
    try:
        await seen.wait()
    finally:
        loop.remove_reader(source)


def _has_exited(child: subprocess.Popen[bytes]) -> bool:
    if sys.platform != "linux":
        return child.poll() is not None
    try:
        return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:  # It was reaped: by us, or by the kernel if the arena was started with SIGCHLD ignored.
        return True


def _reap(child: subprocess.Popen[bytes], *, relayed: bool) -> Ending:
    """How the process ended that has just exited or been killed.

    Bubblewrap relays a signal as shells do, by a status above 128.
    """
    try:
        _, raw, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(raw)
        usage = Usage(int((used.ru_utime + used.ru_stime) * 1e6), used.ru_maxrss // _MAXRSS_PER_KB)
    except ChildProcessError:  # see `_has_exited`
        child.wait()
        usage = Usage()
    status = child.returncode
    if relayed and 128 < status < 128 + signal.NSIG:
        status = 128 - status
    return Ending(status, usage=usage) if status >= 0 else Ending(None, -status, usage)


async def _cleared_away(group: Group) -> None:
    """Returns when nobody is left in the group, or when the kernel takes too long over it."""
    with suppress(TimeoutError):
        async with asyncio.timeout(FAREWELL):
            while not group.remove():
                group.kill()
                await asyncio.sleep(0.002)


async def start(
    manifest: Manifest, environment: Mapping[str, str], *, wrapper: Wrapper = bare, log_bytes: int = TAIL_BYTES
) -> BotProcess:
    """Start a bot, after its build if it has one.

    Raises `StartFailed`. When cancelled it leaves no process behind.
    """

    def launch(order: Order) -> BotProcess:
        with _prepared(wrapper, order) as prepared:
            child, log = _spawn(manifest, prepared, log_bytes)
        return BotProcess(order, prepared, child, log)

    folder = await place_of(manifest, wrapper, launch)
    return launch(Order(manifest, manifest.command, environment, folder))


@contextmanager
def _prepared(wrapper: Wrapper, order: Order) -> Iterator[Launch]:
    """What the wrapper makes of the order. Its files are closed in the end, and its group is removed if that fails."""
    launch = wrapper(order)
    try:
        yield launch
    except BaseException:
        if launch.group:
            launch.group.remove()
        raise
    finally:
        for file in launch.files:
            os.close(file)


def _spawn(manifest: Manifest, launch: Launch, log_bytes: int) -> tuple[subprocess.Popen[bytes], Log]:
    reading, writing = os.pipe()
    log = Log(reading, log_bytes)
    try:
        return _popen(manifest, launch, writing), log
    except BaseException:
        log.close()
        raise
    finally:
        os.close(writing)


def _popen(manifest: Manifest, launch: Launch, output: int) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            on_leash(launch),
            cwd=launch.folder,
            env=launch.environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            pass_fds=launch.files,
        )
    except OSError as error:
        if error.errno not in FAULTS_OF_THE_BOT:
            raise
        raise cannot_start(manifest, f"{shown(str(error.filename))}: {error.strerror}") from error
