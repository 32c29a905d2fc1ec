"""What a seat sees of the table, and what it is told of the moves of others."""

from __future__ import annotations

from random import Random

import pytest

from arena_rules.codex import CODEX, CodexState, Move
from arena_rules.testing import random_game
from tests.unit.rules.codex.laid import fields, played, table

HANDS = {0: "R02,R05*,G07", 1: "R12,R35*,G30"}


def told(state: CodexState, move: str, seat: int) -> str:
    return str(state.told(CODEX.read_move(move), seat))


def test_a_seat_sees_its_own_hand_and_the_backs_of_others() -> None:
    """Of the others it sees kind and kingdom, and the cards that everybody knows."""
    state = table(hands=HANDS)
    assert fields(state.view(0))["hands"] == "R02,R05*,G07;RP,R35*,GA"
    assert fields(state.view(1))["hands"] == "RF,R05*,GF;R12,R35*,G30"


def test_a_seat_sees_the_back_of_the_top_cards_and_the_size_of_the_decks() -> None:
    """Kind and kingdom of what could be drawn unseen, and nothing of what lies below it."""
    view = fields(table(hands=HANDS, tops="R22,G33").view(0))
    assert (view["tops"], view["stock"]) == ("RA,GI", "34,36")
    assert not {"resources", "golds", "objectives"} & view.keys()


def test_an_empty_deck_has_no_top() -> None:
    """Where there is no card there is no back to be seen."""
    view = fields(table(hands=HANDS, resources=0).view(0))
    assert (view["tops"].split(",")[0], view["stock"].split(",")[0]) == ("-", "0")


def test_a_seat_sees_its_own_objective_alone() -> None:
    """Of the others it sees that they have chosen, not what."""
    state = table(objectives="O01,O02,O03,O04,O05,O06", kept="2,1")
    first, second = fields(state.view(0)), fields(state.view(1))
    assert (first["common"], first["offer"], first["kept"]) == ("O01,O02", "O03,O04", "2,?")
    assert (second["common"], second["offer"], second["kept"]) == ("O01,O02", "O05,O06", "?,1")


def test_nobody_sees_objectives_or_hands_before_they_are_dealt() -> None:
    """While starter faces are chosen, only starters, the cards face up and the tops of the decks are seen."""
    view = fields(CODEX.deal(3, 5).view(1))
    assert (view["common"], view["offer"], view["kept"]) == ("-", "-", "-,-,-")
    assert view["hands"] == "-,-,-;-,-,-;-,-,-"
    assert view["starters"] == fields(CODEX.deal(3, 5))["starters"]


def test_a_card_drawn_face_up_stays_known() -> None:
    """Everybody saw it go to the hand, and knows it even when it is placed face down."""
    state = table(hands=HANDS, shown="R01,R11,G01,G11")
    drawn = played(state, "R02@1,1<R1")
    assert fields(drawn.view(1))["hands"].startswith("R01*,R05*,GF;")
    other = str(drawn.legal_moves()[-1])
    down = played(drawn, other, "R01b@-1,1<R")
    assert "R01b*@-1,1" in fields(down.view(1))["areas"]
    assert told(played(drawn, other), "R01b@-1,1<R", 1) == "R01b@-1,1<R"


def test_a_card_drawn_from_a_deck_stays_hidden() -> None:
    """Others see its back in the hand, and again when it is placed face down; its owner knows it."""
    state = played(table(hands=HANDS, tops="R40,G40"), "R02@1,1<R", "R12b@1,1<G")
    assert fields(state.view(1))["hands"].startswith("RI,")
    assert fields(state.view(0))["hands"].startswith("R40,")
    assert told(state, "R40b@-1,1<R", 1) == "RIb@-1,1<R"
    down = played(state, "R40b@-1,1<R")
    assert "RIb@-1,1" in fields(down.view(1))["areas"]
    assert "R40b@-1,1" in fields(down.view(0))["areas"]


def test_a_front_is_seen_by_all() -> None:
    """Who places a card face up shows it."""
    state = table(hands=HANDS)
    assert told(state, "R02@1,1<R", 1) == "R02@1,1<R"
    assert "R02@1,1" in fields(played(state, "R02@1,1<R").view(1))["areas"]


def test_nobody_is_told_which_objective_was_kept() -> None:
    """The seat itself is, the others hear that it has chosen."""
    state = table(phase="objectives", kept="-,-")
    assert [told(state, "O:2", seat) for seat in (0, 1)] == ["O:2", "O:?"]
    assert [told(state, "O:1", seat) for seat in (0, 1)] == ["O:1", "O:?"]


@pytest.mark.parametrize("players", CODEX.players)
def test_no_hidden_card_is_named_in_a_view(players: int) -> None:
    """Through whole games, the cards that a view names are those that its seat has had before its eyes."""
    play = random_game(CODEX, players, 9)
    seen: list[set[str]] = [set() for _ in range(players)]
    for state in play.states:
        parts = fields(state)
        for seat in range(players):
            hand = parts["hands"].split(";")[seat].replace("*", "").split(",")
            fronts = [name for area in parts["areas"].split(";") for name in area.replace("/", "@").split("@")[::2]]
            seen[seat] |= {
                *hand,
                *parts["shown"].split(","),
                *(name for name in fronts if not name.rstrip("*").endswith("b")),
            }
            view = fields(state.view(seat))
            words = (
                f"{view['hands']},{view['shown']},{view['areas']}".replace(";", ",").replace("/", ",").replace("@", ",")
            )
            named = {word.rstrip("*").rstrip("b") for word in words.split(",") if word[:1] in {"R", "G"}}
            assert {name for name in named if name[1:].isdigit()} <= seen[seat]


def test_cards_keep_their_places_in_a_hand() -> None:
    """A drawn card takes the place of the one that was played, so that all can follow which is which."""
    state = table(hands=HANDS, shown="R01,R11,G01,G11")
    assert fields(played(state, "R05b@1,1<G2"))["hands"].split(";")[0] == "R02,G11*,G07"


def test_the_state_behind_a_view_shows_backs_where_cards_are_hidden() -> None:
    """It has the right moves and points for the own seat, can be played one move ahead, and names no hidden card."""
    state = table(hands=HANDS, tops="R40,G40")
    public = state.view(0).public
    assert public.legal_moves() == state.legal_moves()
    assert [public.score(seat).parts[:3] for seat in (0, 1)] == [state.score(seat).parts[:3] for seat in (0, 1)]
    assert fields(public)["hands"] == "R02,R05*,G07;RP,R35*,GA"
    ahead = public.copy()
    ahead.advance(CODEX.read_move("R02@1,1<R"))
    assert fields(ahead)["hands"].startswith("RI,R05*,G07;")
    assert fields(ahead)["resources"].endswith("R?")


def test_a_seat_does_not_list_the_moves_of_another() -> None:
    """They would give its hand away."""
    state = table(hands=HANDS)
    assert state.view(0).legal_moves() == state.legal_moves()
    assert state.view(1).legal_moves() == []
    assert state.view(1).choices is None


def test_choices_are_the_factors_of_all_moves() -> None:
    """Any playable face may go to any spot and be followed by any source."""
    state = table(hands=HANDS)
    choices = state.view(0).choices
    assert choices is not None
    assert [len(part) for part in (choices.faces, choices.cells, choices.sources)] == [5, 4, 6]
    moves = {Move(face, cell, source) for face in choices.faces for cell in choices.cells for source in choices.sources}
    assert moves == set(state.legal_moves())
    assert choices.some_move() == state.legal_moves()[0]
    assert all(state.random_move(Random(seed)) in moves for seed in range(50))
