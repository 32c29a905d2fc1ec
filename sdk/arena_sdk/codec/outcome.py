"""Outcomes on the wire and in records."""

from __future__ import annotations

from typing import Final

from arena_rules import NotationError, Outcome, Score, Termination
from arena_sdk.v1 import game_pb2 as pb

_TERMINATIONS: Final = {
    Termination.COMPLETED: pb.TERMINATION_COMPLETED,
    Termination.ABANDONED: pb.TERMINATION_ABANDONED,
}
_FROM_WIRE: Final = {number: termination for termination, number in _TERMINATIONS.items()}


def write_outcome(outcome: Outcome, into: pb.Outcome) -> None:
    into.termination = _TERMINATIONS[outcome.termination]
    for rank, score in zip(outcome.ranks, outcome.scores, strict=True):
        seat = into.seats.add(rank=rank, score=score.total)
        for name, points in score.parts:
            seat.parts.add(name=name, points=points)


def read_outcome(message: pb.Outcome) -> Outcome:
    """Raises NotationError when it is not an outcome this version knows."""
    if message.termination not in _FROM_WIRE:
        raise NotationError(f"{message.termination} is not a way for a game to end")
    scores = tuple(Score(tuple((part.name, part.points) for part in seat.parts)) for seat in message.seats)
    return Outcome(tuple(seat.rank for seat in message.seats), scores, _FROM_WIRE[message.termination])
