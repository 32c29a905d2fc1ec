"""Prints a megabyte at its second turn, without a line break, then gives up."""

import os
import sys

from arena_sdk import Bot, Turn, run


class Babbles(Bot):
    def choose(self, turn: Turn) -> object:
        if turn.number > 0:
            print("bla" * 350_000, flush=True)  # noqa: T201 - what a bot prints must do no harm
            sys.stderr.write(f"that was all\npid {os.getpid()}\n")
            sys.exit(0)
        return turn.legal[0]


run(Babbles())
