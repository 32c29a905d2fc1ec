"""The goal cards: when a shelf fulfils a common goal, and what a personal goal is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from arena_rules.game import Options
from arena_rules.remembered import remembered
from arena_rules.shelfie.facts import (
    COMMON_GOALS,
    PERSONAL_GOALS,
    PERSONAL_POINTS,
    SHELF_COLUMNS,
    SHELF_ROWS,
)
from arena_rules.shelfie.shelf import COLUMNS, ROWS, Shelf, groups, grown

# As in `shelf`: the same few patterns of tiles come up over and over.
_REMEMBERED: Final = 1 << 11

Check = Callable[[Shelf], bool]
_Facts = Mapping[str, Any]


class CommonGoal:
    """One common goal as it is read under the options in force."""

    __slots__ = ("check", "least_tiles", "name", "number")

    def __init__(self, number: int, check: Check, least_tiles: int) -> None:
        self.number = number
        self.name: str = COMMON_GOALS[number]["name"]
        self.check = check
        self.least_tiles = least_tiles
        """No shelf with fewer tiles fulfils the goal."""


def common_goal(number: int, options: Options) -> CommonGoal:
    """The common goal with that number on its card."""
    facts = COMMON_GOALS[number]
    make = _MAKERS[facts["name"]]
    return CommonGoal(number, *make(facts, options.get(facts["name"], "")))


def personal_points(shelf: Shelf, number: int) -> int:
    """The points that a shelf earns with a personal goal."""
    return PERSONAL_POINTS[sum(shelf[tile] >> cell & 1 for tile, cell in PERSONAL_GOALS[number])]


def _cells(places: Iterable[Sequence[int]]) -> int:
    return sum(1 << row * SHELF_COLUMNS + column for row, column in places)


def _any_of(shapes: list[int], least_tiles: int) -> tuple[Check, int]:
    """One of the shapes is covered by a single type."""

    size = shapes[0].bit_count()

    def check(shelf: Shelf) -> bool:
        for tiles in shelf[1:]:
            if tiles.bit_count() >= size:
                for shape in shapes:
                    if tiles & shape == shape:
                        return True
        return False

    return check, least_tiles


def _squares(facts: _Facts, reading: str) -> tuple[Check, int]:
    height, width = facts["size"]
    wanted: int = facts["blocks"]
    size = height * width
    square = _cells([(row, column) for row in range(height) for column in range(width)])
    blocks = [
        square << top * SHELF_COLUMNS + left
        for top in range(SHELF_ROWS - height + 1)
        for left in range(SHELF_COLUMNS - width + 1)
    ]

    def count_with_block(tiles: int) -> int:
        return sum(any(group & block == block for block in blocks) for group in groups(tiles))

    def count_just_blocks(tiles: int) -> int:
        return sum(group in blocks for group in groups(tiles))

    with_block = remembered(_REMEMBERED)(count_with_block)
    just_blocks = remembered(_REMEMBERED)(count_just_blocks)

    def separate_groups(shelf: Shelf) -> bool:
        return _enough(with_block, shelf, wanted, size)

    def same_type(shelf: Shelf) -> bool:
        return any(with_block(tiles) >= wanted for tiles in shelf[1:])

    def exact_groups(shelf: Shelf) -> bool:
        return _enough(just_blocks, shelf, wanted, size)

    def disjoint_blocks(shelf: Shelf) -> bool:
        found = [block for tiles in shelf[1:] for block in blocks if tiles & block == block]
        return any(a & b == 0 for a in found for b in found)

    readings: dict[str, Check] = {
        "separate_groups": separate_groups,
        "same_type": same_type,
        "exact_groups": exact_groups,
        "disjoint_blocks": disjoint_blocks,
    }
    return readings[reading], wanted * size


def _groups(facts: _Facts, reading: str) -> tuple[Check, int]:
    wanted: int = facts["groups"]
    size: int = facts["min_size"]

    def count_components(tiles: int) -> int:
        return sum(group.bit_count() >= size for group in groups(tiles))

    def exact(tiles: int) -> int:
        return sum(group.bit_count() == size for group in groups(tiles))

    def split(tiles: int) -> int:
        return sum(most_pieces(group, size) for group in groups(tiles))

    readings: dict[str, Callable[[int], int]] = {"count_components": count_components, "exact": exact, "split": split}
    count = remembered(_REMEMBERED)(readings[reading])

    def check(shelf: Shelf) -> bool:
        return _enough(count, shelf, wanted, size)

    return check, wanted * size


def _enough(count: Callable[[int], int], shelf: Shelf, wanted: int, size: int) -> bool:
    """Whether the counts of all types add up to what is wanted.

    A type with n tiles has at most n // size to count, which mostly settles it without looking where they are.
    """
    possible = 0
    for tiles in shelf[1:]:
        possible += tiles.bit_count() // size
    return possible >= wanted and sum(count(tiles) for tiles in shelf[1:]) >= wanted


@lru_cache(_REMEMBERED)
def most_pieces(tiles: int, size: int) -> int:
    """The largest number of connected pieces of ``size`` cells that can be cut from these tiles."""
    if tiles.bit_count() < size:
        return 0
    first = tiles & -tiles
    without = most_pieces(tiles & ~first, size)
    if without == tiles.bit_count() // size:
        return without
    return max([without] + [1 + most_pieces(tiles & ~piece, size) for piece in _pieces_with(first, tiles, size)])


def _pieces_with(start: int, tiles: int, size: int) -> set[int]:
    """All connected sets of ``size`` cells among the tiles that contain the cell ``start``."""
    pieces = {start}
    for _ in range(size - 1):
        pieces = {piece | cell for piece in pieces for cell in _bits(grown(piece) & tiles & ~piece)}
    return pieces


def _bits(mask: int) -> list[int]:
    return [1 << i for i in range(mask.bit_length()) if mask >> i & 1]


def _lines(facts: _Facts, reading: str) -> tuple[Check, int]:
    lines = ROWS if facts["direction"] == "row" else COLUMNS
    wanted: int = facts["lines"]
    length = lines[0].bit_count()
    fewest: int = facts.get("distinct_exactly", 1)
    most: int = facts.get("distinct_exactly", facts.get("distinct_max"))

    def check(shelf: Shelf) -> bool:
        filled = shelf[0]
        by_type = shelf[1:]
        found = 0
        for line in lines:
            if filled & line == line:
                types = 0
                for tiles in by_type:
                    if tiles & line:
                        types += 1
                found += fewest <= types <= most
        return found >= wanted

    return check, wanted * length


def _corners(facts: _Facts, reading: str) -> tuple[Check, int]:
    # The upper corners are only reached when both outer columns are full.
    return _any_of([_cells(facts["cells"])], 2 * SHELF_ROWS)


def _same(facts: _Facts, reading: str) -> tuple[Check, int]:
    least: int = facts["min_count"]

    def check(shelf: Shelf) -> bool:
        for tiles in shelf[1:]:
            if tiles.bit_count() >= least:
                return True
        return False

    return check, least


def _x_shape(facts: _Facts, reading: str) -> tuple[Check, int]:
    window: int = facts["window"]
    shape = _cells(facts["offsets"])
    places = [
        shape << top * SHELF_COLUMNS + left
        for top in range(SHELF_ROWS - window + 1)
        for left in range(SHELF_COLUMNS - window + 1)
    ]
    # At the bottom of the shelf: two outer columns of three tiles and one of two between them.
    return _any_of(places, 8)


def _diagonal(facts: _Facts, reading: str) -> tuple[Check, int]:
    length: int = facts["length"]
    shapes = [
        _cells([(row + step, column + step * side) for step in range(length)]) for row, column, side in facts["starts"]
    ]
    # Under a diagonal stands a staircase.
    return _any_of(shapes, length * (length + 1) // 2)


def _staircase(facts: _Facts, reading: str) -> tuple[Check, int]:
    shapes = {
        _cells([(SHELF_ROWS - 1 - i, column) for column, height in enumerate(heights) for i in range(height)])
        for heights in facts["heights"]
    }

    def check(shelf: Shelf) -> bool:
        return shelf[0] in shapes

    return check, min(shape.bit_count() for shape in shapes)


_MAKERS: Final[Mapping[str, Callable[[_Facts, str], tuple[Check, int]]]] = {
    "two_squares": _squares,
    "two_columns_all_different": _lines,
    "four_groups_of_four": _groups,
    "six_pairs": _groups,
    "three_columns_max3": _lines,
    "two_rows_all_different": _lines,
    "four_rows_max3": _lines,
    "four_corners": _corners,
    "eight_same": _same,
    "x_shape": _x_shape,
    "diagonal": _diagonal,
    "staircase": _staircase,
}
