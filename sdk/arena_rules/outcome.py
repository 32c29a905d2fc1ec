"""The end of a game as a value: ranks, scores with their breakdown, and how it came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class Termination(Enum):
    """In which way a game came to its end."""

    COMPLETED = "completed"
    """Played to the end that the rules give it."""
    ABANDONED = "abandoned"
    """All seats but one had left."""


@dataclass(frozen=True, slots=True)
class Score:
    """Points and the lines of the score sheet that add up to them."""

    parts: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        return sum([points for _, points in self.parts])


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result per seat. Rank 1 is best, and seats that tie share the better rank."""

    ranks: tuple[int, ...]
    scores: tuple[Score, ...]
    termination: Termination

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


def rank_seats(merits: Sequence[tuple[int, ...]], left: Sequence[int]) -> tuple[int, ...]:
    """Ranks by merit (more is better, equals tie); seats that left come below all others, the first to leave last."""
    playing = [seat for seat in range(len(merits)) if seat not in left]
    ranks = [0] * len(merits)
    for seat in playing:
        ranks[seat] = 1 + sum([merits[other] > merits[seat] for other in playing])
    for steps, seat in enumerate(reversed(left)):
        ranks[seat] = len(playing) + 1 + steps
    return tuple(ranks)
