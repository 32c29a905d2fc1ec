"""Codex Naturalis for the search kit, and the move that looks best without one."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from arena_rules import State
from arena_rules.codex import CodexState, CodexView, Move
from arena_sdk.search.codex.insight import Goals, expected_points, ranked_moves
from arena_sdk.search.guide import Guide


def planned_move(view: CodexView) -> Move:
    """The move after which the own position looks best."""
    return ranked_moves(view.public, goals_of(view)[view.seat])[0][1]


def goals_of(view: CodexView) -> list[Goals]:
    """The objectives of every seat, as far as this one knows them."""
    state = view.public
    own = state.objectives(view.seat)
    return [own if seat == view.seat else own[:-1] for seat in range(view.players)]


class CodexGuide(Guide[Move]):
    """Tries the moves that look best at a glance, and plays on with them for a few turns.

    The others' secret objectives are left out of account.
    """

    exploration = 0.6
    rounds = 3
    margin = 6.0

    def __init__(self, view: CodexView) -> None:
        self.goals = goals_of(view)
        self.turn = view.turn
        self._first: Sequence[tuple[float, Move]] = ()

    def moves(self, state: State[Move]) -> Sequence[tuple[float, Move]]:
        assert isinstance(state, CodexState)
        if state.turn > self.turn:
            return self._weighted(state)
        if not self._first:
            self._first = self._weighted(state)
        return self._first

    def _weighted(self, state: CodexState) -> list[tuple[float, Move]]:
        ranked = ranked_moves(state, self.goals[state.to_move])
        best = ranked[0][0]
        weights = [exp(worth - best) for worth, _ in ranked]
        total = sum(weights)
        return [(weight / total, move) for weight, (_, move) in zip(weights, ranked, strict=True)]

    def width(self, visits: int) -> int:
        return 3 + int(visits**0.5)

    def play(self, state: State[Move], rng: Random) -> Move:
        assert isinstance(state, CodexState)
        return ranked_moves(state, self.goals[state.to_move], draws=1)[0][1]

    def points(self, state: State[Move]) -> Sequence[float]:
        assert isinstance(state, CodexState)
        return expected_points(state, self.goals)
