"""Has a bug: its second move raises an exception."""

import os
import sys

from arena_sdk import Bot, Turn, run


class Raises(Bot):
    def choose(self, turn: Turn) -> object:
        shelf: list[object] = []
        return turn.legal[0] if turn.number == 0 else shelf[turn.number]


sys.stderr.write(f"pid {os.getpid()}\n")
run(Raises())
