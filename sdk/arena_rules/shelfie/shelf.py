"""Geometry of a bookshelf. Sets of shelf cells are integers with bit ``row * 5 + column``: thirty bits, one digit.

A *shelf* in this package is a row of seven such sets: all filled cells first, then the cells of each tile type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena_rules.remembered import remembered
from arena_rules.shelfie.facts import GROUP_POINTS, SHELF_CELLS, SHELF_COLUMNS, SHELF_ROWS, TILE_TYPES

Shelf = list[int]

FULL: Final = (1 << SHELF_CELLS) - 1
COLUMNS: Final = tuple(
    sum(1 << row * SHELF_COLUMNS + column for row in range(SHELF_ROWS)) for column in range(SHELF_COLUMNS)
)
ROWS: Final = tuple(((1 << SHELF_COLUMNS) - 1) << row * SHELF_COLUMNS for row in range(SHELF_ROWS))
_NOT_LEFT: Final = FULL & ~COLUMNS[0]
_NOT_RIGHT: Final = FULL & ~COLUMNS[-1]

# Shelves that come up in play repeat a few tile patterns over and over, and a search asks for the same ones many times.
_REMEMBERED: Final = 1 << 11


def cells_of(mask: int) -> list[int]:
    return [cell for cell in range(SHELF_CELLS) if mask >> cell & 1]


def grown(mask: int) -> int:
    """The cells and all that lie beside them."""
    sideways = (mask & _NOT_RIGHT) << 1 | (mask & _NOT_LEFT) >> 1
    return (mask | sideways | mask << SHELF_COLUMNS | mask >> SHELF_COLUMNS) & FULL


@remembered(_REMEMBERED)
def groups(tiles: int) -> tuple[int, ...]:
    """The groups of side-connected cells that tiles of one type form, as masks."""
    found = []
    while tiles:
        group = tiles & -tiles
        while (larger := grown(group) & tiles) != group:
            group = larger
        found.append(group)
        tiles &= ~group
    return tuple(found)


@remembered(_REMEMBERED)
def group_points(tiles: int) -> int:
    """The points for the groups that tiles of one type form."""
    return sum(_POINTS_BY_SIZE[group.bit_count()] for group in groups(tiles))


_POINTS_BY_SIZE: Final = tuple(
    max((points for least, points in GROUP_POINTS.items() if size >= least), default=0)
    for size in range(SHELF_CELLS + 1)
)


def shelf_of(cells: Sequence[int]) -> Shelf:
    """The shelf with these thirty tile codes."""
    shelf = [0] * (1 + len(TILE_TYPES))
    for cell, tile in enumerate(cells):
        if tile:
            shelf[0] |= 1 << cell
            shelf[tile] |= 1 << cell
    return shelf
