"""The printed cards: how many there are, and what holds for all of them."""

from __future__ import annotations

from collections import Counter

import pytest

from arena_rules.codex.cards import (
    BACK,
    CARD_NAMES,
    COST,
    FACES,
    FIRST_BACK,
    GAIN,
    GUARDS,
    KINGDOM,
    MOST,
    counts,
    symbols,
)
from arena_rules.codex.facts import GOLD_CARDS, KINGDOMS, OBJECTIVE_CARDS, RESOURCE_CARDS, STARTER_CARDS

CORNERS = set("FPAIQKM.#")


def test_every_kingdom_has_ten_cards_of_either_kind() -> None:
    """40 resource cards and 40 gold cards, ten of each kingdom, in the order of their numbers."""
    for cards, letter in ((RESOURCE_CARDS, "R"), (GOLD_CARDS, "G")):
        assert list(cards) == [f"{letter}{number:02}" for number in range(1, 41)]
        assert [card["kingdom"] for card in cards.values()] == [kingdom for kingdom in KINGDOMS for _ in range(10)]


def test_every_card_has_four_corners() -> None:
    """Each corner shows a symbol, is empty, or is hidden; gold cards and resource cards have a hidden one, but R07."""
    for name, card in {**RESOURCE_CARDS, **GOLD_CARDS}.items():
        assert len(card["corners"]) == 4
        assert set(card["corners"]) <= CORNERS
        assert ("#" in card["corners"]) == (name != "R07")
    for card in STARTER_CARDS.values():
        assert len(card["front"]) == len(card["back"]) == 4
        assert sorted(card["back"]) == sorted("FPAI")
        assert 1 <= len(card["centre"]) <= 3


def test_kingdoms_are_alike() -> None:
    """No kingdom is printed more often, costs less or scores more than another."""
    for cards in (RESOURCE_CARDS, GOLD_CARDS):
        by_kingdom = [[card for card in cards.values() if card["kingdom"] == kingdom] for kingdom in KINGDOMS]
        points = [Counter((card.get("points", 0), card.get("per", "")) for card in row) for row in by_kingdom]
        costs = [sorted(sum(card.get("cost", {}).values()) for card in row) for row in by_kingdom]
        hidden = [sum(card["corners"].count("#") for card in row) for row in by_kingdom]
        own = [sum(card["corners"].count(row[0]["kingdom"][0].upper()) for card in row) for row in by_kingdom]
        for found in (points, costs, own):
            assert all(each == found[0] for each in found)
        assert max(hidden) - min(hidden) <= 1


def test_gold_cards_cost_what_they_are_worth() -> None:
    """Five points cost five symbols, three cost three, two for each corner four, one for each object three."""
    for card in GOLD_CARDS.values():
        wanted = {"": card["points"], "covered corner": 4}.get(card.get("per", ""), 3)
        assert sum(card["cost"].values()) == wanted
        assert max(card["cost"], key=card["cost"].__getitem__) == card["kingdom"]


def test_objects_for_which_a_card_scores_are_on_it() -> None:
    """A gold card that scores for an object shows that object, so it is worth at least a point."""
    letters = {"quill": "Q", "inkwell": "K", "manuscript": "M"}
    for card in GOLD_CARDS.values():
        if card.get("per") in letters:
            assert letters[card["per"]] in card["corners"]


def test_there_are_sixteen_objectives() -> None:
    """Four diagonals, four with a corner, one for each kingdom, one for each object and one for all objects."""
    kinds = Counter("pattern" if "cells" in card else len(card["symbols"]) for card in OBJECTIVE_CARDS.values())
    assert kinds == {"pattern": 8, 1: 7, 3: 1}
    assert Counter(card["points"] for card in OBJECTIVE_CARDS.values()) == {2: 11, 3: 5}


def test_all_backs_of_a_kingdom_look_alike() -> None:
    """Face down a card has four empty corners and the symbol of its kingdom, and costs nothing."""
    for card in range(80):
        back = FACES[2 * card + 1]
        assert (back.corners, back.points, dict(back.cost)) == ("....", 0, {})
        assert back.centre == "FPAI"[KINGDOM[card]]
        assert CARD_NAMES[BACK[card]] == CARD_NAMES[card][0] + back.centre


def test_no_symbol_can_outgrow_its_count() -> None:
    """Even if one player had all the cards, each with the side that shows most of it, a count would have room."""
    for letter in "FPAIQKM":
        sides = [[FACES[2 * card + side] for side in (0, 1)] for card in range(FIRST_BACK)]
        most = sum(max((face.corners + face.centre).count(letter) for face in card) for card in sides)
        assert most <= MOST


@pytest.mark.parametrize(
    ("visible", "wanted", "enough"),
    [("FFF", "FFF", True), ("FF", "FFF", False), ("FFFP", "FFFA", False), ("", "I", False), ("MMM", "", True)],
)
def test_symbols_are_compared_all_at_once(visible: str, wanted: str, enough: bool) -> None:
    """What is wanted is there only if each symbol is there often enough."""
    assert ((symbols(visible) | GUARDS) - symbols(wanted) & GUARDS == GUARDS) is enough


def test_counts_are_unpacked_in_order() -> None:
    """The seven counts come out as they went in."""
    assert counts(symbols("FPPAAAIIIIQKKM")) == (1, 2, 3, 4, 1, 2, 1)
    assert counts(GAIN[2 * CARD_NAMES.index("R06")]) == (1, 0, 1, 0, 0, 1, 0)
    assert counts(COST[2 * CARD_NAMES.index("G35")]) == (0, 1, 0, 3, 0, 0, 0)
