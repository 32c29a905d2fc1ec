"""My Shelfie once more, as slow and plain as the rules read: what the real rules are compared with.

A shelf is a list of six rows of five letters, a full stop for an empty cell. Nothing is shared with the real rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, pairwise

Shelf = list[str]
Cell = tuple[int, int]
Group = tuple[str, frozenset[Cell]]

ROWS, COLUMNS = range(6), range(5)
TYPES = "CBGFTP"
BOARD = (
    "...34....",
    "...224...",
    "..32223..",
    ".42222223",
    "422222224",
    "32222224.",
    "..32223..",
    "...422...",
    "....43...",
)


# ── groups ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def beside(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def groups(shelf: Shelf) -> list[Group]:
    """Maximal sets of tiles of one type that touch side to side."""
    unseen = {(row, column): shelf[row][column] for row in ROWS for column in COLUMNS if shelf[row][column] != "."}
    found = []
    while unseen:
        start, kind = next(iter(unseen.items()))
        group, waiting = set(), [start]
        while waiting:
            cell = waiting.pop()
            if unseen.get(cell) == kind:
                del unseen[cell]
                group.add(cell)
                waiting += beside(cell)
        found.append((kind, frozenset(group)))
    return found


def group_points(shelf: Shelf) -> int:
    return sum({0: 0, 1: 0, 2: 0, 3: 2, 4: 3, 5: 5}.get(len(cells), 8) for _, cells in groups(shelf))


def blocks(cells: frozenset[Cell]) -> list[frozenset[Cell]]:
    """The two-by-two blocks among the cells."""
    squares = [frozenset((r + i, c + j) for i in (0, 1) for j in (0, 1)) for r in range(5) for c in range(4)]
    return [square for square in squares if square <= cells]


@cache
def most_pieces(cells: frozenset[Cell], size: int) -> int:
    """How many connected pieces of a size can be cut from the cells at most: leave the first cell out, or use it."""
    if len(cells) < size:
        return 0
    first = min(cells)
    best = most_pieces(cells - {first}, size)
    if best == len(cells) // size:
        return best
    return max([best, *(1 + most_pieces(cells - piece, size) for piece in pieces_with(first, cells, size))])


def pieces_with(first: Cell, cells: frozenset[Cell], size: int) -> set[frozenset[Cell]]:
    pieces = {frozenset({first})}
    while size > 1:
        pieces = {
            piece | {cell} for piece in pieces for near in piece for cell in beside(near) if cell in cells - piece
        }
        size -= 1
    return pieces


# ── common goals, each as its rule reads ────────────────────────────────────────────────────────────────────────────


def columns(shelf: Shelf) -> list[str]:
    return ["".join(shelf[row][column] for row in ROWS) for column in COLUMNS]


def full_lines(lines: list[str], *numbers_of_types: int) -> int:
    return sum("." not in line and len(set(line)) in numbers_of_types for line in lines)


def one_type(shelf: Shelf, cells: list[Cell]) -> bool:
    found = {shelf[row][column] for row, column in cells}
    return len(found) == 1 and found != {"."}


def separate_groups(shelf: Shelf) -> bool:
    return sum(bool(blocks(cells)) for _, cells in groups(shelf)) >= 2


def same_type(shelf: Shelf) -> bool:
    return any(sum(bool(blocks(cells)) for kind, cells in groups(shelf) if kind == wanted) >= 2 for wanted in TYPES)


def disjoint_blocks(shelf: Shelf) -> bool:
    found = [block for _, cells in groups(shelf) for block in blocks(cells)]
    return any(one.isdisjoint(other) for one, other in combinations(found, 2))


def exact_groups(shelf: Shelf) -> bool:
    return sum(blocks(cells) == [cells] for _, cells in groups(shelf)) >= 2


def staircase(shelf: Shelf) -> bool:
    heights = [6 - column.count(".") for column in columns(shelf)]
    steps = {right - left for left, right in pairwise(heights)}
    return 0 not in heights and steps in ({1}, {-1})


def x_shape(shelf: Shelf) -> bool:
    arms = [(0, 0), (0, 2), (1, 1), (2, 0), (2, 2)]
    return any(one_type(shelf, [(r + i, c + j) for i, j in arms]) for r in range(4) for c in range(3))


def diagonal(shelf: Shelf) -> bool:
    down_right = [[(start + i, i) for i in range(5)] for start in (0, 1)]
    down_left = [[(start + i, 4 - i) for i in range(5)] for start in (0, 1)]
    return any(one_type(shelf, cells) for cells in down_right + down_left)


def at_least(wanted: int, size: int) -> Callable[[Shelf], bool]:
    return lambda shelf: sum(len(cells) >= size for _, cells in groups(shelf)) >= wanted


def exactly(wanted: int, size: int) -> Callable[[Shelf], bool]:
    return lambda shelf: sum(len(cells) == size for _, cells in groups(shelf)) >= wanted


def split(wanted: int, size: int) -> Callable[[Shelf], bool]:
    return lambda shelf: sum(most_pieces(cells, size) for _, cells in groups(shelf)) >= wanted


GOALS: dict[tuple[int, str], Callable[[Shelf], bool]] = {
    (1, "separate_groups"): separate_groups,
    (1, "disjoint_blocks"): disjoint_blocks,
    (1, "exact_groups"): exact_groups,
    (1, "same_type"): same_type,
    (2, ""): lambda shelf: full_lines(columns(shelf), 6) >= 2,
    (3, "count_components"): at_least(4, 4),
    (3, "split"): split(4, 4),
    (3, "exact"): exactly(4, 4),
    (4, "count_components"): at_least(6, 2),
    (4, "split"): split(6, 2),
    (4, "exact"): exactly(6, 2),
    (5, ""): lambda shelf: full_lines(columns(shelf), 1, 2, 3) >= 3,
    (6, ""): lambda shelf: full_lines(shelf, 5) >= 2,
    (7, ""): lambda shelf: full_lines(shelf, 1, 2, 3) >= 4,
    (8, ""): lambda shelf: one_type(shelf, [(0, 0), (0, 4), (5, 0), (5, 4)]),
    (9, ""): lambda shelf: any("".join(shelf).count(kind) >= 8 for kind in TYPES),
    (10, ""): x_shape,
    (11, ""): diagonal,
    (12, ""): staircase,
}
"""Each common goal in each of its readings."""


# ── the living room ─────────────────────────────────────────────────────────────────────────────────────────────────


def spaces(players: int) -> list[Cell]:
    return [(r, c) for r, row in enumerate(BOARD) for c, dots in enumerate(row) if dots != "." and int(dots) <= players]


def lines(board: list[str], longest: int) -> Iterator[list[Cell]]:
    """Straight lines of tiles that all have a side where no tile lies."""
    tiles = {(r, c) for r in range(9) for c in range(9) if board[r][c] != "."}
    free = {cell for cell in tiles if any(near not in tiles for near in beside(cell))}
    for row, column in sorted(free):
        yield [(row, column)]
        for down, right in ((0, 1), (1, 0)):
            for size in range(2, longest + 1):
                line = [(row + i * down, column + i * right) for i in range(size)]
                if free.issuperset(line):
                    yield line


def any_tiles_touch(board: list[str]) -> bool:
    tiles = {(r, c) for r in range(9) for c in range(9) if board[r][c] != "."}
    return any(near in tiles for cell in tiles for near in beside(cell))
