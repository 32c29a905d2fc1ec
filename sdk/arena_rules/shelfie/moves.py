"""Lines on the living-room board and the moves that take them.

All lines and moves there can ever be are made once, here; states pass them around by reference and never make new ones.
Sets of board cells are integers with one bit for each of the 45 spaces, in reading order: with a bit for each of the 81
cells they would not fit into a machine word, which is what the compiler keeps small numbers in.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Final

from arena_rules.errors import NotationError
from arena_rules.shelfie.facts import BOARD_CELLS, BOARD_SIDE, PICK_MAX, PLAYERS, SHELF_COLUMNS, SPACES


class Move:
    """Take the tiles on ``cells`` and put them, the first one lowest, into ``column`` of the own shelf."""

    __slots__ = ("cells", "column", "line", "mask", "near", "size", "text")

    def __init__(self, line: Line, cells: bytes, column: int) -> None:
        self.line = line
        self.cells = cells
        self.column = column
        self.size = line.size
        self.mask = line.mask
        self.near = line.near
        self.text = "".join(cell_name(cell) for cell in cells) + f">{column + 1}"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text})"

    def __reduce__(self) -> tuple[object, ...]:
        # There is only ever one object for a move, so that moves compare by identity; unpickling must find it.
        return find_move, (self.cells, self.column)


class Line:
    """One to three board cells in a row, and every move that takes them."""

    __slots__ = ("cells", "ends", "mask", "moves", "near", "size")

    def __init__(self, cells: tuple[int, ...]) -> None:
        self.cells = cells
        self.size = len(cells)
        self.ends = bytes((cells[0], cells[-1]))
        self.mask = mask_of(cells)
        self.near = neighbours(self.mask)
        self.moves = tuple(
            tuple(Move(self, bytes(order), column) for order in permutations(cells)) for column in range(SHELF_COLUMNS)
        )
        """For each column, the moves with every order of the tiles."""


def cell_name(cell: int) -> str:
    """The name of a board cell: a letter for the column, from the left, and a number for the row, from the top."""
    row, column = divmod(cell, BOARD_SIDE)
    return f"{'abcdefghi'[column]}{row + 1}"


_SPACES: Final = SPACES[max(PLAYERS)]
_BITS: Final = {cell: 1 << place for place, cell in enumerate(_SPACES)}


def mask_of(cells: Iterable[int]) -> int:
    """The cells as a set; those that are no spaces of the board are left out."""
    mask = 0
    for cell in cells:
        mask |= _BITS.get(cell, 0)
    return mask


def _beside(cell: int) -> list[int]:
    row, column = divmod(cell, BOARD_SIDE)
    places = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [y * BOARD_SIDE + x for y, x in places if 0 <= y < BOARD_SIDE and 0 <= x < BOARD_SIDE]


_NEAR: Final = {_BITS[cell]: mask_of(_beside(cell)) for cell in _SPACES}
_WITH_FOUR_SIDES: Final = [(bit, near) for bit, near in _NEAR.items() if near.bit_count() == 4]


def neighbours(mask: int) -> int:
    """The spaces beside the given ones, themselves not included."""
    near = 0
    for bit, beside in _NEAR.items():
        if mask & bit:
            near |= beside
    return near & ~mask


def takeable_cells(occupied: int) -> int:
    """The occupied cells that have a free side."""
    takeable = occupied
    for bit, near in _WITH_FOUR_SIDES:
        if occupied & near == near:
            takeable &= ~bit
    return takeable


def touching_pairs(occupied: int) -> int:
    """How many pairs of occupied cells touch."""
    seen_from_both = sum((occupied & near).bit_count() for bit, near in _NEAR.items() if occupied & bit)
    return seen_from_both // 2


def _all_lines() -> dict[int, Line]:
    everywhere = set(_SPACES)
    lines = {}
    for size in range(1, PICK_MAX + 1):
        for cell in sorted(everywhere):
            for step in (1, BOARD_SIDE):
                cells = tuple(cell + i * step for i in range(size))
                one_row = step == BOARD_SIDE or cells[-1] // BOARD_SIDE == cell // BOARD_SIDE
                if one_row and everywhere.issuperset(cells) and mask_of(cells) not in lines:
                    lines[mask_of(cells)] = Line(cells)
    return lines


LINES: Final = _all_lines()
"""All lines by their cells as a mask; the single tiles first, then the pairs, then the triples."""

_LINES_BY_ENDS: Final = {line.ends: line for line in LINES.values()}
_MOVES: Final = {(move.cells, move.column): move for line in LINES.values() for moves in line.moves for move in moves}
_NAMED_MOVES: Final = {str(move): move for move in _MOVES.values()}

LINES_UP_TO: Final = {
    players: [
        [line for line in LINES.values() if line.size <= size and line.mask & ~mask_of(SPACES[players]) == 0]
        for size in range(PICK_MAX + 1)
    ]
    for players in PLAYERS
}
"""The lines of at most a given size on the spaces that a number of players uses."""


def find_move(cells: bytes, column: int) -> Move:
    """The move that takes these cells in this order. Raises NotationError when they are not a line of the board."""
    try:
        return _MOVES[cells, column]
    except KeyError:
        pass
    if not 0 <= column < SHELF_COLUMNS:
        raise NotationError(f"there is no column {column + 1} on a shelf; columns are 1 to {SHELF_COLUMNS}")
    if not all(cell < BOARD_CELLS for cell in cells):
        raise NotationError(f"board cells are numbered 0 to {BOARD_CELLS - 1}, not {max(cells)}")
    names = ", ".join(cell_name(cell) for cell in cells) or "nothing"
    raise NotationError(f"{names}: not one to {PICK_MAX} spaces of the board side by side in a straight line")


def read_move(text: str) -> Move:
    """The move in notation such as ``d4e4>2``: the cells in the order of putting, then the column."""
    try:
        return _NAMED_MOVES[text]
    except KeyError:
        raise NotationError(
            f"'{text[:40]}' is not a move: write one to {PICK_MAX} spaces of the board in a straight line, in "
            f"the order of putting, and a column from 1 to {SHELF_COLUMNS}, as in d4e4>2"
        ) from None


class _Stripes(dict[int, bytes]):
    """The ends of the lines that run along the rows (or columns) of one part of the board, by which cells can be taken.

    Filled in as patterns come up.
    """

    def __init__(self, step: int, sizes: range) -> None:
        super().__init__({0: b""})
        self.step = step
        self.sizes = sizes

    def __missing__(self, pattern: int) -> bytes:
        cells = [cell for cell, bit in _BITS.items() if pattern & bit]
        pairs = [bytes((cell, cell + (size - 1) * self.step)) for size in self.sizes for cell in cells]
        ends = b"".join([pair for pair in pairs if pair in _LINES_BY_ENDS and not _LINES_BY_ENDS[pair].mask & ~pattern])
        self[pattern] = ends
        return ends


# The three rows (and columns) at each side have few spaces and are looked up together, the others one by one: at most
# eleven spaces in any part, so that a part has few patterns.
_PARTS: Final = ((0, 3), (3, 4), (4, 5), (5, 6), (6, 9))
_ROWS: Final = tuple(mask_of([cell for cell in _SPACES if top <= cell // BOARD_SIDE < end]) for top, end in _PARTS)
_COLUMNS: Final = tuple(mask_of([cell for cell in _SPACES if left <= cell % BOARD_SIDE < end]) for left, end in _PARTS)
_ALONG_ROWS: Final = [_Stripes(1, range(1, longest + 1)) for longest in range(PICK_MAX + 1)]
_ALONG_COLUMNS: Final = [_Stripes(BOARD_SIDE, range(2, longest + 1)) for longest in range(PICK_MAX + 1)]


def line_ends(takeable: int, longest: int) -> bytes:
    """The ends of every line of at most ``longest`` tiles whose cells can all be taken, two bytes for each.

    Looking up parts of the board in a table of patterns costs the same ten look-ups however many lines there are, a
    fraction of what trying every line costs.
    """
    rows = _ALONG_ROWS[longest]
    columns = _ALONG_COLUMNS[longest]
    return b"".join([rows[takeable & row] for row in _ROWS] + [columns[takeable & column] for column in _COLUMNS])


def lines_with(ends: bytes) -> list[Line]:
    """The lines that `line_ends` lists. Raises NotationError for what is no line."""
    try:
        return [_LINES_BY_ENDS[ends[i : i + 2]] for i in range(0, len(ends), 2)]
    except KeyError:
        raise NotationError("the ends of a line that is not on the board") from None
