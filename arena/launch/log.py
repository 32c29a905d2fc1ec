"""What a bot prints: read as fast as it comes, remembered only to a fixed length, and safe to show on a terminal."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable

TAIL_BYTES = 16 * 1024
CHAPTER_BYTES = 4 * 1024
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
        self._chapter = Chapter(lambda: 0)
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

    def begin_chapter(self, mark: Callable[[], int]) -> None:
        """From now on, keep what is written also by itself, each line with the mark of the moment when it was read."""
        self._chapter = Chapter(mark)

    @property
    def chapter(self) -> list[tuple[int, str]]:
        """The lines since the chapter was begun, the last of them if they are many, with their marks."""
        return self._chapter.lines()

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
        self._chapter.add(piece)
        self._kept += piece
        if len(self._kept) > 2 * self._limit:  # Not at every piece: a bot that prints byte by byte would pay for it.
            del self._kept[: -self._limit]
            self._cut = True


class Chapter:
    """The end of what was written within a time, in pieces with marks."""

    def __init__(self, mark: Callable[[], int], limit: int = CHAPTER_BYTES) -> None:
        self._mark = mark
        self._limit = limit
        self._pieces: deque[tuple[int, bytes]] = deque()
        self._size = 0

    def add(self, piece: bytes) -> None:
        self._pieces.append((self._mark(), piece))
        self._size += len(piece)
        while self._size - len(self._pieces[0][1]) >= self._limit:
            self._size -= len(self._pieces.popleft()[1])

    def lines(self) -> list[tuple[int, str]]:
        """Each line with the mark of the piece that it begins in."""
        lines: list[tuple[int, bytearray]] = []
        whole = True
        for mark, piece in self._pieces:
            for part in piece[-self._limit :].splitlines(keepends=True):
                if whole:
                    lines.append((mark, bytearray()))
                lines[-1][1].extend(part)
                whole = part.endswith(b"\n")
        return [(mark, harmless(bytes(line).decode(errors="replace")).rstrip("\n")) for mark, line in lines]


def _from_whole_character(text: bytes) -> bytes:
    """The text without the continuation bytes of a UTF-8 character whose beginning was cut off."""
    start = 0
    while start < min(3, len(text)) and text[start] & 0xC0 == 0x80:
        start += 1
    return text[start:]
