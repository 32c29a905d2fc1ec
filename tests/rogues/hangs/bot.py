"""Makes one move and then thinks for ever."""

import os
import sys
import time

from arena_sdk import Bot, Turn, run


class Hangs(Bot):
    def choose(self, turn: Turn) -> object:
        if turn.number > 0:
            time.sleep(600)
        return turn.legal[0]


sys.stderr.write(f"pid {os.getpid()}\n")
run(Hangs())
