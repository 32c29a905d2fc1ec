"""What a bot prints: read as fast as it comes, remembered only to a fixed length, and safe to show on a terminal."""

from __future__ import annotations

import asyncio
import os

TAIL_BYTES = 16 * 1024
_READ_BYTES = 64 * 1024

_LAYOUT = "\n\t"
_DIRECTION_AND_SEPARATORS = [0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)]
_HARMLESS = (
    {code: 0x2400 + code for code in range(0x20) if chr(code) not in _LAYOUT}
    | {0x7F: 0x2421}
    | dict.fromkeys([*range(0x80, 0xA0), *_DIRECTION_AND_SEPARATORS], 0xFFFD)
)


def harmless(text: str) -> str:
    """The text with every control character but newline and tab replaced by a picture of it (ESC becomes ␛)."""
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_HARMLESS)


class Log:
    """The reading end of a pipe, of which the last ``limit`` bytes are kept.

    It reads by `add_reader`, one piece per turn of the loop: a bot that floods its log cannot starve the others, and
    nothing has to be awaited between opening the pipe and starting the bot, so no cancellation can fall in between.
    """

    def __init__(self, source: int, limit: int = TAIL_BYTES) -> None:
        """Takes over the file descriptor ``source``, and closes it."""
        self._source = source
        self._limit = limit
        self._kept = bytearray()
        self._cut = False
        self._closed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        os.set_blocking(source, False)
        self._loop.add_reader(source, self._read)

    @property
    def tail(self) -> str:
        """The last that was written, as text that is safe to show."""
        kept = bytes(self._kept[-self._limit :])
        if self._cut or len(self._kept) > self._limit:
            kept = _from_whole_character(kept)
        return harmless(kept.decode(errors="replace"))

    async def drained(self, patience: float) -> None:
        """Returns when all writers have closed the pipe, and after ``patience`` seconds in any case."""
        try:
            await asyncio.wait_for(self._closed.wait(), patience)
        except TimeoutError:
            return

    def close(self) -> None:
        if not self._closed.is_set():
            self._closed.set()
            self._loop.remove_reader(self._source)
            os.close(self._source)

    def _read(self) -> None:
        try:
            piece = os.read(self._source, _READ_BYTES)
        except BlockingIOError:
            return
        if piece:
            self._keep(piece)
        else:
            self.close()

    def _keep(self, piece: bytes) -> None:
        self._kept += piece
        if len(self._kept) > 2 * self._limit:  # Not at every piece: a bot that prints byte by byte would pay for it.
            del self._kept[: -self._limit]
            self._cut = True


def _from_whole_character(text: bytes) -> bytes:
    """The text without the continuation bytes of a UTF-8 character whose beginning was cut off."""
    start = 0
    while start < min(3, len(text)) and text[start] & 0xC0 == 0x80:
        start += 1
    return text[start:]
