"""Texts for moves, views and states: a person can read them, and what is wrong with them is said by field."""

from __future__ import annotations

import copy
import pickle

import pytest

from arena_rules import NotationError
from arena_rules.shelfie import SHELFIE
from arena_rules.testing import random_game
from tests.unit.rules.drawn import fields, table

STATE = table(board="d4C e4B", shelves={0: "CB...", 1: "....P"}, goals=(3, 9), tokens={1: (8, 0)}, personals=(5, 12))


def test_a_state_is_one_line_of_named_fields() -> None:
    """Each field says what a person would look for at the table."""
    found = fields(STATE)
    assert "\n" not in str(STATE)
    assert found["board"] == "........./........./........./...CB..../........./........./........./........./........."
    assert found["shelves"].split(";") == ["...../...../...../...../...../CB...", "...../...../...../...../...../....P"]
    shown = {name: found[name] for name in ("players", "turn", "to-move", "left", "goals", "tokens", "first-full")}
    assert shown == {
        "players": "2",
        "turn": "0",
        "to-move": "0",
        "left": "-",
        "goals": "3,9",
        "tokens": "0,0;8,0",
        "first-full": "-",
    }


def test_a_view_leaves_out_what_is_hidden() -> None:
    """The view of a seat has its own personal goal, and neither bag nor seed nor the goals of others."""
    view = fields(STATE.view(1))
    hidden = {"bag", "seed", "refills", "personals"}
    assert fields(STATE).keys() - view.keys() == hidden
    assert (view["seat"], view["personal"]) == ("1", "12")


def test_moves_are_one_and_the_same_after_pickling() -> None:
    """Moves compare by identity, in whatever process they end up."""
    for move in random_game(SHELFIE, 2, 3).moves:
        assert pickle.loads(pickle.dumps(move)) is move  # noqa: S301  # what was pickled a moment ago


def test_states_and_views_can_be_pickled_and_copied() -> None:
    """A search that spans processes can send positions around, and a copy is a position of its own."""
    for state in random_game(SHELFIE, 3, 4).states[::9]:
        for value in (state, state.view(1)):
            assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301  # what was pickled a moment ago
            assert copy.copy(value) == copy.deepcopy(value) == value
    first, second = (copy.copy(STATE), copy.deepcopy(STATE))
    first.advance(first.legal_moves()[0])
    assert first != second == STATE


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("players=2", "players=5", "players"),
        ("players=2", "players=1", "players"),
        ("turn=0", "turn=-1", "turn"),
        ("turn=0", "", "turn: missing"),
        ("to-move=0", "to-move=2", "to-move"),
        ("goals=3,9", "goals=3", "goals"),
        ("goals=3,9", "goals=3,13", "goals"),
        ("tokens=0,0;8,0", "tokens=0,0;8", "tokens"),
        ("tokens=0,0;8,0", "tokens=0,0;8,x", "tokens"),
        ("CB...;", "CX...;", "shelves"),
        ("CB...;", "CB....;", "shelves"),
        ("CB...;", "CBB..;", "bag"),
        ("personals=5,12", "personals=5,5", "personals"),
        ("personals=5,12", "personals=5", "personals"),
        ("personals=5,12", "personals=5,13", "personals"),
        ("seed=0", "seed=18446744073709551616", "seed"),
        ("seed=0", f"seed={'9' * 5_000}", "seed"),
        ("tokens=0,0;8,0", f"tokens=0,0;8,{'9' * 5_000}", "tokens"),
        ("six_pairs:count_components", "six_pairs:none", "six_pairs"),
        ("six_pairs:count_components", "", "options"),
    ],
)
def test_what_is_wrong_with_a_state_is_said_by_field(old: str, new: str, sentence: str) -> None:
    """The sentence names the field that cannot be read."""
    assert old in str(STATE)
    with pytest.raises(NotationError, match=sentence):
        SHELFIE.read_state(str(STATE).replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("seat=1", "seat=2", "seat"),
        ("seat=1", "", "seat: missing"),
        ("personal=12", "personal=0", "personal"),
        ("personal=12", "personal=13", "personal"),
    ],
)
def test_what_is_wrong_with_a_view_is_said_by_field(old: str, new: str, sentence: str) -> None:
    """The sentence names the field that cannot be read."""
    view = str(STATE.view(1))
    assert old in view
    with pytest.raises(NotationError, match=sentence):
        SHELFIE.read_view(view.replace(old, new, 1))
