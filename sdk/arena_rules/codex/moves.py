"""The moves of Codex Naturalis and their notation.

    S:front  S:back     a face of the starter card
    O:1  O:2            the first or the second of two secret objectives; others are told O:? only
    R05@-1,3<G2         the front of card R05 at x -1, y 3, then the second gold card that lies face up is drawn
    G05b@0,2<R          the back of card G05, then the top of the resource deck; without <... nothing is drawn
    RFb@0,2<R           what others are told when somebody places a card that they have not seen: a fungi resource card
    pass                by a seat that cannot place a card

What is drawn is named by its place, so that a move never tells a card that was not seen before.
"""

from __future__ import annotations

import re
from typing import Final

from arena_rules.codex.area import REACH, cell_at, coordinates
from arena_rules.codex.cards import BACK, FACE_NAMES, FIRST_BACK, FIRST_STARTER
from arena_rules.errors import NotationError
from arena_rules.native import mypyc_attr

SOURCES: Final = ("R1", "R2", "G1", "G2", "R", "G")
"""Where cards are drawn from: the places of the face-up cards, and the two decks."""
RESOURCE_DECK: Final = SOURCES.index("R")
GOLD_DECK: Final = SOURCES.index("G")
NO_DRAW: Final = len(SOURCES)
"""The source of a move that ends without drawing."""
_DRAWS: Final = (*(f"<{source}" for source in SOURCES), "")


@mypyc_attr(free_list_len=1)  # most moves are dropped before the next one is made
class Move:
    """A card placed and a card drawn, or one of the moves that are a word. Never changed once made."""

    __slots__ = ("cell", "face", "source", "word")

    def __init__(self, face: int, cell: int, source: int, word: str = "") -> None:
        self.face = face
        """The side of a card as numbered in `cards`; meaningless, like the next two, in a move that is a word."""
        self.cell = cell
        self.source = source
        """An index of SOURCES, or NO_DRAW."""
        self.word = word
        """Empty when a card is placed."""

    @property
    def card(self) -> int:
        return self.face >> 1

    @property
    def position(self) -> tuple[int, int]:
        """The coordinates of the card, x to the right and y upwards."""
        return coordinates(self.cell)

    def told(self) -> Move:
        """The move as those see it who do not know the card, which is placed face down."""
        return Move(BACK[self.face >> 1] * 2 + 1, self.cell, self.source)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Move)
            and self.face == other.face
            and self.cell == other.cell
            and self.source == other.source
            and self.word == other.word
        )

    def __hash__(self) -> int:
        return hash((self.face, self.cell, self.source, self.word))

    def __str__(self) -> str:
        if self.word:
            return self.word
        x, y = self.position
        return f"{FACE_NAMES[self.face]}@{x},{y}{_DRAWS[self.source]}"

    def __repr__(self) -> str:
        return f"Move({self})"

    def __reduce__(self) -> tuple[object, ...]:
        return Move, (self.face, self.cell, self.source, self.word)


def _word(word: str) -> Move:
    return Move(-1, -1, NO_DRAW, word)


STARTER_MOVES: Final = (_word("S:front"), _word("S:back"))
"""By side: a starter is placed with its front or its back up."""
OBJECTIVE_MOVES: Final = (_word("O:1"), _word("O:2"))
OBJECTIVE_TOLD: Final = _word("O:?")
PASS: Final = _word("pass")

_WORDS: Final = {move.word: move for move in (*STARTER_MOVES, *OBJECTIVE_MOVES, OBJECTIVE_TOLD, PASS)}
_FACES: Final = {
    name: face
    for face, name in enumerate(FACE_NAMES)
    if face < 2 * FIRST_STARTER or (face >= 2 * FIRST_BACK and name.endswith("b") and "?" not in name)
}
_NUMBER: Final = "(0|-?[1-9][0-9]{0,2})"
_PLAY: Final = re.compile(rf"([^@]+)@{_NUMBER},{_NUMBER}(?:<(.*))?")


def read_move(text: str) -> Move:
    """The move that is written so. Raises NotationError."""
    if text in _WORDS:
        return _WORDS[text]
    found = _PLAY.fullmatch(text)
    if found is None:
        raise NotationError(
            f"'{text[:40]}' is not a move: write a card, @ and its place, < and a source, as in R05@-1,3<G2"
        )
    face, x, y, source = found.groups()
    if face not in _FACES:
        raise NotationError(f"'{face[:40]}' is not a card such as R05, nor the back of one such as R05b")
    if max(abs(int(x)), abs(int(y))) > REACH:
        raise NotationError(f"no card lies as far away as {x},{y}")
    if source is not None and source not in SOURCES:
        raise NotationError(f"'{source[:40]}' is no place to draw from; there are {', '.join(SOURCES)}")
    drawn = NO_DRAW if source is None else SOURCES.index(source)
    return Move(_FACES[face], cell_at(int(x), int(y)), drawn)
