"""The build step of a bot: run before its first start, and once only."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from arena.launch.command import Order, StartFailed, Wrapper, line
from arena.launch.limits import BUILT_MB, MB
from arena.launch.manifest import Manifest
from arena.launch.workshop import copy_in_progress, finished_copy, keep, weight

if TYPE_CHECKING:
    from arena.launch.process import BotProcess

LIMIT = 600.0
"""Seconds after which a build is given up."""

WEIGHED_EVERY = 0.5
"""Seconds. No limit of the kernel bounds what a folder on a disk takes."""

_places: dict[tuple[Path, bool], Path] = {}
"""Where the bots run that this process has built, by their folder and whether they are kept apart.

Compilers, and the workshop, have memories of their own for the next process.
"""

_locks: WeakKeyDictionary[asyncio.AbstractEventLoop, defaultdict[Path, asyncio.Lock]] = WeakKeyDictionary()

Launcher = Callable[[Order], "BotProcess"]


async def place_of(manifest: Manifest, wrapper: Wrapper, launch: Launcher) -> Path:
    """The folder in which the bot can be started. Builds it first if it has to be. Raises `StartFailed`."""
    apart = wrapper.apart(manifest)
    if manifest.build is None and not apart:
        return manifest.folder
    async with _lock(manifest.folder):
        key = manifest.folder, apart
        if key not in _places:
            make = _made_apart if apart else _made_in_place
            _places[key] = await make(manifest, launch)
        return _places[key]


def _lock(folder: Path) -> asyncio.Lock:
    return _locks.setdefault(asyncio.get_running_loop(), defaultdict(asyncio.Lock))[folder]


async def _made_in_place(manifest: Manifest, launch: Launcher) -> Path:
    await _build(manifest, manifest.folder, launch)
    return manifest.folder


async def _made_apart(manifest: Manifest, launch: Launcher) -> Path:
    finished = await asyncio.to_thread(finished_copy, manifest)
    if not finished.is_dir():
        with copy_in_progress(manifest) as copy:
            await _build(manifest, copy, launch)
            keep(copy, finished)
    return finished


async def _build(manifest: Manifest, folder: Path, launch: Launcher) -> None:
    if manifest.build is None:
        return
    work = launch(Order(manifest, manifest.build, {}, folder, building=True))
    try:
        async with asyncio.timeout(LIMIT):
            problem = await _overweight(folder, work)
        ending = work.ending
        if not problem and ending is not None and ending.exit_status != 0:
            problem = ending.describe()
    except TimeoutError:
        problem = f"did not end within {LIMIT:.0f} s"
    finally:
        await work.stop(grace=0)
    if problem:
        raise StartFailed(_sentence(manifest, problem, work.log_tail), work.log_tail)


async def _overweight(folder: Path, work: BotProcess) -> str:
    """Waits for the end of the build, or until it has filled the folder beyond measure."""
    ended = asyncio.ensure_future(work.ended())
    while not ended.done():
        await asyncio.wait({ended}, timeout=WEIGHED_EVERY)
        if weight(folder) > BUILT_MB * MB:
            ended.cancel()
            return f"left more than {BUILT_MB} MB in its folder"
    return ""


def _sentence(manifest: Manifest, problem: str, log_tail: str) -> str:
    printed = log_tail.strip()
    last = f"; the last it printed was: {printed.splitlines()[-1].strip()[:200]}" if printed else ""
    return f"{manifest.name} cannot be started: its build ({line(manifest.build or ())}) {problem}{last}"
