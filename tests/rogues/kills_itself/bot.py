"""Is killed by a signal when it should make its second move, as if it had run out of memory."""

import os
import signal
import sys

from arena_sdk import Bot, Turn, run


class KillsItself(Bot):
    def choose(self, turn: Turn) -> object:
        if turn.number > 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return turn.legal[0]


sys.stderr.write(f"pid {os.getpid()}\n")
run(KillsItself())
