"""Starts threads without end when it should make its second move, and never makes it."""

import threading
import time

from arena_sdk import Bot, Turn, run

FOR_EVER = threading.Event()


class Swarms(Bot):
    def choose(self, turn: Turn) -> object:
        while turn.number > 0:
            try:
                threading.Thread(target=FOR_EVER.wait, daemon=True).start()
            except RuntimeError:
                time.sleep(0.1)
        return turn.legal[0]


run(Swarms())
