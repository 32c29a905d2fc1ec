"""Starts processes without end when it should make its second move, and never makes it."""

import os
import time

from arena_sdk import Bot, Turn, run


class Multiplies(Bot):
    def choose(self, turn: Turn) -> object:
        while turn.number > 0:
            try:
                os.fork()
            except OSError:
                time.sleep(0.1)
        return turn.legal[0]


run(Multiplies())
