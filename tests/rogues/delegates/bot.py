"""Starts a process for every move, which chooses it: an honest bot, to sit beside others that take all they can get."""

import subprocess

from arena_sdk import Bot, Turn, run


class Delegates(Bot):
    def choose(self, turn: Turn) -> object:
        last = str(len(turn.legal) - 1)
        chosen = subprocess.run(["/bin/sh", "-c", 'echo "$1"', "sh", last], capture_output=True, check=True)
        return turn.legal[int(chosen.stdout)]


run(Delegates())
