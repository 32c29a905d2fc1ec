"""How much a search sees in a second: rollouts from guesses, and rounds of tree search, without and with a guide."""

from __future__ import annotations

import os
import statistics
from random import Random
from time import perf_counter
from typing import Any

from arena_rules import View, games
from arena_sdk.search import Budget, Guide, codex, ismcts, rollout, shelfie
from tests.benchmarks.positions import positions

VIEWS = 12
SECONDS = 0.15
GUIDES = {"codex": codex.CodexGuide, "shelfie": shelfie.ShelfieGuide}


def rollouts(view: View[Any]) -> float:
    """Games per second that are guessed from the view and played to their end at random."""
    rng = Random(1)
    began = perf_counter()
    played = 0
    while perf_counter() - began < SECONDS:
        rollout(view.sample(rng), rng)
        played += 1
    return played / (perf_counter() - began)


def rounds(view: View[Any], guide: Guide[Any]) -> float:
    began = perf_counter()
    found = ismcts(view, Budget(seconds=SECONDS), Random(1), guide)
    return found.rounds / (perf_counter() - began)


def main() -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for game in games().values():
        for players in (2, 4):
            states = positions(game, players)[:: 200 // VIEWS]
            views = [state.view(state.to_move) for state in states]
            played = statistics.mean(rollouts(view) for view in views)
            plain = statistics.mean(rounds(view, Guide()) for view in views)
            guided = statistics.mean(rounds(view, GUIDES[game.name](view)) for view in views)
            print(
                f"{game.name}, {players} players    {played:7,.0f} rollouts/s   "
                f"{plain:7,.0f} rounds/s of tree search   {guided:7,.0f} rounds/s with its guide"
            )


if __name__ == "__main__":
    main()
