"""Who has the floor: in bulk play, with several games in flight, one bot of a referee thinks at a time.

A referee shares its core with its bots. Two bots that think at once take the core from each other while both their
clocks run; one after the other, each has all of it. And while one thinks the turns for the next one gather, so that it
gets them as one message: with sixteen games in flight that alone makes matches a third faster.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict


class Floor:
    """Held by one holder at a time; those who wait for it get it in the order in which they came."""

    def __init__(self) -> None:
        self._holder: object | None = None
        self._waiting: OrderedDict[object, asyncio.Future[None]] = OrderedDict()

    async def take(self, holder: object) -> None:
        """Wait for the floor, unless it is held by this holder already."""
        if self._holder is None:
            self._holder = holder
        if self._holder is not holder:
            self._waiting[holder] = asyncio.get_running_loop().create_future()
            try:
                await self._waiting[holder]
            finally:
                self._waiting.pop(holder, None)

    def give_up(self, holder: object) -> None:
        """Pass it on, if it is held by this holder."""
        if self._holder is holder:
            waiting = ((other, turn) for other, turn in self._waiting.items() if not turn.done())
            self._holder, turn = next(waiting, (None, None))
            if turn is not None:
                turn.set_result(None)
