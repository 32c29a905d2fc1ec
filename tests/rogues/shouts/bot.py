"""Prints 50 MB before its first move, colours and page breaks and markup among them, and plays on."""

import sys

from arena_sdk import Bot, Turn, run

LINE = "\x1b[31m\x1b]0;owned\x07<script>alert(1)</script>\x00\x0c\r"


class Shouts(Bot):
    def choose(self, turn: Turn) -> object:
        if turn.number < 2:
            for _ in range(50):
                sys.stdout.write(LINE * (1024 * 1024 // len(LINE)) + "\n")
        return turn.legal[0]


run(Shouts())
