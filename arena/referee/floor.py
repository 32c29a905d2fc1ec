"""Who has the floor: in bulk play, with several games in flight, one bot of a referee thinks at a time.

A referee shares its core with its bots. Two bots that think at once take the core from each other while both their
clocks run; one after the other, each has all of it. And while one thinks the turns for the next one gather, so that it
gets them as one message: with sixteen games in flight that alone makes matches a third faster.
"""

from __future__ import annotations

import asyncio
from collections import deque


class Floor:
    """Held by one holder at a time; those who wait for it get it in the order in which they came."""

    def __init__(self) -> None:
        self._holder: object | None = None
        self._waiting: deque[tuple[object, asyncio.Future[None]]] = deque()

    async def take(self, holder: object) -> None:
        """Wait for the floor, unless it is held by this holder already."""
        if self._holder is None:
            self._holder = holder
        if self._holder is not holder:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append((holder, turn))
            try:
                await turn
            except asyncio.CancelledError:
                self.give_up(holder)  # it may have been handed over in the same moment
                raise

    def give_up(self, holder: object) -> None:
        """Pass it on, if it is held by this holder."""
        if self._holder is not holder:
            return
        self._holder = None
        while self._waiting and self._holder is None:
            following, turn = self._waiting.popleft()
            if not turn.done():
                self._holder = following
                turn.set_result(None)
