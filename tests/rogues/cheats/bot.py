"""Its second move takes a tile that has no free side."""

import os
import sys

from arena_sdk import Bot, Turn, run


class Cheats(Bot):
    def choose(self, turn: Turn) -> object:
        return turn.legal[0] if turn.number == 0 else "e5>1"


sys.stderr.write(f"pid {os.getpid()}\n")
run(Cheats())
