"""Positions of My Shelfie drawn as text, so that a test shows the table it speaks of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from arena_rules.shelfie import SHELFIE, ShelfieState
from arena_rules.shelfie.shelf import shelf_of

LETTERS = ".CBGFTP"
ROWS, COLUMNS = 6, 5
EMPTY_SHELF = "/".join(["." * COLUMNS] * ROWS)


def rows(drawing: str) -> list[str]:
    """The six rows of a shelf of which only the lower ones may be drawn: words, or parts between slashes."""
    drawn = drawing.replace("/", " ").split()
    found = ["." * COLUMNS] * (ROWS - len(drawn)) + drawn
    assert [len(row) for row in found] == [COLUMNS] * ROWS, f"not a shelf: {drawing}"
    floating = [
        column + 1
        for above, below in pairwise(found)
        for column in range(COLUMNS)
        if above[column] != "." and below[column] == "."
    ]
    assert not floating, f"tiles float in columns {floating}: {drawing}"
    return found


def tiles(drawing: str) -> list[int]:
    """The thirty tile codes of a drawn shelf."""
    return [LETTERS.index(letter) for letter in "".join(rows(drawing))]


def shelf(drawing: str) -> list[int]:
    """The shelf as the goals read it."""
    return shelf_of(tiles(drawing))


def fields(state: object) -> dict[str, str]:
    """The named fields of a state or view in its notation."""
    return dict(word.split("=", 1) for word in str(state).split() if "=" in word)


def board_of(state: object) -> dict[str, str]:
    """The letter of the tile on each occupied board cell, by the name of the cell."""
    drawn = fields(state)["board"].split("/")
    return {f"{'abcdefghi'[c]}{r + 1}": t for r, row in enumerate(drawn) for c, t in enumerate(row) if t != "."}


def table(
    *,
    players: int = 2,
    board: str = "",
    shelves: Mapping[int, str] | None = None,
    goals: Sequence[int] = (2, 12),
    personals: Sequence[int] = (1, 2, 3, 4),
    to_move: int | None = 0,
    turn: int = 0,
    tokens: Mapping[int, Sequence[int]] | None = None,
    first_full: int | None = None,
    edition: str = "en-revised",
    options: Mapping[str, str] | None = None,
) -> ShelfieState:
    """A position: the board as a list such as ``d4C e4B``, the shelves by seat, all other tiles sorted in the bag."""
    places = {word[:2]: word[2] for word in board.split()}
    grid = ["".join(places.get(f"{c}{r}", ".") for c in "abcdefghi") for r in range(1, 10)]
    drawn = ["/".join(rows((shelves or {}).get(seat, EMPTY_SHELF))) for seat in range(players)]
    taken = [",".join(map(str, (tokens or {}).get(seat, [0] * len(goals)))) for seat in range(players)]
    seen = "".join([*grid, *drawn])
    bag = "".join(letter * (22 - seen.count(letter)) for letter in LETTERS[1:])
    assert len(bag) + sum(seen.count(letter) for letter in LETTERS[1:]) == 132, "more than 22 tiles of a type"
    words = [
        f"players={players} turn={turn} to-move={_or_dash(to_move)} left=- board={'/'.join(grid)}",
        f"shelves={';'.join(drawn)} goals={','.join(map(str, goals))} tokens={';'.join(taken)}",
        f"first-full={_or_dash(first_full)} personals={','.join(map(str, personals[:players]))}",
        f"seed=0 refills=0 bag={bag}",
        *(f"{name}:{value}" for name, value in SHELFIE.rules(edition, options).items()),
    ]
    return SHELFIE.read_state(" ".join(words))


def _or_dash(seat: int | None) -> str:
    return "-" if seat is None else str(seat)


def played(state: ShelfieState, *moves: str) -> ShelfieState:
    """The state after these moves."""
    for move in moves:
        after = state.apply(SHELFIE.read_move(move))
        assert isinstance(after, ShelfieState)
        state = after
    return state
