"""Its second move is a book of 70 KB."""

from arena_sdk import Bot, Turn, run


class Overeats(Bot):
    def choose(self, turn: Turn) -> object:
        return turn.legal[0] if turn.number == 0 else "x" * 70_000


run(Overeats())
