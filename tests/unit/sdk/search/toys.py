"""Two tiny games whose best moves are known."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from arena_rules import IllegalMove, Outcome, Score, State, Termination, View


class Toy(State[int]):
    """What both games have in common: two seats, moves that are numbers, and a list of the moves made."""

    players = 2
    left = ()

    def __init__(self, made: Sequence[int] = ()) -> None:
        self.made = list(made)

    @property
    def turn(self) -> int:  # type: ignore[override]
        return len(self.made)

    def random_move(self, rng: Random) -> int:
        return rng.choice(self.legal_moves())

    def check(self, move: int) -> None:
        if move not in self.legal_moves():
            raise IllegalMove(f"{move}: not now")

    def advance(self, move: int) -> None:
        self.made.append(move)

    def retire(self, seat: int) -> State[int]:
        raise NotImplementedError

    def points(self) -> tuple[int, int]:
        """The points of both seats."""
        raise NotImplementedError

    def score(self, seat: int) -> Score:
        return Score((("points", self.points()[seat]),))

    def outcome(self) -> Outcome | None:
        if self.to_move >= 0:
            return None
        first, second = self.points()
        ranks = (1 + (first < second), 1 + (second < first))
        return Outcome(ranks, (self.score(0), self.score(1)), Termination.COMPLETED)


class Nim(Toy):
    """Take one to three matches; who takes the last one wins. Leave a multiple of four."""

    def __init__(self, heap: int, made: Sequence[int] = ()) -> None:
        super().__init__(made)
        self.heap = heap

    @property
    def lying(self) -> int:
        return self.heap - sum(self.made)

    @property
    def to_move(self) -> int:  # type: ignore[override]
        return len(self.made) % 2 if self.lying else -1

    def legal_moves(self) -> list[int]:
        return list(range(1, min(3, self.lying) + 1))

    def points(self) -> tuple[int, int]:
        if self.lying:
            return (0, 0)
        return (1, 0) if len(self.made) % 2 else (0, 1)

    def copy(self) -> Nim:
        return Nim(self.heap, self.made)

    def view(self, seat: int) -> ToyView:
        return ToyView([self], seat)

    def __str__(self) -> str:
        return f"{self.heap} {self.made}"


SAFE, GAMBLE = 10, 11


class Vault(Toy):
    """The first seat goes home level (SAFE), or guesses which of three numbers is the hidden one, and wins or loses."""

    def __init__(self, hidden: int, made: Sequence[int] = ()) -> None:
        super().__init__(made)
        self.hidden = hidden

    @property
    def to_move(self) -> int:  # type: ignore[override]
        return 0 if self.made in ([], [GAMBLE]) else -1

    def legal_moves(self) -> list[int]:
        return [SAFE, GAMBLE] if not self.made else [0, 1, 2]

    def points(self) -> tuple[int, int]:
        if self.made[-1:] == [SAFE]:
            return (1, 1)
        return (2, 1) if self.made[-1:] == [self.hidden] else (0, 1)

    def copy(self) -> Vault:
        return Vault(self.hidden, self.made)

    def view(self, seat: int) -> ToyView:
        return ToyView([Vault(hidden, self.made) for hidden in range(3)], seat)

    def __str__(self) -> str:
        return f"{self.hidden} {self.made}"


class ToyView(View[int]):
    """Holds what the truth could be, not what it is."""

    players = 2

    def __init__(self, possible: Sequence[Any], seat: int) -> None:
        self.possible = possible
        self.seat = seat
        self.turn = possible[0].turn
        self.to_move = possible[0].to_move

    def legal_moves(self) -> list[int]:
        moves: list[int] = self.possible[0].legal_moves()
        return moves

    def sample(self, rng: Random) -> Toy:
        drawn: Toy = rng.choice(self.possible).copy()
        return drawn

    def __str__(self) -> str:
        return f"{self.seat} {[str(state) for state in self.possible]}"
