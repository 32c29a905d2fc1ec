"""Where the bots of a referee come in: a ticket for each bot that is expected, and a door that opens to it alone."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.referee.connection import Connection
from arena.referee.door import Door
from arena.referee.floor import Floor


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a bot process needs to find its place: where to dial, and a token that opens one stream, once."""

    address: str
    token: str


class RefereeServer:
    """Listens on Unix sockets in a folder of its own. Use as an async context manager."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count()
        self._floor = Floor()
        self._doors: dict[Ticket, Door] = {}
        self._closing: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for ticket in list(self._doors):
            self._close(ticket)
        await asyncio.gather(*self._closing)

    def ticket(self) -> Ticket:
        """Expect one more bot."""
        token = secrets.token_urlsafe(32)
        door = Door(self._folder / str(next(self._numbers)), token, self._floor)
        ticket = Ticket(door.address, token)
        self._doors[ticket] = door
        door.left.add_done_callback(lambda _: self._close(ticket))
        return ticket

    async def connection(self, ticket: Ticket) -> Connection:
        """Wait for the bot with that ticket to join."""
        return await asyncio.shield(self._doors[ticket].joined)

    def withdraw(self, ticket: Ticket) -> None:
        """Expect that bot no more. One that has joined stays."""
        if ticket in self._doors and not self._doors[ticket].joined.done():
            self._close(ticket)

    def _close(self, ticket: Ticket) -> None:
        if door := self._doors.pop(ticket, None):
            closing = asyncio.create_task(door.close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
