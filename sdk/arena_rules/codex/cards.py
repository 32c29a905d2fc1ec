"""Cards and their faces as small numbers, and tables of all that a face does when it is played.

A card is a number: first the resource cards, then the gold cards, the starters, and last the *backs*, which stand for
cards of which a seat knows no more than that. A face is ``2 * card`` for the front and ``2 * card + 1`` for the back.

Symbols are counted in one integer, eight bits for each of the seven, so that playing a card is one addition and paying
for a gold card is one comparison. Above them stand three bits that count corners.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from arena_rules.codex.facts import (
    EMPTY_CORNER,
    GOLD_CARDS,
    HIDDEN_CORNER,
    KINGDOMS,
    RESOURCE_CARDS,
    STARTER_CARDS,
    SYMBOL_LETTERS,
    SYMBOLS,
)

NO_CARD: Final = -1
NO_KINGDOM: Final = -1

_BACK_NAMES: Final = tuple(f"{kind}{letter}" for kind in "RG" for letter in SYMBOL_LETTERS[: len(KINGDOMS)])
CARD_NAMES: Final = (*RESOURCE_CARDS, *GOLD_CARDS, *STARTER_CARDS, *_BACK_NAMES, "R?", "G?")
"""The name of each card. `RF` is some fungi resource card, `R?` some resource card."""

FIRST_GOLD: Final = len(RESOURCE_CARDS)
FIRST_STARTER: Final = FIRST_GOLD + len(GOLD_CARDS)
FIRST_BACK: Final = FIRST_STARTER + len(STARTER_CARDS)
"""Numbers from here on are backs, not cards."""
RESOURCES: Final = range(FIRST_GOLD)
GOLDS: Final = range(FIRST_GOLD, FIRST_STARTER)
STARTERS: Final = range(FIRST_STARTER, FIRST_BACK)
UNKNOWN_RESOURCE: Final = CARD_NAMES.index("R?")
UNKNOWN_GOLD: Final = CARD_NAMES.index("G?")


# ── symbols in one integer ──────────────────────────────────────────────────────────────────────────────────────────

SYMBOL_BITS: Final = 8
SHIFTS: Final = tuple(index * SYMBOL_BITS for index in range(len(SYMBOLS)))
"""Where the count of each symbol begins."""
MOST: Final = (1 << SYMBOL_BITS - 1) - 1
"""A count never needs its highest bit. (No symbol is printed as often as that.)"""
CORNER_SHIFT: Final = len(SYMBOLS) * SYMBOL_BITS
ONE_CORNER: Final = 1 << CORNER_SHIFT
SYMBOL_MASK: Final = ONE_CORNER - 1
GUARDS: Final = sum(MOST + 1 << shift for shift in SHIFTS)
"""The highest bit of each count. Set before a subtraction, it is gone after it where more was wanted than there is, so
``(visible | GUARDS) - wanted & GUARDS == GUARDS`` says whether all that is wanted is visible."""


def symbols(text: str) -> int:
    """The symbols in a row of letters."""
    return sum(1 << SHIFTS[SYMBOL_LETTERS.index(letter)] for letter in text if letter in SYMBOL_LETTERS)


def counts(packed: int) -> tuple[int, ...]:
    """How often each of the seven symbols is there."""
    return tuple(packed >> shift & MOST for shift in SHIFTS)


# ── faces ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class Face(NamedTuple):
    """One side of a card, as it is printed."""

    corners: str
    centre: str = ""
    points: int = 0
    per: str = ""
    """What the points are given for each of: an object, or "covered corner"; empty when they are given once."""
    cost: Mapping[str, int] = {}


def _front(card: Mapping[str, Any]) -> Face:
    return Face(card["corners"], "", card.get("points", 0), card.get("per", ""), card.get("cost", {}))


def _back(kingdom: str) -> Face:
    return Face(4 * EMPTY_CORNER, kingdom)


def _printed_faces() -> list[Face]:
    faces = []
    for card in (*RESOURCE_CARDS.values(), *GOLD_CARDS.values()):
        faces += [_front(card), _back(SYMBOL_LETTERS[KINGDOMS.index(card["kingdom"])])]
    for card in STARTER_CARDS.values():
        faces += [Face(card["front"], card["centre"]), Face(card["back"])]
    for name in CARD_NAMES[FIRST_BACK:]:
        # Nobody can play the front of a card of which only the back is known: it costs more than there is.
        faces += [Face(4 * HIDDEN_CORNER, cost=dict.fromkeys(SYMBOLS, MOST)), _back(name[1].replace("?", ""))]
    return faces


FACES: Final = tuple(_printed_faces())
FACE_NAMES: Final = tuple(name for card in CARD_NAMES for name in (card, f"{card}b"))
"""The name of a front is that of its card; the name of a back ends in a b."""

KINGDOM: Final = tuple(
    SYMBOL_LETTERS.index(face.centre)
    if len(face.centre) == 1 and not FIRST_STARTER <= number < FIRST_BACK
    else NO_KINGDOM
    for number, face in enumerate(FACES[1::2])
)
"""The kingdom of each card. Starters have none, nor has a back that nobody has seen."""

BACK: Final = tuple(
    number
    if KINGDOM[number] < 0
    else FIRST_BACK + KINGDOM[number] + (0 if CARD_NAMES[number][0] == "R" else len(KINGDOMS))
    for number in range(len(CARD_NAMES))
)
"""For each card what others see of it while it is in a hand, face down or on a deck."""

GAIN: Final = tuple(symbols(face.corners + face.centre) for face in FACES)
"""The symbols that a face brings."""
COST: Final = tuple(sum(count << SHIFTS[SYMBOLS.index(name)] for name, count in face.cost.items()) for face in FACES)
"""The symbols that must be visible before a face may be played; 0 for most."""
POINTS: Final = tuple(face.points for face in FACES)

FLAT: Final = -1
PER: Final = tuple(
    CORNER_SHIFT if face.per == "covered corner" else SHIFTS[SYMBOLS.index(face.per)] if face.per else FLAT
    for face in FACES
)
"""Where the count stands that multiplies the points of a face, or FLAT."""
