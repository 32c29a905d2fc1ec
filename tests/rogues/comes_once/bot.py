"""Crashes at its second turn, and when it is started again it exits at once, or with `sulk` beside it never joins."""

import os
import sys
import time
from pathlib import Path

from arena_sdk import Bot, Turn, run

HERE = Path(__file__).parent


class ComesOnce(Bot):
    def choose(self, turn: Turn) -> object:
        if turn.number > 0:
            (HERE / "came").touch()
            os._exit(5)
        return turn.legal[0]


sys.stderr.write(f"pid {os.getpid()}\n")
if (HERE / "came").exists():
    sys.stderr.write("never again\n")
    time.sleep(600 if (HERE / "sulk").exists() else 0)
    sys.exit(6)
run(ComesOnce())
