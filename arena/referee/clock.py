"""Time: the clock that charges a seat, and the alarm that rings when an answer is overdue."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from arena.record import VerdictKind
from arena.referee.verdict import Forfeit
from arena_sdk.events import TimeControl

Now = Callable[[], int]
"""A monotonic clock in nanoseconds."""


class Clock:
    """The time of one seat: so much for every move, and a bank for the whole game that pays for what goes beyond."""

    __slots__ = ("_bank_ns", "_move_ns", "left_ms", "limit_ns")

    def __init__(self, control: TimeControl) -> None:
        self._move_ns = control.move_ms * 1_000_000
        self._bank_ns = control.bank_ms * 1_000_000
        self._set_limit()

    def _set_limit(self) -> None:
        self.limit_ns = self._move_ns + self._bank_ns
        """The most that the next move may take. 0 means no limit."""
        self.left_ms = max(1, self.limit_ns // 1_000_000) if self.limit_ns else 0
        """The same as the bot is told, in milliseconds."""

    def charge(self, taken_ns: int) -> None:
        """Take note of a move. Raises Forfeit when it has taken more than the limit."""
        if taken_ns > self._move_ns and self.limit_ns:
            if taken_ns > self.limit_ns:
                raise overdue(self.limit_ns, f"it took {taken_ns / 1e6:,.0f} ms")
            # A bank alone that is used up to the last nanosecond must not read as no limit.
            self._bank_ns = max(self._bank_ns - (taken_ns - self._move_ns), 0 if self._move_ns else 1)
            self._set_limit()


def overdue(limit_ns: int, what: str = "no answer came") -> Forfeit:
    """What a seat is put out with that has let its time run out."""
    return Forfeit(VerdictKind.TIMED_OUT, f"{what}, and it had {limit_ns / 1e6:,.0f} ms")


class Alarm:
    """Rings when a deadline has passed.

    One timer serves all the turns of a connection: it is set for one deadline and looks about when it goes off. A timer
    for every turn would cost more than all the rest of keeping time.
    """

    __slots__ = ("_check", "_deadline_ns", "_now", "_timer")

    def __init__(self, check: Callable[[int], int], now: Now) -> None:
        """``check`` is given the time, deals with what is overdue, and gives the next deadline, or 0 for none."""
        self._check = check
        self._now = now
        self._timer: asyncio.TimerHandle | None = None
        self._deadline_ns = 0

    def watch(self, deadline_ns: int) -> None:
        """Make sure that the alarm rings by then, or looks about before and is set anew."""
        if self._timer is None or deadline_ns < self._deadline_ns:
            self.off()
            self._deadline_ns = deadline_ns
            wait = max(0, deadline_ns - self._now())
            self._timer = asyncio.get_running_loop().call_later(wait / 1e9, self._ring)

    def off(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        self._timer = None
        if deadline := self._check(self._now()):
            self.watch(deadline)
