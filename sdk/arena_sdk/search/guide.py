"""What a search knows of a game beyond its rules."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Generic, TypeVar

from arena_rules import State

M = TypeVar("M")


class Guide(Generic[M]):
    """Knows nothing: tries all moves alike, plays on at random, goes by the score sheets. Override what you know.

    A guide is shown states with hidden things in them, but these are guesses: they were drawn from the view of the seat
    that searches.
    """

    exploration: float = 0.7
    """How much a move that was tried little is preferred to the one that did best. Rewards lie between 0 and 1."""
    rounds: int | None = None
    """A playout ends when every seat has had so many turns since the search began; None: when the game is over. Always
    after whole rounds, so that no position looks good just because it is the others' turn."""
    margin: float = 10.0
    """The lead in points with which a seat that is ahead of another when a playout ends wins in about three of four."""

    def moves(self, state: State[M]) -> Sequence[tuple[float, M]]:
        """The moves worth trying, the likeliest first, each with its weight; the weights add up to about 1."""
        legal = state.legal_moves()
        return [(1 / len(legal), move) for move in legal]

    def width(self, visits: int) -> int:
        """How many of these moves to consider at a position that was visited so many times."""
        return 1 << 30

    def play(self, state: State[M], rng: Random) -> M:
        """The next move of a playout."""
        return state.random_move(rng)

    def points(self, state: State[M]) -> Sequence[float]:
        """For every seat, the points that it can expect to have in the end."""
        return [state.score(seat).total for seat in range(state.players)]


UNGUIDED: Guide[Any] = Guide()
