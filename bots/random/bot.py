"""Plays any legal move."""

from arena_sdk import Bot, Turn, run


class RandomBot(Bot):
    games_at_once = 64

    def choose(self, turn: Turn) -> object:
        return turn.rng.choice(turn.legal)


if __name__ == "__main__":
    run(RandomBot())
