"""The log of a bot: its end is kept, and is safe to show."""

from __future__ import annotations

import asyncio
import os
import tracemalloc
import unicodedata
from collections.abc import AsyncIterator

import pytest

from arena.launch.log import Chapter, Log, harmless
from tests.unit.launch.table import until

LIMIT = 64


class Pipe:
    """A log and the end into which a bot would print."""

    def __init__(self) -> None:
        reading, self.writing = os.pipe()
        self.log = Log(reading, LIMIT)

    async def print(self, piece: bytes) -> None:
        """Print a piece, and wait until the log has it."""
        os.write(self.writing, piece)
        await until(lambda: self.log.tail.endswith(harmless(piece.decode())))

    async def say(self, *pieces: bytes) -> str:
        """Print the pieces, end, and give what the log has kept."""
        for piece in pieces:
            os.write(self.writing, piece)
        os.close(self.writing)
        await self.log.drained(10)
        return self.log.tail


@pytest.fixture
async def pipe() -> AsyncIterator[Pipe]:
    pipe = Pipe()
    yield pipe
    pipe.log.close()


async def test_short_log_is_kept_whole(pipe: Pipe) -> None:
    """What fits is kept as it was printed."""
    assert await pipe.say(b"first\n", b"\tsecond \xc3\xa9\n") == "first\n\tsecond é\n"


async def test_only_the_end_is_kept(pipe: Pipe) -> None:
    """Of a longer log the last bytes are kept, however it was cut into pieces."""
    text = "".join(f"line {number}\n" for number in range(500))
    assert await pipe.say(*(text[i : i + 7].encode() for i in range(0, len(text), 7))) == text[-LIMIT:]


async def test_memory_is_bounded(pipe: Pipe) -> None:
    """Of what is not kept, nothing stays in memory."""
    piece = b"x" * 16_384
    tracemalloc.start()
    try:
        for _ in range(100):
            os.write(pipe.writing, piece)
            await asyncio.sleep(0)
        await pipe.say(b"the end")
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert pipe.log.tail.endswith("the end")
    assert held < 10 * len(piece)


async def test_cut_falls_between_characters(pipe: Pipe) -> None:
    """The beginning of a cut log is not half a character."""
    assert await pipe.say("€".encode() * 100) == "€" * (LIMIT // 3)


async def test_tail_can_be_read_at_any_time(pipe: Pipe) -> None:
    """A bot that still runs can be asked what it printed."""
    os.write(pipe.writing, b"thinking")
    await until(lambda: pipe.log.tail == "thinking")
    assert await pipe.say(b" done") == "thinking done"


async def test_waiting_for_the_end_has_an_end(pipe: Pipe) -> None:
    """Somebody who holds the pipe open cannot hold up whoever waits for the log."""
    os.write(pipe.writing, b"still here")
    await pipe.log.drained(0.05)
    assert pipe.log.tail == "still here"
    os.close(pipe.writing)


async def test_bytes_that_are_no_text(pipe: Pipe) -> None:
    """Bytes that are not UTF-8 are shown as what cannot be read."""
    assert await pipe.say(b"a\xff\xfeb") == "a\ufffd\ufffdb"


def test_escape_sequences_are_pictures() -> None:
    """A bot that prints colours is still readable, and changes nothing on the terminal."""
    assert harmless("\x1b[31mred\x1b[0m\x00\x07\x7f") == "␛[31mred␛[0m␀␇␡"


def test_line_ends_of_all_kinds() -> None:
    """Lines that end as on other systems, and progress bars, become lines."""
    assert harmless("one\r\ntwo\rthree\n") == "one\ntwo\nthree\n"


def test_no_control_character_is_left() -> None:
    """Of all characters that steer a terminal or the direction of text, only newline and tab are left."""
    everything = "".join(map(chr, range(0x3000)))
    left = {char for char in harmless(everything) if unicodedata.category(char) == "Cc"}
    assert left == {"\n", "\t"}
    assert {unicodedata.bidirectional(char) for char in harmless(everything)} & {
        "LRO",
        "RLO",
        "LRI",
        "RLI",
        "FSI",
    } == set()


async def test_a_chapter_ties_lines_to_their_moments(pipe: Pipe) -> None:
    """What is written after a chapter was begun is kept line by line, with the mark of when each was begun."""
    turn = 3
    await pipe.print(b"before\n")
    pipe.log.begin_chapter(lambda: turn)
    await pipe.print(b"one\ntwo")
    turn = 5
    await pipe.print(b" and a half\nfive \x1b[2J\n")
    assert pipe.log.chapter == [(3, "one"), (3, "two and a half"), (5, "five ␛[2J")]


async def test_a_chapter_keeps_its_end() -> None:
    """Of a bot that writes without end only the last lines are kept."""
    chapter = Chapter(lambda: 1, limit=10)
    for number in range(1000):
        chapter.add(b"line %d\n" % number)
    assert [text for _, text in chapter.lines()] == ["line 998", "line 999"]
