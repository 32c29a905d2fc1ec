"""Looks one move ahead: takes the move after which its own score sheet is worth most."""

from collections.abc import Callable, Mapping
from typing import Any

from arena_sdk import Bot, Turn, run

TASTES: Mapping[str, Callable[[Any], int]] = {
    "shelfie": lambda move: move.size,  # more tiles fill the shelf sooner
    "codex": lambda move: not move.word and not move.face & 1,  # fronts bring symbols
}
"""By game, what it likes in a move when the points are equal."""


class GreedyBot(Bot):
    games_at_once = 64

    def choose(self, turn: Turn) -> object:
        taste = TASTES[turn.table.game]
        # max() keeps the first of equals, so shuffling first breaks ties by chance.
        moves = turn.legal
        turn.rng.shuffle(moves)
        return max(moves, key=lambda move: (self.points(turn.view, move), taste(move)))

    def points(self, view: Any, move: Any) -> int:
        """The own points after the move."""
        after = view.public.copy()
        after.advance(move)
        total: int = after.score(view.seat).total
        return total


if __name__ == "__main__":
    run(GreedyBot())
