"""Which tiles may be taken, and where they go."""

from __future__ import annotations

from random import Random

import pytest

from arena_rules import IllegalMove, NotationError
from arena_rules.shelfie import SHELFIE, ShelfieState
from tests.unit.rules.drawn import fields, played, table

CROSS = "e3C d4B e4G f4F e5T"
ROW = "d4C e4B f4G"


def legal(state: ShelfieState) -> set[str]:
    return {str(move) for move in state.legal_moves()}


def refusal(state: ShelfieState, move: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        state.check(SHELFIE.read_move(move))
    return str(refused.value)


def test_a_tile_needs_a_free_side() -> None:
    """The tile in the middle of a cross has none, so neither it nor a line through it can be taken."""
    state = table(board=CROSS)
    for move in ("e4>1", "e3e4>1", "d4e4f4>1", "e3e4e5>1"):
        assert refusal(state, move) == f"{move}: the tile on e4 has no free side"
    assert {move for move in legal(state) if move.endswith(">1")} == {"e3>1", "d4>1", "f4>1", "e5>1"}


def test_a_side_that_comes_free_counts_from_the_next_turn_on() -> None:
    """Once a neighbour is gone, the next player may take the tile."""
    after = played(table(board=CROSS, edition="it"), "d4>1")
    assert {"e4>1", "e4f4>1", "f4e4>1", "e3e4e5>1"} <= legal(after)


def test_spaces_that_are_not_in_use_are_free_sides() -> None:
    """The tile on d3 stands at the edge of the room for two players, and inside it for three."""
    assert "d3>1" in legal(SHELFIE.deal(2, seed=1))
    assert refusal(SHELFIE.deal(3, seed=1), "d3>1") == "d3>1: the tile on d3 has no free side"


def test_spaces_that_are_not_in_use_hold_no_tiles() -> None:
    """A space for four players is empty at a table of two."""
    assert refusal(SHELFIE.deal(2, seed=1), "e1>1") == "e1>1: there is no tile on e1"


@pytest.mark.parametrize(
    "text",
    [
        "d4e5>1",  # diagonal
        "d4f4>1",  # a gap
        "d4e4e5>1",  # round a corner
        "d4e4f4g4>1",  # four
        "d4d4>1",
        "e5d4>1",
        "h4i4a5>1",  # round the edge
        "a1>1",  # not a space
        "d4>0",
        "d4>6",
        "d4",
        ">1",
        "D4>1",
        " d4>1",
        "",
    ],
)
def test_what_is_not_a_line_is_not_a_move(text: str) -> None:
    """Only one to three spaces side by side in a straight line, and one of five columns, can be written as a move."""
    with pytest.raises(NotationError, match="is not a move: write one to 3 spaces"):
        SHELFIE.read_move(text)


def test_every_line_every_order_and_every_column() -> None:
    """Three different tiles in a row give 15 single moves, 20 with two tiles and 30 with all three."""
    moves = legal(table(board=ROW))
    assert sorted(len(move) for move in moves) == [4] * 15 + [6] * 20 + [8] * 30
    assert {"d4e4f4>5", "e4f4d4>5", "f4d4e4>5"} <= moves


def test_orders_of_like_tiles_are_listed_once() -> None:
    """Two cats and a book: of the six orders three differ, and the others may be played all the same."""
    state = table(board="d4C e4B f4C")
    triples = [move for move in state.legal_moves() if len(str(move)) == 8 and str(move).endswith(">1")]
    shelves = {fields(state.apply(move))["shelves"] for move in triples}
    assert len(triples) == len(shelves) == 3
    for order in ("d4e4f4", "f4e4d4", "d4f4e4", "f4d4e4", "e4d4f4", "e4f4d4"):
        assert fields(played(state, f"{order}>1"))["shelves"] in shelves


def test_tiles_fall_in_the_order_of_putting() -> None:
    """The first tile of the move lies lowest, on top of what was in the column."""
    after = played(table(board=ROW, shelves={0: "PT..."}), "e4f4d4>2")
    assert fields(after)["shelves"].split(";")[0] == "...../...../.C.../.G.../.B.../PT..."


def test_all_tiles_must_fit_into_one_column() -> None:
    """A column with two free cells takes no three tiles."""
    state = table(board=ROW, shelves={0: "C.... C.... C.... C...."})
    assert refusal(state, "d4e4f4>1") == "d4e4f4>1: column 1 has room for 2, not for 3"
    assert {"d4e4>1", "d4e4f4>2"} <= legal(state)


def test_nobody_takes_more_tiles_than_the_roomiest_column_holds() -> None:
    """With one free cell in each column only single tiles can be taken."""
    full_but_one = "CBGFT BGFTP GFTPC FTPCB TPCBG"
    assert {len(move) for move in legal(table(board=ROW, shelves={0: full_but_one}))} == {len("d4>1")}


def test_every_legal_move_can_come_up_at_random() -> None:
    """Random play leaves no move out, and makes no other."""
    state = table(board=ROW, shelves={0: "C.... BGFTP GFTPC FTPCB TPCBG"})
    rng = Random(1)
    assert {str(state.random_move(rng)) for _ in range(2_000)} == legal(state)
