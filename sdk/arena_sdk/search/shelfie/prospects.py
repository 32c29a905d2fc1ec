"""What a shelf will be worth by the end of the game: its groups, its personal goal, its chances of common goals.

All estimates depend on the *reach*: how many more tiles the shelf can expect to take before the game ends.
"""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache
from math import exp
from typing import Final

from arena_rules.shelfie.facts import PERSONAL_GOALS, PERSONAL_POINTS, SHELF_CELLS, SHELF_COLUMNS
from arena_rules.shelfie.shelf import COLUMNS, FULL, group_points, groups, grown
from arena_sdk.search.shelfie.fitted import COMMON, GROWTH, PERSONAL
from arena_sdk.search.shelfie.progress import missing_for

_REMEMBERED: Final = 1 << 15
_STAGES: Final = tuple(bisect((3, 8, 14, 21), reach - 1) for reach in range(SHELF_CELLS + 1))
"""For each reach, the stage of the game by which the fitted numbers go."""
UNKNOWN_GOAL: Final = 5.0
"""What a personal goal that is not known is taken to bring."""
_BELOW: Final = tuple(
    COLUMNS[cell % SHELF_COLUMNS] & ~((1 << cell // SHELF_COLUMNS * SHELF_COLUMNS + SHELF_COLUMNS) - 1)
    for cell in range(SHELF_CELLS)
)
"""For each cell, those under it in its column."""


@lru_cache(_REMEMBERED)
def group_prospect(tiles: int, filled: int, reach: int) -> float:
    """The points to be expected of the groups that tiles of one type form on a shelf."""
    points = float(group_points(tiles))
    if not reach:
        return points
    free = FULL & ~filled
    growth = GROWTH[_STAGES[reach]]
    for group in groups(tiles):
        ways = (grown(group) & free).bit_count()
        size = group.bit_count()
        if ways and size < 6:
            points += growth[size - 1][0 if ways < 3 else 1]
    return points


@lru_cache(_REMEMBERED)
def personal_prospect(goal: int, matched: int, filled: int, reach: int) -> float:
    """The points to be expected of a personal goal, of whose six cells those in ``matched`` hold the right tile."""
    chances = PERSONAL[_STAGES[reach]]
    ways = [0.0] * 7
    ways[matched.bit_count()] = 1.0
    for _, cell in PERSONAL_GOALS[goal]:
        if reach and not filled >> cell & 1:
            chance = chances[(_BELOW[cell] & ~filled).bit_count()]
            for count in range(6, 0, -1):
                ways[count] += (ways[count - 1] - ways[count]) * chance
            ways[0] *= 1 - chance
    return sum(way * points for way, points in zip(ways, PERSONAL_POINTS, strict=True))


def personal_matches(goal: int, shelf: tuple[int, ...]) -> int:
    """The cells of the personal goal that hold the right tile."""
    matched = 0
    for tile, cell in PERSONAL_GOALS[goal]:
        matched |= shelf[tile] & 1 << cell
    return matched


@lru_cache(_REMEMBERED)
def goal_chance(goal: int, shelf: tuple[int, ...], reach: int) -> float:
    """The chance that the shelf will fulfil a common goal that it does not fulfil yet."""
    missing = missing_for(goal)(list(shelf))
    if not missing or missing > reach:
        return 0.0 if missing else 1.0
    base, step, slack = COMMON
    return 1.0 / (1.0 + exp(-base + step * missing - slack * (reach - missing)))


def shelf_prospect(shelf: tuple[int, ...], personal: int | None, reach: int) -> float:
    """The points to be expected of groups and personal goal."""
    filled = shelf[0]
    points = 0.0
    for tiles in shelf[1:]:
        if tiles:
            points += group_prospect(tiles, filled, reach)
    if personal is None:
        points += UNKNOWN_GOAL
    else:
        points += personal_prospect(personal, personal_matches(personal, shelf), filled, reach)
    return points
