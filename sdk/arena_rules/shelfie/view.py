"""What one seat of My Shelfie may see: everything but the order of the bag and the others' personal goals."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from arena_rules.game import Options
from arena_rules.position import View
from arena_rules.shelfie.choices import Choices
from arena_rules.shelfie.facts import SHELF_CELLS
from arena_rules.shelfie.moves import Move

if TYPE_CHECKING:
    from arena_rules.shelfie.state import ShelfieState


class ShelfieView(View[Move]):
    """A seat's view. Made once per turn and never changed."""

    __slots__ = (
        "_public",
        "board",
        "choices",
        "common_goals",
        "first_full",
        "left",
        "options",
        "personal_goal",
        "players",
        "seat",
        "shelves",
        "to_move",
        "tokens",
        "turn",
    )

    def __init__(
        self,
        options: Options,
        players: int,
        seat: int,
        to_move: int,
        turn: int,
        board: bytes,
        shelves: bytes,
        common_goals: tuple[int, ...],
        tokens: bytes,
        first_full: int,
        personal_goal: int,
        left: tuple[int, ...],
        choices: Choices | None = None,
    ) -> None:
        self.options = options
        """The rule options in force."""
        self.players = players
        self.seat = seat
        self.to_move = to_move
        self.turn = turn
        self.board = board
        """The tile on each of the 81 board cells, row by row."""
        self.shelves = shelves
        """The tile on each shelf cell, row by row, 30 for each seat."""
        self.common_goals = common_goals
        self.tokens = tokens
        """Points of the common-goal token each seat has taken: seat by seat, one for each common goal."""
        self.first_full = first_full
        """The seat with the end-game token, or -1."""
        self.personal_goal = personal_goal
        self.left = left
        self.choices = choices
        """What the seat may do; None when it is not its turn."""
        self._public: ShelfieState | None = None

    def shelf(self, seat: int) -> bytes:
        """The thirty tiles of a seat's shelf."""
        return self.shelves[seat * SHELF_CELLS : (seat + 1) * SHELF_CELLS]

    @property
    def public(self) -> ShelfieState:
        """The state as this seat knows it: the bag sorted, the others' personal goals missing. Copy it to change it."""
        if self._public is None:
            from arena_rules.shelfie.behind import public_state

            self._public = public_state(self)
        return self._public

    def legal_moves(self) -> list[Move]:
        if self.choices is not None:
            return self.choices.moves(self.board)
        return self.public.legal_moves()

    def sample(self, rng: Random) -> ShelfieState:
        from arena_rules.shelfie.behind import sampled

        return sampled(self, rng)

    def __str__(self) -> str:
        from arena_rules.shelfie.notation import write_view

        return write_view(self)

    def __reduce__(self) -> tuple[object, ...]:
        from arena_rules.shelfie.notation import read_view

        return read_view, (str(self),)
