"""Takes all the memory there is when it should make its second move, in one process."""

from arena_sdk import Bot, Turn, run


class Swells(Bot):
    def choose(self, turn: Turn) -> object:
        hoard = []
        while turn.number > 0:
            hoard.append(bytearray(16 * 1024 * 1024))
        return turn.legal[0]


run(Swells())
