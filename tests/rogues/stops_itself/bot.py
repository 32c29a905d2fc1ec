"""Stops itself by SIGSTOP when it should make its second move."""

import os
import signal

from arena_sdk import Bot, Turn, run


class StopsItself(Bot):
    def choose(self, turn: Turn) -> object:
        if turn.number > 0:
            os.kill(os.getpid(), signal.SIGSTOP)
        return turn.legal[0]


run(StopsItself())
