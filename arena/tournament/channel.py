"""Messages between the processes of one arena: frames with their length before them, on a pair of sockets."""

from __future__ import annotations

import asyncio
import socket
from typing import Final

_LENGTH_BYTES: Final = 4


class Channel:
    """One end."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def on(cls, end: socket.socket) -> Channel:
        """The end that this socket is. The channel takes it over."""
        return cls(*await asyncio.open_connection(sock=end))

    async def receive(self) -> bytes | None:
        """The next message; None when the other end is gone."""
        try:
            length = await self._reader.readexactly(_LENGTH_BYTES)
            return await self._reader.readexactly(int.from_bytes(length))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    def send(self, message: bytes) -> None:
        """Send a message, sooner or later; to an end that is gone, never."""
        self._writer.write(len(message).to_bytes(_LENGTH_BYTES) + message)

    async def flush(self) -> None:
        """Wait until not much is waiting to be sent."""
        try:
            await self._writer.drain()
        except ConnectionError:
            return

    def close(self) -> None:
        self._writer.close()
