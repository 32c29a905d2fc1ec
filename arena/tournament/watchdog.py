"""Tells whether a bot was late, or the machine was.

A time-out is the bot's fault only if the machine let it run. There are three signs that it did not: the referee's own
timer came late, so that the core stood still or was suspended; the host of a virtual machine took the time for others;
or the kernel says that the bot wanted to run and had to wait for a processor.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic_ns
from typing import Final, NamedTuple, Protocol

TICK_NS: Final = 50_000_000
"""How often it looks."""
NOTED_NS: Final = 50_000_000
"""A look that comes later than this is a stall."""
SHARE: Final = 0.2
"""The part of a bot's time that must have been lost before the bot is excused."""
REMEMBERED: Final = 1024

_TICKS_NS: Final = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


class Times(NamedTuple):
    """What the kernel says of the threads of a bot, added up."""

    ran_ns: int
    waited_ns: int
    """For a processor, when they wanted to run."""


class Look(NamedTuple):
    """What was found when a bot that thinks was first looked at."""

    asked_ns: int
    at_ns: int
    times: Times


class Watched(Protocol):
    """A bot, as the watchdog sees it."""

    @property
    def asked_ns(self) -> int:
        """When it was asked what it has not answered yet; 0 when there is nothing."""

    def times(self) -> Times:
        """How long it has run and waited since it was started."""


class Stall(NamedTuple):
    """A time in which the machine did not do our work."""

    end_ns: int
    lost_ns: int


class Watchdog:
    """Watches an event loop and the bots that think while it waits."""

    def __init__(
        self,
        bots: Callable[[], Iterable[Watched]] = tuple,
        now: Callable[[], int] = monotonic_ns,
        stolen: Callable[[], int] | None = None,
    ) -> None:
        self._bots = bots
        self._now = now
        self._stolen = stolen or stolen_ns
        self._stalls: deque[Stall] = deque(maxlen=REMEMBERED)
        self._looks: dict[int, Look] = {}
        """The first look at each bot that thinks for long, by its id."""
        self._due_ns = 0
        self._taken_ns = 0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self._taken_ns = self._stolen()
        self._set()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def excuse(self, limit_ns: int, bot: Watched | None) -> str:
        """Why a bot that had so much time until now is not to blame for being late; empty when it is."""
        waited = 0 if bot is None else self._waited_ns(bot)
        self.look()
        stood = self._stood_still_ns(limit_ns)
        if max(stood, waited) < max(NOTED_NS, SHARE * limit_ns):
            return ""
        of = f"of the {limit_ns / 1e6:,.0f} ms that a bot had"
        if stood >= waited:
            return f"The machine stood still for {stood / 1e6:,.0f} ms {of}, so its being late counts for nothing."
        return f"A bot waited for a processor for {waited / 1e6:,.0f} ms {of}, so its being late counts for nothing."

    def _stood_still_ns(self, limit_ns: int) -> int:
        since = self._now() - limit_ns
        return sum(min(stall.lost_ns, stall.end_ns - since) for stall in self._stalls if stall.end_ns > since)

    def _waited_ns(self, bot: Watched) -> int:
        first = self._looks.get(id(bot))
        if first is None:
            return 0
        ran, waited = (now - then for now, then in zip(bot.times(), first.times, strict=True))
        # Threads that only wait for one another have lost nothing: while they do, the bot runs.
        return min(waited, self._now() - first.at_ns - ran)

    def look(self) -> None:
        """Take note of how late it is, of what the host has taken, and of the bots that have been thinking for long."""
        now = self._now()
        late = now - self._due_ns
        taken, self._taken_ns = self._stolen() - self._taken_ns, self._stolen()
        if late > NOTED_NS:
            self._stalls.append(Stall(now, late))
            self._due_ns = now
        elif taken:
            self._stalls.append(Stall(now, taken))
        self._look_at_bots(now)

    def _look_at_bots(self, now: int) -> None:
        thinking = {id(bot): bot for bot in self._bots() if bot.asked_ns and now - bot.asked_ns > TICK_NS // 2}
        for key in self._looks.keys() - thinking.keys():
            del self._looks[key]
        for key, bot in thinking.items():
            if key not in self._looks or self._looks[key].asked_ns != bot.asked_ns:
                self._looks[key] = Look(bot.asked_ns, now, bot.times())

    def _set(self) -> None:
        self._due_ns = self._now() + TICK_NS
        self._timer = asyncio.get_running_loop().call_later(TICK_NS / 1e9, self._tick)

    def _tick(self) -> None:
        self.look()
        self._set()


def stolen_ns() -> int:
    """What the host of a virtual machine took of a core that this process may use, on average, since it was booted."""
    with suppress(OSError, ValueError, IndexError, AttributeError):
        cores = {f"cpu{core}" for core in os.sched_getaffinity(0)}
        lines = [line.split() for line in Path("/proc/stat").read_text().splitlines()]
        return sum(int(words[8]) for words in lines if words[0] in cores) * _TICKS_NS // len(cores)
    return 0
