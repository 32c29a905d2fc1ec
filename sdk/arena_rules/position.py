"""A position (`State`) and what one seat sees of it (`View`), in the vocabulary of every game.

A state never changes under its holder: `apply` gives a new one. Search code that owns a copy may use `advance`, which
changes it in place and is several times cheaper; it trusts its caller to pass a legal move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Generic, TypeVar

from arena_rules.native import mypyc_attr
from arena_rules.outcome import Outcome, Score

M = TypeVar("M")

Picture = Sequence[Sequence[tuple[str, str]]]
"""A drawing in text: lines of pieces, each a text and the kind of thing it shows, for whoever adds colour."""


@mypyc_attr(allow_interpreted_subclasses=True)
class State(ABC, Generic[M]):
    """A complete position, hidden things included. `str()` gives its notation; equal states write the same."""

    players: int
    turn: int
    """How many moves have been made."""
    to_move: int
    """The seat to move, or -1 when the game is over."""
    left: tuple[int, ...]
    """The seats that have left the game, in the order of leaving."""

    @abstractmethod
    def legal_moves(self) -> list[M]:
        """Every legal move of the seat to move, in a fixed order. Of moves with the same effect, one is listed."""

    @abstractmethod
    def random_move(self, rng: Random) -> M:
        """Some legal move. Every one can come, not all with the same probability; cheaper than choosing from all."""

    @abstractmethod
    def check(self, move: M) -> None:
        """Raises IllegalMove, with a sentence that says why, unless the seat to move may make this move."""

    @abstractmethod
    def advance(self, move: M) -> None:
        """Make a legal move in place. Unchecked: for copies that the caller owns."""

    @abstractmethod
    def copy(self) -> State[M]: ...

    def __copy__(self) -> State[M]:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State[M]:
        return self.copy()

    def apply(self, move: M) -> State[M]:
        """The state after the move. Raises IllegalMove."""
        self.check(move)
        after = self.copy()
        after.advance(move)
        return after

    @abstractmethod
    def retire(self, seat: int) -> State[M]:
        """The state after a seat has left the game for good; the others play on, if two or more are left."""

    @abstractmethod
    def view(self, seat: int) -> View[M]:
        """All that the seat may know."""

    def told(self, move: M, seat: int) -> M | None:
        """The move, made from this state, as far as the seat may know it. None when it is wholly hidden."""
        return move

    @abstractmethod
    def score(self, seat: int) -> Score:
        """The score sheet of the seat, as if the game ended now."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""

    def picture(self) -> Picture:
        """The position as people like to see it. Games should draw something better than their notation."""
        return [[(str(self), "")]]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


@mypyc_attr(allow_interpreted_subclasses=True)
class View(ABC, Generic[M]):
    """What one seat may know of a state, and nothing else. `str()` gives its notation; equal views write the same."""

    players: int
    seat: int
    """The seat that sees this."""
    turn: int
    to_move: int
    """As in `State`."""

    @abstractmethod
    def legal_moves(self) -> list[M]:
        """The legal moves of the seat to move, as `State.legal_moves` lists them, when it is this seat.

        Of the moves of another seat, those that this one knows of: maybe none, where hands are hidden.
        """

    @abstractmethod
    def sample(self, rng: Random) -> State[M]:
        """A complete state that this seat cannot tell from the true one, drawn as the deal would draw it."""

    def __copy__(self) -> View[M]:
        return self

    def __deepcopy__(self, memo: object) -> View[M]:
        return self

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))
