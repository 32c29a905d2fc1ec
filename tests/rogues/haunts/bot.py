"""Leaves a process behind that hides in a session of its own and is deaf to signals, and plays on."""

import os
import signal
import time

from arena_sdk import Bot, Turn, run

if os.fork() == 0:
    os.setsid()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)


class Haunts(Bot):
    def choose(self, turn: Turn) -> object:
        return turn.legal[0]


run(Haunts())
