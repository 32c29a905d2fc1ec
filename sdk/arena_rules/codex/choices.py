"""What the seat to move may do, factorised: any of the faces, on any of the spots, and then any of the sources."""

from __future__ import annotations

from arena_rules.codex.moves import Move


class Choices:
    """Any of the faces may go to any of the cells and be followed by any of the sources; or else there are words."""

    __slots__ = ("cells", "faces", "sources", "words")

    def __init__(
        self,
        faces: tuple[int, ...] = (),
        cells: tuple[int, ...] = (),
        sources: tuple[int, ...] = (),
        words: tuple[Move, ...] = (),
    ) -> None:
        self.faces = faces
        """The sides of cards in the hand that can be played, in the order of the hand."""
        self.cells = cells
        """The spots that are open, in order."""
        self.sources = sources
        """Where a card may be drawn from; NO_DRAW alone when none can be."""
        self.words = words
        """The moves of a seat that places no card of its hand: choosing a starter face or an objective, or passing."""

    def some_move(self) -> Move:
        """A legal move, for those who do not care which."""
        return self.words[0] if self.words else Move(self.faces[0], self.cells[0], self.sources[0])

    def moves(self) -> list[Move]:
        """Every move."""
        if self.words:
            return list(self.words)
        return [Move(face, cell, source) for face in self.faces for cell in self.cells for source in self.sources]
