"""Takes all the memory there is when it should make its second move, in several processes at once."""

import os

from arena_sdk import Bot, Turn, run


class EatsMemory(Bot):
    def choose(self, turn: Turn) -> object:
        if turn.number > 0:
            os.fork()
            hoard = []
            while True:
                hoard.append(bytearray(16 * 1024 * 1024))
        return turn.legal[0]


run(EatsMemory())
