"""The build step of a bot: run before its first start, and once only."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from arena.launch.command import StartFailed, line
from arena.launch.manifest import Manifest

if TYPE_CHECKING:
    from arena.launch.process import BotProcess

LIMIT = 600.0
"""Seconds after which a build is given up."""

_built: set[Path] = set()
"""The folders that this process has built. Compilers have memories of their own for the next process."""

_locks: WeakKeyDictionary[asyncio.AbstractEventLoop, defaultdict[Path, asyncio.Lock]] = WeakKeyDictionary()


async def build_once(manifest: Manifest, launch: Callable[[Sequence[str], Mapping[str, str]], BotProcess]) -> None:
    """Run the build of the bot, unless it has none or it was done before. Raises `StartFailed`.

    A build has the home of whoever runs the arena: there compilers keep themselves and their caches.
    """
    if manifest.build is None or manifest.folder in _built:
        return
    async with _lock(manifest.folder):
        if manifest.folder not in _built:
            await _build(manifest, manifest.build, launch(manifest.build, {"HOME": str(Path.home())}))
            _built.add(manifest.folder)


def _lock(folder: Path) -> asyncio.Lock:
    return _locks.setdefault(asyncio.get_running_loop(), defaultdict(asyncio.Lock))[folder]


async def _build(manifest: Manifest, command: tuple[str, ...], work: BotProcess) -> None:
    try:
        async with asyncio.timeout(LIMIT):
            ending = await work.ended()
        problem = ending.describe() if ending.exit_status != 0 else ""
    except TimeoutError:
        problem = f"did not end within {LIMIT:.0f} s"
    finally:
        await work.stop(grace=0)
    if problem:
        raise StartFailed(_sentence(manifest, command, problem, work.log_tail), work.log_tail)


def _sentence(manifest: Manifest, command: tuple[str, ...], problem: str, log_tail: str) -> str:
    printed = log_tail.strip()
    last = f"; the last it printed was: {printed.splitlines()[-1].strip()[:200]}" if printed else ""
    return f"{manifest.name} cannot be started: its build ({line(command)}) {problem}{last}"
