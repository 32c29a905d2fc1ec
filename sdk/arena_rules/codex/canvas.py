"""Cards as little drawings, and a sheet to put them on, one over the other."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import Final

from arena_rules.codex.cards import CARD_NAMES, FACES, FIRST_GOLD, FIRST_STARTER, KINGDOM
from arena_rules.codex.facts import EMPTY_CORNER, HIDDEN_CORNER, KINGDOMS, SYMBOL_LETTERS

Piece = tuple[str, str]
Line = list[Piece]
Drawing = tuple[tuple[Piece, ...], ...]
"""Rows of single characters, each with its kind."""

CARD_WIDTH: Final = 5
CARD_HEIGHT: Final = 3
_FRAME_CORNERS: Final = "┌┐└┘"


def symbol_kind(letter: str) -> str:
    """The kind of a symbol: its kingdom, or "object"."""
    index = SYMBOL_LETTERS.index(letter)
    return KINGDOMS[index] if index < len(KINGDOMS) else "object"


def _corner(place: int, corner: str, kind: str) -> Piece:
    if corner == HIDDEN_CORNER:
        return _FRAME_CORNERS[place], kind
    return ("o", kind) if corner == EMPTY_CORNER else (corner, symbol_kind(corner))


def _middle(face: int, kind: str) -> list[Piece]:
    """The permanent symbols, or the name of a card that has none."""
    centre = FACES[face].centre
    if centre:
        return [(letter, symbol_kind(letter) if letter != " " else "") for letter in f"{centre:^3}"]
    card = face >> 1
    return [(letter, "gold" if FIRST_GOLD <= card < FIRST_STARTER else kind) for letter in f"{CARD_NAMES[card]:^3}"]


@cache
def card_drawing(face: int) -> Drawing:
    """One side of a card."""
    kingdom = KINGDOM[face >> 1]
    kind = KINGDOMS[kingdom] if kingdom >= 0 else ""
    one, two, three, four = [_corner(place, corner, kind) for place, corner in enumerate(FACES[face].corners)]
    edge = [("─", kind)] * (CARD_WIDTH - 2)
    side = ("│", kind)
    return (one, *edge, two), (side, *_middle(face, kind), side), (three, *edge, four)


class Canvas:
    """A sheet of characters as large as what is written on it."""

    def __init__(self) -> None:
        self._rows: dict[int, dict[int, Piece]] = {}

    def write(self, row: int, column: int, text: str, kind: str) -> None:
        there = self._rows.setdefault(row, {})
        for place, letter in enumerate(text, column):
            there[place] = letter, kind

    def draw(self, top: int, left: int, drawing: Drawing) -> None:
        for row, pieces in enumerate(drawing, top):
            self._rows.setdefault(row, {}).update(enumerate(pieces, left))

    def lines(self) -> list[Line]:
        return [_joined(self._rows.get(row, {})) for row in range(max(self._rows, default=-1) + 1)]


def _joined(row: dict[int, Piece]) -> Line:
    """The characters of a row, those of one kind that stand together in one piece."""
    pieces = [row.get(column, (" ", "")) for column in range(max(row, default=-1) + 1)]
    return [("".join(text for text, _ in run), kind) for kind, run in groupby(pieces, key=lambda piece: piece[1])]
