"""The moves that look best, less what they leave to the next player."""

from __future__ import annotations

from typing import Final

from arena_rules.shelfie import Move, ShelfieState, ShelfieView
from arena_sdk.search.shelfie.insight import Ranked, ranked_moves

LOOKED_AT: Final = 16
"""How many of the moves that look best are thought through."""
ENVY: Final = {2: 0.8, 3: 0.5, 4: 0.4}
"""By the number of players, how much a point that the next player gets hurts."""


def planned_move(view: ShelfieView) -> Move:
    """The move that looks best when it is thought through."""
    return planned_moves(view).moves[0]


def planned_moves(view: ShelfieView) -> Ranked:
    """Some of the moves that look best, by the own prospects less those of the next player after its best answer."""
    state = view.public
    ranked = ranked_moves(state, view.personal_goal)
    moves = ranked.moves[:LOOKED_AT]
    answers = [_best_answer(state, move) for move in moves]
    # A refilled board offers something to everybody: count it as the best that is known.
    unknown = max((answer for answer in answers if answer is not None), default=0.0)
    envy = ENVY[state.players]
    worths = [
        worth - envy * (unknown if answer is None else answer)
        for worth, answer in zip(ranked.worths, answers, strict=False)
    ]
    return Ranked(list(zip(worths, moves, strict=False)))


def _best_answer(state: ShelfieState, move: Move) -> float | None:
    """What the next player's shelf is worth after its best answer; None when that cannot be known."""
    after = state.copy()
    after.advance(move)
    if after.to_move < 0 or after.refills > state.refills:
        return None
    return ranked_moves(after, None).worths[0]
