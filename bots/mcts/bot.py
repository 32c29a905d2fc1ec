"""Searches: information-set Monte-Carlo tree search, with the planner's eye for moves and positions.

With a clock it thinks for most of the time that a move has. Without one every move gets the same number of rounds, and
the same match gives the same game again.
"""

from collections.abc import Callable, Mapping
from typing import Any

from arena_sdk import Bot, Turn, run
from arena_sdk.search import Budget, Guide, codex, ismcts, shelfie

ROUNDS = 200
GUIDES: Mapping[str, Callable[[Any], Guide[Any]]] = {"codex": codex.CodexGuide, "shelfie": shelfie.ShelfieGuide}


class MctsBot(Bot):
    def choose(self, turn: Turn) -> object:
        guide = GUIDES[turn.table.game](turn.view)
        return ismcts(turn.view, Budget.of_turn(turn, rounds=ROUNDS), turn.rng, guide).move


if __name__ == "__main__":
    run(MctsBot())
