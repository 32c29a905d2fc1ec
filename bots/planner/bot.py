"""Plans: judges positions by what they can still become, and looks at what a move leaves to the next player."""

from collections.abc import Callable, Mapping
from typing import Any

from arena_sdk import Bot, Turn, run
from arena_sdk.search import codex, shelfie

PLANS: Mapping[str, Callable[[Any], object]] = {"codex": codex.planned_move, "shelfie": shelfie.planned_move}


class PlannerBot(Bot):
    games_at_once = 64

    def choose(self, turn: Turn) -> object:
        return PLANS[turn.table.game](turn.view)


if __name__ == "__main__":
    run(PlannerBot())
