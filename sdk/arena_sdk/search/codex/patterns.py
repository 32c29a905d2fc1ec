"""How near an area is to its objectives."""

from __future__ import annotations

from typing import Final

from arena_rules.codex.area import ORIGIN, Area, cell_at
from arena_rules.codex.cards import MOST, SHIFTS
from arena_rules.codex.facts import KINGDOMS, OBJECTIVE_CARDS, SYMBOLS
from arena_rules.codex.objectives import CARDS, Kingdoms

TWO_OF_THREE: Final = 0.35
"""The part of its points that a pattern is worth of which one card is missing."""
PARTS_OF_SET: Final = 0.6
"""The part of its points that a whole set of symbols but one would be worth, were it not whole."""

Shape = tuple[tuple[int, int], ...]
"""The steps from the first card of a pattern to each, and the kingdom wanted there."""

_SHAPES: Final[tuple[Shape, ...]] = tuple(
    tuple((cell_at(x, y) - ORIGIN, KINGDOMS.index(kingdom)) for x, y, kingdom in card.get("cells", ()))
    for card in OBJECTIVE_CARDS.values()
)
_SETS: Final[tuple[Shape, ...]] = tuple(
    tuple((SHIFTS[SYMBOLS.index(name)], count) for name, count in card.get("symbols", {}).items())
    for card in OBJECTIVE_CARDS.values()
)
_POINTS: Final[tuple[int, ...]] = tuple(card.points for card in CARDS)


def set_points(objective: int, symbols: int, *, partly: bool) -> float:
    """The points for the sets of symbols that are whole, and for a part of the next one; 0 for patterns."""
    wanted = _SETS[objective]
    if not wanted:
        return 0.0
    whole = min([(symbols >> shift & MOST) // count for shift, count in wanted])
    if not partly:
        return _POINTS[objective] * whole
    there = sum([min((symbols >> shift & MOST) - whole * count, count) for shift, count in wanted])
    return _POINTS[objective] * (whole + PARTS_OF_SET * there / sum([count for _, count in wanted]))


def begun(objective: int, area: Area, cells: Kingdoms, kingdom: int, cell: int) -> float:
    """The points for patterns that a card of the kingdom on that cell would bring to two of three."""
    found = 0
    for step, wanted in _SHAPES[objective]:
        if wanted == kingdom:
            found += _is_begun(_SHAPES[objective], area, cells, cell - step, cell)
    return TWO_OF_THREE * _POINTS[objective] * min(found, 2)


def _is_begun(shape: Shape, area: Area, cells: Kingdoms, base: int, new: int) -> bool:
    """Whether the pattern from that base has just one more card than the new one, and its last cell is free."""
    there = 0
    for step, wanted in shape:
        cell = base + step
        if cell != new:
            if cell in cells[wanted]:
                there += 1
            elif cell in area.taken:
                return False
    return there == 1


def pattern_points(objective: int, area: Area, cells: Kingdoms, *, partly: bool) -> float:
    """The points for patterns that are whole, and for those of which two of three cards lie there; 0 for sets."""
    shape = _SHAPES[objective]
    if not shape:
        return 0.0
    whole = float(_POINTS[objective] * CARDS[objective].times(area, cells))
    if not partly:
        return whole
    found = 0
    for kingdom in {kingdom for _, kingdom in shape}:
        for cell in cells[kingdom]:
            found += sum(want == kingdom and _is_begun(shape, area, cells, cell - step, cell) for step, want in shape)
    # Each is found twice, once from either of its cards.
    return whole + TWO_OF_THREE * _POINTS[objective] * min(found / 2, 2)


def affinity(objective: int, symbols: int, kingdoms: list[int]) -> float:
    """How well an objective goes with symbols that are there and cards of these kingdoms that are to come."""
    if _SETS[objective]:
        wanted = {shift for shift, _ in _SETS[objective]}
        suitable = sum([symbols >> shift & MOST for shift in wanted]) / len(wanted)
        suitable += sum([SHIFTS[kingdom] in wanted for kingdom in kingdoms])
    else:
        suitable = float(sum([kingdom in {want for _, want in _SHAPES[objective]} for kingdom in kingdoms]))
    return _POINTS[objective] * (1 + 0.2 * suitable)
