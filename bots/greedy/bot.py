"""Looks one move ahead: takes the move after which its own score sheet is worth most."""

from arena_rules.shelfie import Move, ShelfieView
from arena_sdk import Bot, Turn, run


class GreedyBot(Bot):
    games_at_once = 64

    def choose(self, turn: Turn) -> Move:
        view: ShelfieView = turn.view
        # max() keeps the first of equals, so shuffling first breaks ties by chance.
        moves: list[Move] = turn.legal
        turn.rng.shuffle(moves)
        return max(moves, key=lambda move: self.worth(view, move))

    def worth(self, view: ShelfieView, move: Move) -> tuple[int, int]:
        """The own points after the move; among equals, more tiles fill the shelf sooner."""
        after = view.public.copy()
        after.advance(move)
        return after.score(view.seat).total, move.size


if __name__ == "__main__":
    run(GreedyBot())
