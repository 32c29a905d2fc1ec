"""What a shelf is worth: personal goals, groups, tokens and the examples that people know from the rulebook."""

from __future__ import annotations

import pytest

from arena_rules.shelfie.facts import PERSONAL_GOALS
from arena_rules.shelfie.goals import personal_points
from arena_rules.shelfie.shelf import group_points, shelf_of
from tests.unit.rules.drawn import shelf, table


def points_for_groups(drawing: str) -> int:
    return sum(group_points(tiles) for tiles in shelf(drawing)[1:])


def points_for_card(drawing: str, card: int) -> int:
    state = table(shelves={0: drawing}, personals=(card, card % 12 + 1))
    return dict(state.score(0).parts)["personal goal"]


@pytest.mark.parametrize("card", PERSONAL_GOALS)
def test_personal_goal_points_grow_with_the_matches(card: int) -> None:
    """None to six tiles in their places are worth 0, 1, 2, 4, 6, 9 and 12 points, on every card."""
    cells = [0] * 30
    points = [personal_points(shelf_of(cells), card)]
    for tile, cell in PERSONAL_GOALS[card]:
        cells[cell] = tile
        points.append(personal_points(shelf_of(cells), card))
    assert points == [0, 1, 2, 4, 6, 9, 12]


def test_a_wrong_tile_in_the_place_of_a_wish_is_worth_nothing() -> None:
    """Personal goal 5 wants games in the lower left corner; cats there do not count."""
    assert points_for_card("G....", 5) == 1
    assert points_for_card("C....", 5) == 0


def test_three_matches_are_worth_four_points() -> None:
    """Card 9 with frames, trophies and plants in their places: the rulebook's example of three matches."""
    assert points_for_card("CTCCP FCCCC", 9) == 4


@pytest.mark.parametrize(
    ("drawing", "points"),
    [
        ("CC...", 0),
        ("CCC..", 2),
        ("CCCC.", 3),
        ("CCCCC", 5),
        ("C.... CCCCC", 8),
        ("CCCCC CCCCC CCCCC CCCCC", 8),  # no more for a larger group
        ("CCCBC CCCBC GFTBC", 8 + 2 + 2),  # two groups of one type count apart
        ("C.... BC... BBC.. FFFCG", 2 + 2),  # corner to corner is not side to side
    ],
)
def test_points_for_groups(drawing: str, points: int) -> None:
    """Groups of three, four, five and six or more are worth 2, 3, 5 and 8 points, each group for itself."""
    assert points_for_groups(drawing) == points


def test_the_rulebook_example_of_21_points() -> None:
    """Groups of 8 plants, 4 trophies, 5 cats, 4 frames and 3 games give 21 points; two books give none."""
    drawing = """
        ..G..
        TTGGF
        TTCFF
        PPCCF
        PPPCC
        PPPBB
    """
    assert [shelf(drawing)[tile].bit_count() for tile in range(7)] == [26, 5, 2, 3, 4, 4, 8]
    assert points_for_groups(drawing) == 21


def test_the_rulebook_example_of_36_points() -> None:
    """Tokens for 12 points, four matches for 6, groups of six, five and five for 18: 36 points in all."""
    drawing = """
        P.F..
        PPFGC
        PPTFC
        BBTCC
        GTTCB
        BTTGG
    """
    state = table(shelves={0: drawing}, personals=(1, 2), tokens={0: (8, 4)})
    assert state.score(0).parts == (
        ("common goals", 12),
        ("personal goal", 6),
        ("groups", 18),
        ("first full shelf", 0),
    )
    assert state.score(0).total == 36


def test_the_first_full_shelf_is_worth_one_point() -> None:
    """Only the seat that holds the end-game token gets the point."""
    state = table(first_full=1)
    assert [dict(state.score(seat).parts)["first full shelf"] for seat in (0, 1)] == [0, 1]
