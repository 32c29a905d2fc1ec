"""Which cards may be placed where, and what is drawn after it."""

from __future__ import annotations

from random import Random

import pytest

from arena_rules import IllegalMove, NotationError
from arena_rules.codex import CODEX, CodexState
from arena_rules.codex.facts import GOLD_CARDS, RESOURCE_CARDS, STARTER_CARDS
from tests.unit.rules.codex.laid import LAST_CARD, NEARLY_STUCK, STUCK, fields, legal, played, table, visible

SHOWN = "R01,R11,G01,G11"
HAND = {0: "R02,R05,G07"}
"""R02 has no bottom left corner, R05 no top left one; G07 costs three fungi."""


def refusal(state: CodexState, move: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        state.check(CODEX.read_move(move))
    return str(refused.value)


def spots(state: CodexState) -> set[str]:
    """The places to which some card may go."""
    return {move.split("@")[1].split("<")[0] for move in legal(state)}


# ── where ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_card_covers_a_corner_of_another() -> None:
    """Around a starter with four corners there are four places, and no others."""
    state = table(areas={0: "S3@0,0"}, hands=HAND)
    assert spots(state) == {"-1,1", "1,1", "-1,-1", "1,-1"}
    assert refusal(state, "R05@0,2<R") == "R05@0,2<R: a card at 0,2 would not cover the corner of any card"
    assert refusal(state, "R05@3,3<R") == "R05@3,3<R: a card at 3,3 would not cover the corner of any card"


def test_a_card_does_not_lie_on_another() -> None:
    """The place of a card is taken, whatever corners it has."""
    state = table(areas={0: "S3@0,0/R07@1,1"}, hands=HAND)
    assert refusal(state, "R05@0,0<R") == "R05@0,0<R: a card already lies at 0,0"
    assert refusal(state, "R05b@1,1<R") == "R05b@1,1<R: a card already lies at 1,1"


def test_nothing_lies_over_a_hidden_corner() -> None:
    """A starter without bottom corners takes cards at the top only."""
    state = table(areas={0: "S5@0,0"}, hands=HAND)
    assert spots(state) == {"-1,1", "1,1"}
    assert refusal(state, "R05@1,-1<R") == "R05@1,-1<R: a card at 1,-1 would lie over a hidden corner"


def test_one_hidden_corner_is_enough_to_shut_a_place() -> None:
    """A card over two corners needs both of them, in whatever order the cards came."""
    for area in ("S3@0,0/R02b@1,1/R13@-1,1", "S3@0,0/R13@-1,1/R02b@1,1"):
        state = table(areas={0: area}, hands={0: "R05,R06,G07"})
        assert "0,2" not in spots(state)
        assert refusal(state, "R05@0,2<R") == "R05@0,2<R: a card at 0,2 would lie over a hidden corner"


def test_hidden_corners_of_the_new_card_do_not_matter() -> None:
    """A card may cover a corner with a corner that it does not have."""
    state = table(areas={0: "S3@0,0"}, hands=HAND)
    after = played(state, "R02@1,1<R")
    assert "R02@1,1" in fields(after)["areas"].split(";")[0]


def test_a_card_may_cover_several_corners_of_different_cards() -> None:
    """Here it lies over two at once, and the symbols of both are gone."""
    before = table(areas={0: "S3@0,0/R07@-1,1/R16@1,1"}, hands={0: "R02,R05,G07"})
    after = played(before, "R02b@0,2<R")
    assert visible(before) == {"P": 2, "F": 3, "I": 1, "M": 1, "K": 1}
    assert visible(after) == {"P": 2, "F": 3, "M": 1, "K": 1}


def test_middles_are_never_covered() -> None:
    """The symbols in the middle of a starter, and of a card face down, stay whatever lies around them."""
    full = "S6@0,0/R01b@1,1/R11b@-1,1/R21b@2,0/R31b@-2,0/R02b@3,1"
    assert visible(table(areas={0: full}, shown="R04,R12,G01,G11"))["P"] == 2
    assert visible(table(areas={0: full}, shown="R04,R12,G01,G11"))["F"] == 3


# ── what ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_either_side_may_be_up() -> None:
    """A resource card can be placed with its front or with its back."""
    found = {move.split("@")[0] for move in legal(table(hands={0: "R02,R05,G20"}))}
    assert found == {"R02", "R02b", "R05", "R05b", "G20b"}


def test_the_card_must_be_in_the_own_hand() -> None:
    """Neither a card of another seat nor one that lies face up can be placed."""
    state = table(hands={0: "R02,R05,G07", 1: "R03,R04,G08"}, shown=SHOWN)
    assert refusal(state, "R03@1,1<R") == "R03@1,1<R: R03 is not in the hand of seat 0"
    assert refusal(state, "R01@1,1<R") == "R01@1,1<R: R01 is not in the hand of seat 0"
    assert refusal(state, "RFb@1,1<R") == "RFb@1,1<R: the card must be named, not only its back"


def test_gold_cards_must_be_paid_for() -> None:
    """The front of a gold card needs its symbols in sight; its back needs nothing."""
    poor = table(areas={0: "S2@0,0"}, hands={0: "G07,R05,R06"})
    assert refusal(poor, "G07@-1,1<R") == "G07@-1,1<R: the front of G07 needs 3 fungi, and 2 fungi can be seen"
    assert "G07b@-1,1<R" in legal(poor)
    rich = table(areas={0: "S2@0,0/R02b@1,1"}, hands={0: "G07,R05,R06"})
    assert "G07@-1,1<R" in legal(rich)


def test_a_refusal_names_all_that_is_lacking() -> None:
    """Where two kinds of symbols are too few, both are named."""
    state = table(areas={0: "S1@0,0"}, hands={0: "G04,R05,R06"})
    sentence = "G04@1,1<R: the front of G04 needs 3 fungi and 1 animal, and 0 fungi and 0 animal can be seen"
    assert refusal(state, "G04@1,1<R") == sentence


def test_symbols_count_before_the_card_covers_them() -> None:
    """A gold card may lie over a symbol that it needs, and nothing is spent."""
    state = table(areas={0: "S2@0,0/R02@1,1"}, hands={0: "G07,R05,R06"})
    assert visible(state)["F"] == 4
    after = played(state, "G07@0,2<R")
    assert visible(after) == {"F": 3, "A": 1, "K": 1}


# ── draws ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_card_is_drawn_from_any_of_six_places() -> None:
    """Four cards face up and two decks."""
    state = table(hands=HAND)
    assert {move.split("<")[1] for move in legal(state)} == {"R1", "R2", "G1", "G2", "R", "G"}


@pytest.mark.parametrize(("source", "card"), [("R1", "R01"), ("R2", "R11"), ("G1", "G01"), ("G2", "G11")])
def test_a_card_face_up_is_replaced_from_the_deck_of_its_kind(source: str, card: str) -> None:
    """What was drawn takes the place of the played card in the hand, and everybody knows it."""
    after = fields(played(table(hands=HAND, shown=SHOWN, tops="R40,G40"), f"R05@1,1<{source}"))
    assert after["hands"].split(";")[0] == f"R02,{card}*,G07"
    assert after["shown"] == "R01,R11,G01,G11".replace(card, f"{card[0]}40")


@pytest.mark.parametrize(("source", "card"), [("R", "R40"), ("G", "G40")])
def test_the_top_of_a_deck_goes_to_the_hand_unseen(source: str, card: str) -> None:
    """Nobody else gets to know it, and the cards face up stay."""
    after = fields(played(table(hands=HAND, shown=SHOWN, tops="R40,G40"), f"R05@1,1<{source}"))
    assert after["hands"].split(";")[0] == f"R02,{card},G07"
    assert after["shown"] == "R01,R11,G01,G11"


def test_a_draw_is_not_optional() -> None:
    """Who can draw must, and is told from where."""
    state = table(hands=HAND)
    assert refusal(state, "R05@1,1") == "R05@1,1: a card must be drawn; add < and one of R1, R2, G1, G2, R, G"


def test_places_run_empty() -> None:
    """Without a deck a face-up card is not replaced, and what is empty cannot be drawn from."""
    state = table(hands=HAND, shown=SHOWN, resources=0, phase="ending")
    assert refusal(state, "R05@1,1<R") == "R05@1,1<R: the resource deck is empty"
    after = played(state, "R05@1,1<R1")
    assert fields(after)["shown"] == "-,R11,G01,G11"
    other = fields(after)["hands"].split(";")[1].split(",")[0]
    assert refusal(after, f"{other}b@-1,1<R1") == f"{other}b@-1,1<R1: the place R1 is empty"


def test_when_nothing_can_be_drawn_play_goes_on_with_fewer_cards() -> None:
    """The move then has no source, and the hand one card less."""
    state = table(hands=HAND, shown="-,-,-,-", resources=0, golds=0, phase="ending")
    sentence = "R05@1,1<R: no card can be drawn, so the move must end after the place of the card"
    assert refusal(state, "R05@1,1<R") == sentence
    assert all("<" not in move for move in legal(state))
    assert fields(played(state, "R05@1,1"))["hands"].split(";")[0] == "R02,-,G07"


# ── words ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_game_begins_with_a_face_of_the_starter() -> None:
    """Each seat chooses in turn, before it sees any card, and all hands are dealt when the last one has chosen."""
    state = CODEX.deal(3, seed=1)
    assert legal(state) == ["S:front", "S:back"]
    assert "first a face of the starter card must be chosen" in refusal(state, "R05@1,1<R")
    after = played(state, "S:front", "S:back")
    assert fields(after)["hands"] == "-,-,-;-,-,-;-,-,-"
    starters = fields(state)["starters"].split(",")
    after = played(after, "S:front")
    assert fields(after)["areas"] == f"{starters[0]}@0,0;{starters[1]}b@0,0;{starters[2]}@0,0"
    assert [[name[0] for name in hand.split(",")] for hand in fields(after)["hands"].split(";")] == [
        ["R", "R", "G"]
    ] * 3


def test_then_each_seat_keeps_one_of_two_objectives() -> None:
    """After that seat 0 begins to place cards."""
    state = played(CODEX.deal(2, seed=1), "S:front", "S:back")
    assert legal(state) == ["O:1", "O:2"]
    assert "first one of the two objectives must be kept" in refusal(state, "S:front")
    assert "first one of the two objectives must be kept" in refusal(state, "O:?")
    after = played(state, "O:2", "O:1")
    assert (fields(after)["kept"], fields(after)["phase"], after.to_move) == ("2,1", "play", 0)
    assert refusal(after, "O:1") == "O:1: a card can be placed, so one must be"


def test_who_cannot_place_a_card_passes() -> None:
    """A seat that has shut itself in keeps its hand and draws nothing."""
    state = table(areas={0: STUCK}, hands=HAND)
    assert legal(state) == ["pass"]
    assert refusal(state, "R05@1,1<R") == "R05@1,1<R: no card can be placed, so the only move is pass"
    after = played(state, "pass")
    assert after.to_move == 1
    assert {**fields(after), "turn": "10", "to-move": "0"} == fields(state)


def test_who_can_place_a_card_may_not_pass() -> None:
    """Passing is for those who have no other move."""
    assert refusal(table(hands=HAND), "pass") == "pass: a card can be placed, so one must be"


def test_a_seat_can_shut_itself_in() -> None:
    """The last place is taken by a card that opens no other."""
    state = table(areas={0: NEARLY_STUCK}, hands={0: "G27,R02,R05"})
    after = played(state, f"{LAST_CARD}<R")
    assert after.is_stuck(0)
    assert not after.is_stuck(1)


def test_only_one_card_shuts_an_area_at_the_top() -> None:
    """In the top row of a closed area some card lacks both top corners; only G39 does, so no two seats get stuck."""
    corners = {name: card["corners"] for name, card in {**RESOURCE_CARDS, **GOLD_CARDS}.items()}
    corners |= {name: card["front"] for name, card in STARTER_CARDS.items()}
    assert [name for name, four in corners.items() if four.startswith("##")] == ["G39"]


# ── all moves ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_legal_move_can_come_up_at_random() -> None:
    """Random play leaves no move out, and makes no other."""
    state = table(areas={0: "S5@0,0"}, hands={0: "R02,-,G07"}, shown="R01,R11,G01,-", golds=0)
    rng = Random(1)
    assert {str(state.random_move(rng)) for _ in range(2_000)} == set(legal(state))


@pytest.mark.parametrize(
    "text",
    [
        *("R41@1,1<R", "R5@1,1<R", "r05@1,1<R", "S1@1,1<R", "R05f@1,1<R", "RF@1,1<R", "R?b@1,1<R", "O01@1,1"),
        *("R05@1,1<R3", "R05@1,1<", "R05@1,1<r", "R05@1<R", "R05@1,1,1<R", "R05@+1,1<R", "R05@01,1<R", "R05@-0,1<R"),
        *("R05@1,1000<R", "R05@128,0<R", "R05@²,1<R", "R05 @1,1<R", "@1,1<R", "S:", "O:3", "Pass", " pass", ""),
    ],
)
def test_what_is_not_written_as_a_move_is_refused(text: str) -> None:
    """A card of the game, coordinates, and a source: anything else cannot be read."""
    with pytest.raises(NotationError):
        CODEX.read_move(text)
