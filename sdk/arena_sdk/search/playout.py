"""Playing a guess on, and what the end of it is worth to every seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp
from random import Random
from typing import Any, TypeVar

from arena_rules import State
from arena_sdk.search.guide import UNGUIDED, Guide

M = TypeVar("M")

_FARTHEST = 500.0


def rollout(
    state: State[M], rng: Random, policy: Callable[[State[M], Random], M] | None = None, depth: int | None = None
) -> State[M]:
    """Play on in place, at random or by a policy, to the end or for so many moves. The caller owns the state."""
    left = -1 if depth is None else depth
    while state.to_move >= 0 and left:
        state.advance(policy(state, rng) if policy else state.random_move(rng))
        left -= 1
    return state


def rewards(state: State[Any], guide: Guide[Any] = UNGUIDED) -> list[float]:
    """For every seat, how much of the others it leaves behind: 0 is last, 1 is first, ties are in the middle.

    Of a finished game that is known; of any other it is expected from the points that the guide expects.
    """
    outcome = state.outcome()
    if outcome is not None:
        return shares([-rank for rank in outcome.ranks], _step)
    playing = [seat for seat in range(state.players) if seat not in state.left]
    points = guide.points(state)
    found = [0.0] * state.players
    scale = guide.margin
    for seat, share in zip(playing, shares([points[seat] / scale for seat in playing], _slope), strict=True):
        found[seat] = share
    return found


def shares(merits: Sequence[float], above: Callable[[float], float]) -> list[float]:
    """The mean of ``above`` over the leads of each one over all the others."""
    others = len(merits) - 1
    return [
        sum([above(merit - other) for rival, other in enumerate(merits) if rival != index]) / others
        for index, merit in enumerate(merits)
    ]


def _step(lead: float) -> float:
    return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0


def _slope(lead: float) -> float:
    return 1.0 / (1.0 + exp(-max(-_FARTHEST, min(_FARTHEST, lead))))
