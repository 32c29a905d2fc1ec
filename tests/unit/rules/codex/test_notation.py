"""Texts for moves, views and states: a person can read them, and what is wrong with them is said by field."""

from __future__ import annotations

import copy
import pickle

import pytest

from arena_rules import NotationError
from arena_rules.codex import CODEX
from arena_rules.testing import random_game
from tests.unit.rules.codex.laid import fields, table

STATE = table(
    areas={0: "S3b@0,0/R07@1,1/G20b@-1,1", 1: "S5@0,0/R22b*@1,1"},
    hands={0: "R05*,R12,G40", 1: "R30,-,G07"},
    shown="R01,R11,G01,G11",
    points={0: 3},
    kept="1,2",
)


def test_a_state_is_one_line_of_named_fields() -> None:
    """Each field says what a person would look for at the table."""
    found = fields(STATE)
    assert "\n" not in str(STATE)
    assert found["areas"] == "S3b@0,0/R07@1,1/G20b@-1,1;S5@0,0/R22b*@1,1"
    assert found["hands"] == "R05*,R12,G40;R30,-,G07"
    names = ("players", "turn", "to-move", "left", "phase", "starters", "shown", "points", "kept")
    assert [found[name] for name in names] == [
        *("2", "10", "0", "-", "play", "S3,S5"),
        *("R01,R11,G01,G11", "3,0", "1,2"),
    ]
    assert len(found["resources"].split(",")) == 40 - 7
    assert len(found["golds"].split(",")) == 40 - 5


def test_cards_of_an_area_come_in_the_order_of_placing() -> None:
    """The order says which card covers which: the same cards in another order show other symbols."""
    one = table(areas={0: "S3@0,0/R07@1,1/R12@2,2"})
    other = table(areas={0: "S3@0,0/R07b@1,1/R13@0,2/R11@-1,1"})
    again = table(areas={0: "S3@0,0/R07b@1,1/R11@-1,1/R13@0,2"})
    assert CODEX.read_state(str(one)) == one
    assert other.areas[0].symbols != again.areas[0].symbols
    assert other != again


def test_a_view_leaves_out_what_is_hidden() -> None:
    """The view of a seat has neither decks nor the objectives of others."""
    assert fields(STATE).keys() - fields(STATE.view(1)).keys() == {"resources", "golds", "objectives"}
    assert fields(STATE.view(1)).keys() - fields(STATE).keys() == {"common", "stock", "tops", "seat", "offer"}


def test_moves_are_equal_after_pickling_and_copying() -> None:
    """Moves are values: equal ones are interchangeable, in whatever process they end up."""
    for move in random_game(CODEX, 2, 3).moves:
        assert pickle.loads(pickle.dumps(move)) == move  # noqa: S301  # what was pickled a moment ago
        assert copy.deepcopy(move) == move
        assert hash(CODEX.read_move(str(move))) == hash(move)
        assert repr(move) == f"Move({move})"
    assert CODEX.read_move("R05@1,1<R") != CODEX.read_move("R05@1,1<G")
    assert CODEX.read_move("R05@1,1<R") != CODEX.read_move("R05b@1,1<R")
    assert CODEX.read_move("O:1") != CODEX.read_move("O:2")
    assert CODEX.read_move("pass") != "pass"


def test_a_move_says_what_it_does() -> None:
    """Card, place and source can be asked for by name."""
    move = CODEX.read_move("G05b@-1,3<R1")
    assert (move.card, move.face & 1, move.position, move.source) == (44, 1, (-1, 3), 0)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("players=2", "players=5", "players"),
        ("players=2", "players=1", "players"),
        ("turn=10", "turn=-1", "turn"),
        ("turn=10", "", "turn: missing"),
        ("turn=10", f"turn={'9' * 5_000}", "turn"),
        ("turn=10", "turn=٣", "turn"),
        ("to-move=0", "to-move=2", "to-move"),
        ("to-move=0 left=-", "to-move=0 left=0", "to-move: seat 0 has left"),
        ("left=-", "left=1,1", "left"),
        ("to-move=0 left=-", "to-move=- left=0,1", "left: one seat must stay"),
        ("left=-", "left=2", "left"),
        ("phase=play", "phase=dinner", "phase"),
        ("phase=play", "phase=starters", "hands: no cards are dealt"),
        ("starters=S3,S5", "starters=S3,S3", "starters"),
        ("starters=S3,S5", "starters=S3", "starters"),
        ("starters=S3,S5", "starters=R03,S5", "starters"),
        ("S3b@0,0", "S4b@0,0", "areas: 'S4b@0,0' cannot lie there"),
        ("S3b@0,0", "S3b@1,1", "areas: 'S3b@1,1' cannot lie there"),
        ("R07@1,1", "R07@2,2", "areas: 'R07@2,2' cannot lie there"),
        ("R07@1,1", "S1@1,1", "areas: 'S1@1,1' cannot lie there"),
        ("R07@1,1", "R07*@1,1", "areas: 'R07.@1,1' has a star"),
        ("R07@1,1", "R07@1", "areas: 'R07@1' is not a card and its place"),
        ("R07@1,1", "R77@1,1", "areas"),
        ("R07@1,1", "RF@1,1", "areas"),
        ("R07@1,1", "RFb@1,1", "resources: every card"),
        ("G20b@-1,1", "G20@-1,1", "areas: 'G20@-1,1' could not have been paid for"),
        ("hands=R05*", "hands=R41*", "hands: there is no card 'R41'"),
        ("hands=R05*", "hands=RF*", "hands: only a named card"),
        ("hands=R05*", "hands=R12", "hands: a card cannot be in two places"),
        ("R30,-,G07", "R30,G07", "hands: each seat needs 3 cards"),
        ("R30,-,G07", "R30,-*,G07", "hands"),
        ("shown=R01,R11,G01,G11", "shown=R01,R11,G01", "shown"),
        ("shown=R01,R11", "shown=R01,-", "shown: a place is empty"),
        ("shown=R01,R11", "shown=R01,RF", "shown"),
        ("points=3,0", "points=3", "points"),
        ("points=3,0", "points=3,256", "points"),
        ("kept=1,2", "kept=1,3", "kept"),
        ("kept=1,2", "kept=1,?", "kept"),
        ("kept=1,2", "kept=1", "kept"),
        ("objectives=O09,O10", "objectives=O09,O09", "objectives"),
        ("objectives=O09,O10", "objectives=O09,O17", "objectives"),
        ("objectives=O09,O10", "objectives=O09", "objectives"),
        ("resources=", "resources=G02,", "resources: only resources belong there"),
        ("resources=R02,", "resources=", "resources: every card must be in just one place"),
        ("golds=", "golds=G07,", "every card must be in just one place"),
        ("tie_break:objective_points", "tie_break:none", "tie_break"),
        ("tie_break:objective_points", "", "options"),
    ],
)
def test_what_is_wrong_with_a_state_is_said_by_field(old: str, new: str, sentence: str) -> None:
    """The sentence names the field that cannot be read."""
    assert old in str(STATE)
    with pytest.raises(NotationError, match=sentence):
        CODEX.read_state(str(STATE).replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("seat=1", "seat=2", "seat"),
        ("seat=1", "", "seat: missing"),
        ("offer=O13,O14", "offer=O13,O09", "offer"),
        ("offer=O13,O14", "offer=O13", "offer"),
        ("common=O09,O10", "common=-", "common"),
        ("kept=?,2", "kept=1,2", "kept"),
        ("stock=33,35", "stock=33,34", "stock"),
        ("stock=33,35", "stock=34,35", "stock"),
        ("stock=33,35", "stock=0,35", "tops"),
        ("tops=RI,GI", "tops=GI,RI", "tops"),
        ("tops=RI,GI", "tops=R40,GI", "tops"),
        ("tops=RI,GI", "tops=-,GI", "tops"),
        ("tops=RI,GI", "tops=R?,GI", "tops"),
    ],
)
def test_what_is_wrong_with_a_view_is_said_by_field(old: str, new: str, sentence: str) -> None:
    """The sentence names the field that cannot be read."""
    view = str(STATE.view(1))
    assert old in view, view
    with pytest.raises(NotationError, match=sentence):
        CODEX.read_view(view.replace(old, new, 1))


def test_more_backs_than_cards_are_refused() -> None:
    """Ten cards have the same back, so no view shows eleven of them."""
    insects = "/".join(f"R{number}b@{n},{n}" for n, number in enumerate(range(31, 38), 1))
    state = table(areas={1: f"S5@0,0/{insects}"}, hands={1: "R38,R39,R40"}, shown="R01,R11,G01,G11", tops="R02")
    view = str(state.view(0))
    assert "tops=RF," in view
    with pytest.raises(NotationError, match="more backs are seen than there are cards"):
        CODEX.read_view(view.replace("tops=RF,", "tops=RI,"))
