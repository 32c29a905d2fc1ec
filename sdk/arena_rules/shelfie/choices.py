"""What the seat to move may do, factorised: any one line, in any order, into any column that has room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena_rules.shelfie.facts import PICK_MAX
from arena_rules.shelfie.moves import Line, Move, lines_with

# Of the orders of two or three tiles, those that differ in effect, by which of the tiles are alike.
_ORDERS_OF_TWO: Final = {True: (0,), False: (0, 1)}
_ORDERS_OF_THREE: Final = {
    (False, False, False): (0, 1, 2, 3, 4, 5),
    (True, False, False): (0, 1, 4),
    (False, True, False): (0, 2, 3),
    (False, False, True): (0, 1, 2),
    (True, True, True): (0,),
}


class Choices:
    """The lines that can be taken and the free cells of each own column."""

    __slots__ = ("_lines", "ends", "free")

    def __init__(self, ends: bytes, free: bytes) -> None:
        self.ends = ends
        """The cells at both ends of every line, as they go over the wire."""
        self.free = free
        self._lines: list[Line] | None = None

    @property
    def lines(self) -> list[Line]:
        if self._lines is None:
            self._lines = lines_with(self.ends)
        return self._lines

    def some_move(self) -> Move:
        """A legal move, for those who do not care which."""
        (line,) = lines_with(self.ends[:2])
        column = 0
        while self.free[column] < line.size:
            column += 1
        return line.moves[column][0]

    def columns_for(self, size: int) -> list[int]:
        """The columns with room for that many tiles."""
        return [column for column, room in enumerate(self.free) if room >= size]

    def moves(self, board: Sequence[int]) -> list[Move]:
        """Every move with an effect of its own, given the tiles on the board."""
        columns = [self.columns_for(size) for size in range(PICK_MAX + 1)]
        return [
            line.moves[column][order]
            for line in self.lines
            for column in columns[line.size]
            for order in _distinct_orders(line, board)
        ]


def _distinct_orders(line: Line, board: Sequence[int]) -> tuple[int, ...]:
    cells = line.cells
    if line.size == 1:
        return (0,)
    if line.size == 2:
        return _ORDERS_OF_TWO[board[cells[0]] == board[cells[1]]]
    a, b, c = board[cells[0]], board[cells[1]], board[cells[2]]
    return _ORDERS_OF_THREE[a == b, b == c, a == c]
