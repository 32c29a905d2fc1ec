"""How far a shelf is from each common goal: the fewest tiles that are still missing, were the right ones to come.

Ways that tiles already placed have closed are not counted. It is an estimate for search: where the readings of a goal
differ, the default one is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from arena_rules.shelfie.facts import COMMON_GOALS, SHELF_COLUMNS, SHELF_ROWS, TILE_TYPES
from arena_rules.shelfie.shelf import COLUMNS, FULL, ROWS, Shelf, groups, grown

OUT_OF_REACH: Final = 99

Missing = Callable[[Shelf], int]
_Facts = Mapping[str, Any]


@cache
def missing_for(goal: int) -> Missing:
    """The measure of the common goal with that number on its card."""
    facts = COMMON_GOALS[goal]
    return _MEASURES[facts["name"]](facts)


def _mask(places: list[tuple[int, int]]) -> int:
    return sum(1 << row * SHELF_COLUMNS + column for row, column in places)


def _open_types(shelf: Shelf, shape: int) -> int:
    """Cells of the shape already filled by a single type; -1 when two types are in it."""
    covered = shape & shelf[0]
    if not covered:
        return 0
    for tiles in shelf[1:]:
        if tiles & covered:
            return covered.bit_count() if tiles & covered == covered else -1
    return -1


def _one_of(shapes: list[int]) -> Missing:
    size = shapes[0].bit_count()

    def missing(shelf: Shelf) -> int:
        best = max(_open_types(shelf, shape) for shape in shapes)
        return OUT_OF_REACH if best < 0 else size - best

    return missing


def _squares(facts: _Facts) -> Missing:
    height, width = facts["size"]
    size = height * width
    square = _mask([(row, column) for row in range(height) for column in range(width)])
    rows, columns = range(SHELF_ROWS - height + 1), range(SHELF_COLUMNS - width + 1)
    blocks = [square << top * SHELF_COLUMNS + left for top in rows for left in columns]

    def missing(shelf: Shelf) -> int:
        counts = [(_open_types(shelf, block), block) for block in blocks]
        likely = sorted((size - count, block) for count, block in counts if count >= 0)
        best = OUT_OF_REACH
        for index, (first, block) in enumerate(likely):
            for second, other in likely[index + 1 :]:
                if first + second >= best:
                    break
                if not block & other:
                    best = first + second
        return best

    return missing


def _groups(facts: _Facts) -> Missing:
    wanted: int = facts["groups"]
    size: int = facts["min_size"]

    def missing(shelf: Shelf) -> int:
        free = FULL & ~shelf[0]
        found = []
        for tile in TILE_TYPES:
            for group in groups(shelf[tile]):
                count = group.bit_count()
                if count >= size or grown(group) & free:
                    found.append(min(count, size))
        found.sort(reverse=True)
        return wanted * size - sum(found[:wanted])

    return missing


def _lines(facts: _Facts) -> Missing:
    lines = ROWS if facts["direction"] == "row" else COLUMNS
    wanted: int = facts["lines"]
    length = lines[0].bit_count()
    all_different = "distinct_exactly" in facts
    most: int = facts.get("distinct_max", length)

    def missing(shelf: Shelf) -> int:
        short = []
        for line in lines:
            filled = (shelf[0] & line).bit_count()
            types = 0
            for tiles in shelf[1:]:
                if tiles & line:
                    types += 1
            if types == filled if all_different else types <= most:
                short.append(length - filled)
        short.sort()
        return sum(short[:wanted]) if len(short) >= wanted else OUT_OF_REACH

    return missing


def _corners(facts: _Facts) -> Missing:
    return _one_of([_mask(facts["cells"])])


def _same(facts: _Facts) -> Missing:
    least: int = facts["min_count"]

    def missing(shelf: Shelf) -> int:
        return max(0, least - max(shelf[tile].bit_count() for tile in TILE_TYPES))

    return missing


def _x_shape(facts: _Facts) -> Missing:
    window: int = facts["window"]
    shape = _mask(facts["offsets"])
    rows, columns = range(SHELF_ROWS - window + 1), range(SHELF_COLUMNS - window + 1)
    return _one_of([shape << top * SHELF_COLUMNS + left for top in rows for left in columns])


def _diagonal(facts: _Facts) -> Missing:
    steps = range(facts["length"])
    return _one_of([_mask([(row + i, column + i * side) for i in steps]) for row, column, side in facts["starts"]])


def _staircase(facts: _Facts) -> Missing:
    stairs = [
        _mask([(SHELF_ROWS - 1 - i, column) for column, height in enumerate(heights) for i in range(height)])
        for heights in facts["heights"]
    ]

    def missing(shelf: Shelf) -> int:
        filled = shelf[0]
        within = [(stair & ~filled).bit_count() for stair in stairs if not filled & ~stair]
        return min(within, default=OUT_OF_REACH)

    return missing


_MEASURES: Final[Mapping[str, Callable[[_Facts], Missing]]] = {
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
