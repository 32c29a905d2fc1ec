"""The printed facts of My Shelfie: what lies in the box and what stands on the cards."""

from __future__ import annotations

import pytest

from arena_rules.shelfie import SHELFIE, facts
from tests.unit.rules.drawn import board_of, fields

BOX = {
    "PLAYERS": (2, 3, 4),
    "TILE_NAMES": ("nothing", "cats", "books", "games", "frames", "trophies", "plants"),
    "TILE_LETTERS": ".CBGFTP",
    "TILES_PER_TYPE": 22,
    "PICK_MAX": 3,
    "REFILL_MAX_TILES": 4,
    "TOKENS": {2: (8, 4), 3: (8, 6, 4), 4: (8, 6, 4, 2)},
    "PERSONAL_POINTS": (0, 1, 2, 4, 6, 9, 12),
    "GROUP_POINTS": {3: 2, 4: 3, 5: 5, 6: 8},
    "END_TOKEN_POINTS": 1,
    "DEFAULT_EDITION": "en-revised",
    "EDITIONS": {
        "en-2022": {"refill_trigger": "no_adjacent_tiles", "leftovers": "to_bag"},
        "en-revised": {"refill_trigger": "tiles_at_most", "leftovers": "to_bag"},
        "it": {"refill_trigger": "no_adjacent_tiles", "leftovers": "stay_on_board"},
        "de": {"refill_trigger": "tiles_at_most", "leftovers": "to_bag"},
    },
}

GOAL_NAMES = {
    1: "two_squares",
    2: "two_columns_all_different",
    3: "four_groups_of_four",
    4: "six_pairs",
    5: "three_columns_max3",
    6: "two_rows_all_different",
    7: "four_rows_max3",
    8: "four_corners",
    9: "eight_same",
    10: "x_shape",
    11: "diagonal",
    12: "staircase",
}

# The wishes of each card, read row by row from the top.
PERSONAL_GOALS = {
    1: "P.F.. ....C ...B. .G... ..... ..T..",
    2: "..... .P... C.G.. ....B ...T. ....F",
    3: "..... F..G. ..P.. .C..T ..... B....",
    4: "....G ..... T.F.. ...P. .BC.. .....",
    5: "..... .T... ..... .FB.. ....P G..C.",
    6: "..T.C ..... ...B. ..... .G.F. P....",
    7: "C.... ...F. .P... T.... ....G ..B..",
    8: "....F .C... ..T.. P.... ...B. ...G.",
    9: "..G.. ..... ..C.. ....B .T..P F....",
    10: "....T .G... B.... ...C. .F... ...P.",
    11: "..P.. .B... G.... ..F.. ....C ...T.",
    12: "..B.. .P... ..F.. ...T. ....G C....",
}

DEFAULTS = {
    "common_goals": ("2", {"1", "2"}),
    "refill_trigger": ("tiles_at_most", {"tiles_at_most", "no_adjacent_tiles"}),
    "leftovers": ("to_bag", {"to_bag", "stay_on_board"}),
    "two_squares": ("separate_groups", {"separate_groups", "disjoint_blocks", "exact_groups", "same_type"}),
    "four_groups_of_four": ("count_components", {"count_components", "split", "exact"}),
    "six_pairs": ("count_components", {"count_components", "split", "exact"}),
}


@pytest.mark.parametrize("name", BOX)
def test_what_lies_in_the_box(name: str) -> None:
    """Tiles, tokens, points and editions are those of the printed game."""
    assert getattr(facts, name) == BOX[name]


@pytest.mark.parametrize(("players", "spaces"), [(2, 29), (3, 37), (4, 45)])
def test_a_deal_fills_the_spaces_of_the_player_count(players: int, spaces: int) -> None:
    """All spaces with few enough dots hold a tile, and the other tiles, of 132, are in the bag."""
    state = SHELFIE.deal(players, seed=1)
    assert len(board_of(state)) == spaces
    assert len(fields(state)["bag"]) == 132 - spaces


def test_the_board_is_the_printed_one() -> None:
    """The cells that two, three and four players use are those of the printed board."""
    drawn = ["".join(_dots(row * 9 + column) for column in range(9)) for row in range(9)]
    assert drawn == [
        "...34....",
        "...224...",
        "..32223..",
        ".42222223",
        "422222224",
        "32222224.",
        "..32223..",
        "...422...",
        "....43...",
    ]


def _dots(cell: int) -> str:
    return next((str(players) for players in (2, 3, 4) if cell in facts.SPACES[players]), ".")


@pytest.mark.parametrize("card", PERSONAL_GOALS)
def test_personal_goal_cards_are_the_printed_ones(card: int) -> None:
    """Each card wants six different types in six different cells, and those that are printed on it."""
    drawn = PERSONAL_GOALS[card].replace(" ", "")
    assert sorted(drawn.replace(".", "")) == sorted("CBGFTP")
    wishes = {cell: facts.TILE_LETTERS[tile] for tile, cell in facts.PERSONAL_GOALS[card]}
    assert wishes == {cell: letter for cell, letter in enumerate(drawn) if letter != "."}


def test_there_are_twelve_cards_of_each_kind() -> None:
    """Personal and common goals are numbered one to twelve, the common ones by their usual names."""
    assert list(facts.PERSONAL_GOALS) == list(PERSONAL_GOALS) == list(range(1, 13))
    assert {number: goal["name"] for number, goal in facts.COMMON_GOALS.items()} == GOAL_NAMES
    assert all(goal["about"].endswith(".") for goal in facts.COMMON_GOALS.values())


def test_options_and_their_defaults() -> None:
    """The points on which rulebooks differ can be chosen, and the usual choice is the default."""
    found = {name: (option.default, set(option.choices)) for name, option in SHELFIE.options.items()}
    assert found == DEFAULTS
