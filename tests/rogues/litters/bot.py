"""Makes empty files without end when it should make its second move: they take no room, and yet memory."""

import os
import sys
from itertools import count

from arena_sdk import Bot, Turn, run


class Litters(Bot):
    def choose(self, turn: Turn) -> object:
        if turn.number > 0:
            for number in count():
                try:
                    os.close(os.open(f"/tmp/{number}", os.O_CREAT))  # noqa: S108 - its own
                except OSError as error:
                    sys.stderr.write(f"{number} files, then: {error.strerror}\n")
                    break
        return turn.legal[0]


run(Litters())
