"""A bot that thinks nothing: it makes whatever move comes first."""

from arena_sdk import Bot, Turn, run


class TrivialBot(Bot):
    games_at_once = 64

    def choose(self, turn: Turn) -> object:
        return turn.choices.some_move()


if __name__ == "__main__":
    run(TrivialBot())
