"""What a card scores when it is placed, and the options that change it."""

from __future__ import annotations

import pytest

from tests.unit.rules.codex.laid import played, points, table


def scored(area: str, move: str, options: dict[str, str] | None = None, before: int = 0) -> int:
    """The points of seat 0 after it has placed a card."""
    card = move.partition("@")[0].rstrip("b")
    state = table(areas={0: area}, hands={0: f"{card},R38,R39"}, points={0: before}, options=options)
    return points(played(state, f"{move}<R"))[0]


FUNGI = "S2@0,0/R02b@1,1/R03b@-1,-1/R04b@1,-1"
"""Four fungi in sight."""


def test_most_resource_cards_score_nothing() -> None:
    """Seven of ten have no points."""
    assert scored(FUNGI, "R05@-1,1") == 0


def test_some_resource_cards_score_a_point() -> None:
    """The others are worth one."""
    assert scored(FUNGI, "R08@-1,1") == 1


@pytest.mark.parametrize(("card", "worth"), [("G07", 3), ("G08", 3), ("G10", 5)])
def test_gold_cards_score_what_is_printed(card: str, worth: int) -> None:
    """Three or five points, wherever they lie."""
    assert scored(FUNGI + "/R06b@2,2", f"{card}@-1,1") == worth


def test_backs_score_nothing() -> None:
    """Face down a card is worth no points."""
    assert scored(FUNGI, "R08b@-1,1") == 0
    assert scored(FUNGI, "G07b@-1,1") == 0


def test_two_points_for_each_corner_covered() -> None:
    """As in the rulebook: a card that covers two corners brings four points; and so from one corner to four."""
    fungi = "S2@0,0/R02b@1,1/R03b@-1,1/R04b@1,-1/R11b@2,2"
    assert scored(fungi, "G05@3,1") == 2
    assert scored(fungi, "G05@0,2") == 4
    three = fungi + "/R05b@1,3"
    assert scored(three, "G05@0,2") == 6
    assert scored(three + "/R07b@-2,2/R06b@-1,3", "G05@0,2") == 8


def test_empty_corners_count_as_covered() -> None:
    """What is on the corner does not matter for such a card."""
    assert scored("S2@0,0/R08@1,1/R10@-1,1/R12b@1,-1", "G05@0,2") == 4


def test_a_point_for_each_object_in_sight() -> None:
    """As in the rulebook: two quills in the area and the one on the card itself bring three points."""
    quills = FUNGI + "/R27b@2,2/R05@-1,1/R35@2,0"
    assert scored(quills, "G01@3,3") == 3
    assert scored(FUNGI + "/R27b@2,2", "G01@3,1") == 1


def test_an_object_that_the_card_covers_is_lost() -> None:
    """By default objects count once the card lies there; the option counts those that it has just covered too."""
    quill = FUNGI + "/R27b@2,2/R05@-1,1"
    assert scored(quill, "G01@0,2") == 1
    assert scored(quill, "G01@0,2", {"object_points": "before_covering"}) == 2
    assert scored(quill, "G01@3,1", {"object_points": "before_covering"}) == 2


def test_objects_added_later_bring_nothing() -> None:
    """A card scores when it is placed and never again."""
    state = table(areas={0: FUNGI + "/R27b@2,2"}, hands={0: "G01,R05,R38"})
    after = played(state, "G01@3,1<R")
    assert points(after)[0] == 1
    other = str(after.legal_moves()[0])
    assert points(played(after, other, "R05@-1,1<R"))[0] == 1


def test_the_track_ends_where_the_table_says() -> None:
    """Points rise past 29 by default, and stop there with the option."""
    assert scored(FUNGI, "G07@-1,1", before=28) == 31
    assert scored(FUNGI, "G07@-1,1", {"score_track": "cap_29"}, before=28) == 29
    assert scored(FUNGI, "G07@-1,1", {"score_track": "cap_29"}, before=20) == 23


def test_objectives_come_on_top_of_a_capped_track() -> None:
    """The cap holds for the cards alone."""
    state = table(
        areas={0: FUNGI}, points={0: 29}, objectives="O09,O10,O11,O12,O13,O14", options={"score_track": "cap_29"}
    )
    assert dict(state.score(0).parts) == {
        "cards": 29,
        "common objective 1": 2,
        "common objective 2": 0,
        "secret objective": 0,
    }
    assert state.score(0).total == 31
