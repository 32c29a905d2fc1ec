"""A bot that thinks nothing: it takes the first line into the first column that has room."""

from arena_sdk import Bot, Turn, run


class TrivialBot(Bot):
    games_at_once = 64

    def choose(self, turn: Turn) -> object:
        choices = turn.choices
        line = choices.first_line
        return line.moves[choices.columns_for(line.size)[0]][0]


if __name__ == "__main__":
    run(TrivialBot())
