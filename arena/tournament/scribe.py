"""Writes records to the journal, in a thread of its own, and waits a while for a database that has gone away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import Final, Protocol

from arena.archive import Sealed
from arena.errors import Away

PATIENCE_S: Final = 60.0
"""How long a database may be away: long enough to restart it, and short enough for matches that wait for it."""
_A_MOMENT_S: Final = 0.25


class Writer(Protocol):
    """What a journal does for it."""

    def write(self, records: Sequence[Sealed], through: int) -> None:
        """Make records last. May be asked again for the same ones."""


class Scribe:
    """One for each tournament under way."""

    def __init__(self, journal: Writer, thread: ThreadPoolExecutor, notice: Callable[[str], None]) -> None:
        """``notice`` is told, once, when it has to wait."""
        self._journal = journal
        self._thread = thread
        self._notice = notice
        self._hurried = asyncio.Event()

    async def write(self, records: Sequence[Sealed], through: int) -> None:
        """Returns when the records are in the log. What was written and not confirmed is written again: it counts once.

        Raises Away when the database does not come back in time.
        """
        loop, until, told = asyncio.get_running_loop(), monotonic() + PATIENCE_S, False
        while True:
            try:
                return await loop.run_in_executor(self._thread, self._journal.write, records, through)
            except Away as error:
                if self._hurried.is_set() or monotonic() > until:
                    raise
                if not told:
                    self._notice(f"{error}; waiting up to {PATIENCE_S:.0f} s for it to come back")
                    told = True
                await self._rest()

    def hurry(self) -> None:
        """Wait no more: the tournament is being ended."""
        self._hurried.set()

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._hurried.wait(), _A_MOMENT_S)
