"""Bots made of a line or two, and eyes to see whether their processes are gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from arena.launch import BotProcess, Manifest

FOREVER = "import time; print('ready', flush=True); time.sleep(600)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {FOREVER}"


def bot(folder: Path, *command: str, build: tuple[str, ...] | None = None) -> Manifest:
    """A bot that runs the command."""
    return Manifest(name="tester", games=("shelfie",), command=command, build=build, folder=folder)


def python(folder: Path, code: str) -> Manifest:
    """A bot that runs the Python code."""
    return bot(folder, "python", "-c", code)


def shell(folder: Path, code: str) -> Manifest:
    """A bot that runs the shell commands."""
    return bot(folder, "sh", "-c", code)


def alive(pid: int) -> bool:
    """Whether the process runs; one that is dead but not yet reaped does not."""
    return _status(Path(f"/proc/{pid}"))[:1] not in ([], ["Z"], ["X"])


def group(leader: int) -> set[int]:
    """The living members of a process group."""
    folders = [path for path in Path("/proc").iterdir() if path.name.isdigit()]
    members = {int(path.name) for path in folders if _status(path)[2:3] == [str(leader)]}
    return {pid for pid in members if alive(pid)}


def _status(folder: Path) -> list[str]:
    """State, parent, group and more of a process; nothing when there is no such process."""
    try:
        return (folder / "stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


async def until(condition: Callable[[], object], seconds: float = 10.0) -> None:
    """Wait for the condition to hold, and fail when it does not within so many seconds."""
    deadline = monotonic() + seconds
    while not condition():
        assert monotonic() < deadline, "it never happened"
        await asyncio.sleep(0.005)


def spin(condition: Callable[[], object], seconds: float = 10.0) -> None:
    """Wait like `until`, but with the event loop standing still, so that it cannot notice anything meanwhile."""
    deadline = monotonic() + seconds
    while not condition():
        assert monotonic() < deadline, "it never happened"


async def printed(process: BotProcess, word: str = "ready") -> None:
    """Wait until the bot has printed the word."""
    await until(lambda: word in process.log_tail)
