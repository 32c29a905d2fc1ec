"""How long to think about one move."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final

from arena_sdk.turn import Turn

MARGIN: Final = 0.02
"""Seconds kept back for the way to the referee, and for the last round of a search that has just begun."""
SHARE: Final = 0.8
"""The part of a move's time that is used: other programs want the processor too."""
ROUNDS: Final = 1000
"""Rounds for a move when there is no limit."""
LAST_MOVES: Final = 20
"""A bank that is all there is has to last: each move gets at most this part of what is left."""


class Budget:
    """A number of rounds, a time, or both, whichever ends first. The time runs from the making of the budget.

    >>> budget = Budget(rounds=3)
    >>> [budget.spend() for _ in range(5)]
    [True, True, True, False, False]
    """

    __slots__ = ("_clock", "_deadline", "_rounds", "used")

    def __init__(
        self,
        *,
        rounds: int | None = None,
        seconds: float | None = None,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        if rounds is None and seconds is None:
            raise ValueError("a budget needs rounds or seconds, or a search with it never ends")
        self._rounds = float("inf") if rounds is None else rounds
        self._clock = clock
        self._deadline = None if seconds is None else clock() + seconds
        self.used = 0
        """The rounds that were granted."""

    @classmethod
    def of_turn(
        cls,
        turn: Turn,
        *,
        rounds: int = ROUNDS,
        share: float = SHARE,
        margin: float = MARGIN,
        bank: bool = False,
        clock: Callable[[], float] = perf_counter,
    ) -> Budget:
        """A safe part of the time for this turn; the bank is not touched unless told, or unless it is all there is.

        Without a limit, so many rounds instead: then the clock plays no part, and the game can be played again.
        """
        seconds = time_for(turn, share=share, margin=margin, bank=bank)
        return cls(rounds=rounds) if seconds == float("inf") else cls(seconds=seconds, clock=clock)

    def spend(self) -> bool:
        """Whether there is time for one more round, which is then counted. The first one is always granted."""
        if self.used >= self._rounds:
            return False
        if self.used and self._deadline is not None and self._clock() >= self._deadline:
            return False
        self.used += 1
        return True


def time_for(turn: Turn, *, share: float = SHARE, margin: float = MARGIN, bank: bool = False) -> float:
    """Seconds that may safely be used for a turn; infinite without a limit."""
    control = turn.table.start.time
    if turn.time_left == float("inf"):
        return turn.time_left
    of_move = control.move_ms / 1000
    banked = max(0.0, turn.time_left - of_move)
    safe = of_move * share - margin
    if banked and (bank or not of_move):
        safe = max(0.0, safe) + banked / LAST_MOVES
    return max(0.0, min(safe, turn.time_left - margin))
