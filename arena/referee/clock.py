"""Time: the clock that charges a seat, and the alarm that ends its waiting."""

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
                raise self.overrun(f"it took {taken_ns / 1e6:,.0f} ms")
            self._bank_ns -= taken_ns - self._move_ns
            self._set_limit()

    def overrun(self, what: str = "no answer came") -> Forfeit:
        """What a seat is put out with that has let its time run out."""
        return Forfeit(VerdictKind.TIMED_OUT, f"{what}, and it had {self.limit_ns / 1e6:,.0f} ms")


class Alarm:
    """Cancels the task that made it when a deadline passes.

    One timer serves a whole match: it is looked at when it rings, and set anew if the deadline has moved on meanwhile.
    A timer for every turn would cost more than all the rest of keeping time.
    """

    __slots__ = ("_deadline_ns", "_now", "_rang", "_task", "_timer")

    def __init__(self, now: Now) -> None:
        task = asyncio.current_task()
        assert task is not None, "a match is played inside a task"
        self._task = task
        self._now = now
        self._deadline_ns = 0
        self._timer: asyncio.TimerHandle | None = None
        self._rang = False

    def set(self, started_ns: int, limit_ns: int) -> None:
        """Ring when that much time has passed since then, unless set anew or switched off before."""
        self._deadline_ns = started_ns + limit_ns
        if self._timer is None:
            self._arm(limit_ns)

    def off(self) -> None:
        self._deadline_ns = 0

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def explains_cancellation(self) -> bool:
        """Whether the task was cancelled by this alarm and by nobody else. It is then taken back."""
        rang, self._rang = self._rang, False
        return rang and self._task.uncancel() == 0

    def _arm(self, wait_ns: int) -> None:
        self._timer = asyncio.get_running_loop().call_later(wait_ns / 1e9, self._look)

    def _look(self) -> None:
        self._timer = None
        if self._deadline_ns:
            remaining = self._deadline_ns - self._now()
            if remaining > 0:
                self._arm(remaining)
            else:
                self._rang = True
                self._task.cancel()
