"""Live bot processes, kept from game to game: starting one costs more than playing several games with it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.launch.command import StartFailed, Wrapper, bare
from arena.launch.manifest import Manifest
from arena.launch.process import BotProcess, start


class Pool:
    """An async context manager: no process that it started is left when the context ends, however it ends."""

    def __init__(self, environment: Callable[[Manifest], Mapping[str, str]], *, wrapper: Wrapper = bare) -> None:
        """``environment`` gives each new process what it shall find there: where to join, with what token."""
        self._environment = environment
        self._wrapper = wrapper
        self._live: set[BotProcess] = set()
        self._idle: defaultdict[Path, list[BotProcess]] = defaultdict(list)
        self._starting: set[asyncio.Task[BotProcess]] = set()
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        closing = asyncio.create_task(self._close())
        try:
            await asyncio.shield(closing)
        except asyncio.CancelledError:
            for process in self._live:
                process.kill()
            await closing
            raise

    async def take(self, manifest: Manifest) -> BotProcess:
        """A live process of this bot that nobody else has: an idle one, or else a new one. Raises `StartFailed`."""
        if self._closed:
            raise RuntimeError("the pool is closed")
        return self._take_idle(manifest) or await self._take_new(manifest)

    def give_back(self, process: BotProcess) -> None:
        """Say that the process may be taken again."""
        idle = self._idle[process.manifest.folder]
        if process in self._live and process not in idle:
            idle.append(process)

    async def discard(self, process: BotProcess) -> None:
        """Stop the process, and do not hand it out again."""
        self._withdraw(process)
        try:
            await process.stop()
        finally:
            self._live.discard(process)

    def _take_idle(self, manifest: Manifest) -> BotProcess | None:
        idle = self._idle[manifest.folder]
        while idle:
            process = idle.pop()
            if process.ending is None:
                return process
            self._live.discard(process)
        return None

    async def _take_new(self, manifest: Manifest) -> BotProcess:
        starting = asyncio.create_task(self._start(manifest))
        self._starting.add(starting)
        starting.add_done_callback(self._starting.discard)
        try:
            return await starting
        except asyncio.CancelledError:
            if starting.done() and not starting.cancelled() and starting.exception() is None:
                self.give_back(starting.result())
            if self._closed and not _being_cancelled():
                raise StartFailed(f"{manifest.name} was not started, because the games are being ended") from None
            raise

    async def _start(self, manifest: Manifest) -> BotProcess:
        process = await start(manifest, self._environment(manifest), wrapper=self._wrapper)
        self._live.add(process)
        return process

    def _withdraw(self, process: BotProcess) -> None:
        idle = self._idle[process.manifest.folder]
        if process in idle:
            idle.remove(process)

    async def _close(self) -> None:
        self._closed = True
        self._idle.clear()
        starting = tuple(self._starting)
        for task in starting:
            task.cancel()
        await asyncio.gather(*starting, return_exceptions=True)
        await asyncio.gather(*(process.stop() for process in self._live))
        self._live.clear()


def _being_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
