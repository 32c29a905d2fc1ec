"""Its second move is a library of 5 MB."""

from arena_sdk import Bot, Turn, run


class Gorges(Bot):
    def choose(self, turn: Turn) -> object:
        return turn.legal[0] if turn.number == 0 else "x" * 5_000_000


run(Gorges())
