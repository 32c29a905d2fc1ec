"""Joins the rooms: specs in, records out."""

from __future__ import annotations

import asyncio
import signal
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from arena.launch import Manifest, Wrapper
from arena.record import MatchRecord, MatchSpec
from arena.tournament.house import EXCUSED, House

T = TypeVar("T")

AHEAD = 4
"""How many times as many matches are under way or waiting to be read as are in flight: one long game holds up few."""


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, on the fastest event loop there is. Ctrl-C cancels it: KeyboardInterrupt.

    SIGTERM does the same, so that bots and sockets are cleared away. To be called in the main thread.
    """
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.get_loop().add_signal_handler(signal.SIGTERM, signal.raise_signal, signal.SIGINT)
        return runner.run(main)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def again(spec: MatchSpec) -> MatchSpec:
    """The next attempt at a match that came out void."""
    return replace(spec, attempt=spec.attempt + 1)


async def play_matches(
    specs: Iterable[MatchSpec], bots: Mapping[str, Manifest], *, in_flight: int = 1, wrapper: Wrapper | None = None
) -> AsyncGenerator[MatchRecord]:
    """Play matches with live bots, up to ``in_flight`` at once if all offer it, and give the records in schedule order.

    Raises BotFailed when a bot of the first line-up cannot be had; one that is lost later forfeits.
    """
    schedule = iter(specs)
    first = next(schedule, None)
    if first is None:
        return
    async with House(bots, wrapper=wrapper) as house:
        width = min(in_flight, await house.welcome(first.lineup))
        tables = asyncio.Semaphore(width)

        async def play(spec: MatchSpec) -> MatchRecord:
            async with tables:
                record = await house.play(spec, width)
                while record.outcome is None and record.spec.attempt < EXCUSED:
                    record = await house.play(again(record.spec), width)
                return record

        window = deque([asyncio.create_task(play(first))])
        try:
            while window:
                while len(window) < AHEAD * width and (spec := next(schedule, None)) is not None:
                    window.append(asyncio.create_task(play(spec)))
                yield await window[0]
                window.popleft()
        finally:
            for task in window:
                task.cancel()
            await asyncio.gather(*window, return_exceptions=True)
