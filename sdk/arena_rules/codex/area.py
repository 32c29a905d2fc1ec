"""The play area of one seat: which cards lie where, where the next one may go, and which symbols are visible.

A *cell* is one place of a card, a number that stands for coordinates with the starter at (0, 0), x growing to the right
and y upwards. The card whose bottom left corner lies over the top right corner of another has x and y greater by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arena_rules.codex.cards import (
    CARD_NAMES,
    CORNER_SHIFT,
    FACES,
    GAIN,
    ONE_CORNER,
    SYMBOL_MASK,
    symbols,
)
from arena_rules.codex.facts import HIDDEN_CORNER

_ROW: Final = 256
REACH: Final = _ROW // 2 - 1
"""No card can lie further than this from the starter in either direction: there are not that many cards."""
assert len(CARD_NAMES) < REACH

ORIGIN: Final = (_ROW + 1) * _ROW // 2
"""The cell of the starter."""
STEPS: Final = (_ROW - 1, _ROW + 1, -_ROW - 1, -_ROW + 1)
"""From a cell to those over its corners: top left, top right, bottom left, bottom right."""

SHUT: Final = -1


def cell_at(x: int, y: int) -> int:
    """The cell with these coordinates, neither of which may exceed REACH."""
    return ORIGIN + x + _ROW * y


def coordinates(cell: int) -> tuple[int, int]:
    y, x = divmod(cell, _ROW)
    return x - _ROW // 2, y - _ROW // 2


def _covered(corner: str) -> int:
    """What a card over this corner covers: the corner, and the symbol on it. 0 where no card may lie."""
    return 0 if corner == HIDDEN_CORNER else ONE_CORNER + symbols(corner)


_UNDER: Final = tuple(tuple(_covered(face.corners[3 - place]) for face in FACES) for place in range(4))
"""For each corner of a card, what it covers of the faces that may lie there: the opposite corner of each."""
AROUND: Final = tuple(
    tuple(
        (step, corner != HIDDEN_CORNER, under) for step, corner, under in zip(STEPS, face.corners, _UNDER, strict=True)
    )
    for face in FACES
)
"""For each corner of each face: the step to the cell there, whether a later card may go to it, a row of _UNDER."""


class Area:
    """The cards of one seat. What follows from them is kept up to date as they are placed, never looked for."""

    __slots__ = ("points", "spots", "symbols", "taken")

    def __init__(self) -> None:
        self.taken: dict[int, int] = {}
        """The cells to which no card can go: the face that lies there, or SHUT where a hidden corner forbids it.

        Faces come in the order of placing, which says which of two cards lies over the other."""
        self.spots: dict[int, None] = {}
        """The cells to which a card can go, the longest open first; a set that keeps its order."""
        self.symbols = 0
        """All visible symbols."""
        self.points = 0

    def copy(self) -> Area:
        twin = Area.__new__(Area)
        twin.taken = self.taken.copy()
        twin.spots = self.spots.copy()
        twin.symbols = self.symbols
        twin.points = self.points
        return twin

    def covered_by(self, cell: int) -> int:
        """The corners and symbols that a card on this cell covers or would cover, in one integer."""
        covered = 0
        for step, under in zip(STEPS, _UNDER, strict=True):
            there = self.taken.get(cell + step, SHUT)
            if there >= 0:
                covered += under[there]
        return covered

    def place(self, face: int, cell: int) -> int:
        """Put a card on a spot (or the starter on the empty table). Returns how many corners it covers."""
        taken = self.taken
        spots = self.spots
        covered = 0
        spots.pop(cell, None)
        taken[cell] = face
        for step, is_open, under in AROUND[face]:
            near = cell + step
            there = taken.get(near)
            if there is None:
                if is_open:
                    spots[near] = None
                else:
                    taken[near] = SHUT
                    spots.pop(near, None)
            elif there >= 0:
                covered += under[there]
        self.symbols += GAIN[face] - (covered & SYMBOL_MASK)
        return covered >> CORNER_SHIFT

    def cards(self) -> Iterator[tuple[int, int]]:
        """The cells with a card and the faces that lie there, in the order of placing."""
        return ((cell, face) for cell, face in self.taken.items() if face >= 0)
