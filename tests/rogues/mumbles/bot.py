"""Its second move is a text that is no move."""

import os
import sys

from arena_sdk import Bot, Turn, run


class Mumbles(Bot):
    def choose(self, turn: Turn) -> object:
        return turn.legal[0] if turn.number == 0 else "the blue one, please"


sys.stderr.write(f"pid {os.getpid()}\n")
run(Mumbles())
