"""The objective cards: what an area is worth to each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from arena_rules.codex.area import ORIGIN, Area, cell_at
from arena_rules.codex.cards import KINGDOM, MOST, SHIFTS
from arena_rules.codex.facts import KINGDOMS, OBJECTIVE_CARDS, SYMBOLS

OBJECTIVE_NAMES: Final = tuple(OBJECTIVE_CARDS)
OBJECTIVES: Final = range(len(OBJECTIVE_NAMES))
NO_OBJECTIVE: Final = -1

Kingdoms = list[set[int]]
"""The cells with cards of each kingdom, whichever side is up. Starters belong to none."""


def kingdoms_of(area: Area) -> Kingdoms:
    cells: Kingdoms = [set() for _ in KINGDOMS]
    for cell, face in area.taken.items():
        if face >= 0:
            kingdom = KINGDOM[face >> 1]
            if kingdom >= 0:
                cells[kingdom].add(cell)
    return cells


class Objective:
    """One objective card."""

    __slots__ = ("name", "points")

    def __init__(self, name: str, points: int) -> None:
        self.name = name
        self.points = points

    def times(self, area: Area, cells: Kingdoms) -> int:
        """How often an area fulfils it."""
        raise NotImplementedError


class SymbolObjective(Objective):
    """Points for each set of visible symbols."""

    __slots__ = ("wanted",)

    def __init__(self, name: str, points: int, wanted: Mapping[str, int]) -> None:
        super().__init__(name, points)
        self.wanted = tuple((SHIFTS[SYMBOLS.index(symbol)], count) for symbol, count in wanted.items())

    def times(self, area: Area, cells: Kingdoms) -> int:
        visible = area.symbols
        return min([(visible >> shift & MOST) // count for shift, count in self.wanted])


class DiagonalObjective(Objective):
    """Points for each three cards of one kingdom in a diagonal row.

    Every card stands in one unbroken row of its kingdom, and rows have no card in common, so the most there can be of
    threes without a common card is a third of each row.
    """

    __slots__ = ("kingdom", "length", "step")

    def __init__(self, name: str, points: int, kingdom: int, step: int, length: int) -> None:
        super().__init__(name, points)
        self.kingdom = kingdom
        self.step = step
        self.length = length

    def times(self, area: Area, cells: Kingdoms) -> int:
        own = cells[self.kingdom]
        step = self.step
        found = 0
        for start in own:
            if start - step not in own:
                end = start + step
                while end in own:
                    end += step
                found += (end - start) // step // self.length
        return found


class CornerObjective(Objective):
    """Points for each two cards of one kingdom, one above the other, with a card of another kingdom at a corner.

    Two such patterns can only have a card of the column in common, one as its lower and one as its upper card. Taking
    them from the top of the column downwards, wherever the upper card is still free, gives the most there can be.
    """

    __slots__ = ("below", "corner", "kingdom", "other")

    def __init__(self, name: str, points: int, kingdom: int, below: int, other: int, corner: int) -> None:
        super().__init__(name, points)
        self.kingdom = kingdom
        self.below = below
        self.other = other
        self.corner = corner

    def times(self, area: Area, cells: Kingdoms) -> int:
        own = cells[self.kingdom]
        others = cells[self.other]
        below = self.below
        matches = [cell for cell in own if cell + below in own and cell + self.corner in others]
        if len(matches) < 2:
            return len(matches)
        used: set[int] = set()
        # A cell further up has a greater number.
        for cell in sorted(matches, reverse=True):
            if cell not in used:
                used.add(cell + below)
        return len(used)


def _objective(name: str, card: Mapping[str, Any]) -> Objective:
    points = card["points"]
    if "symbols" in card:
        return SymbolObjective(name, points, card["symbols"])
    steps = [cell_at(x, y) - ORIGIN for x, y, _ in card["cells"]]
    kingdoms = [KINGDOMS.index(kingdom) for _, _, kingdom in card["cells"]]
    if len(set(kingdoms)) == 1:
        return DiagonalObjective(name, points, kingdoms[0], steps[1], len(steps))
    return CornerObjective(name, points, kingdoms[0], steps[1], kingdoms[2], steps[2])


CARDS: Final = tuple(_objective(name, card) for name, card in OBJECTIVE_CARDS.items())


def objective_points(area: Area, cells: Kingdoms, objective: int) -> int:
    """What an objective card brings; nothing when it is not known."""
    if objective < 0:
        return 0
    card = CARDS[objective]
    return card.points * card.times(area, cells)
