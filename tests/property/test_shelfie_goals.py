"""Goals and points on any shelf are what a plain reading of the rules makes of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_rules.shelfie import SHELFIE
from arena_rules.shelfie.facts import COMMON_GOALS, PERSONAL_GOALS, PERSONAL_POINTS
from arena_rules.shelfie.goals import common_goal, personal_points
from arena_rules.shelfie.shelf import group_points, shelf_of
from tests.property import naive_shelfie as naive

STAIRS = [(1, 2, 3, 4, 5), (2, 3, 4, 5, 6), (5, 4, 3, 2, 1), (6, 5, 4, 3, 2)]


@st.composite
def in_columns(draw: st.DrawFn) -> naive.Shelf:
    """Columns of any height, often of few types, of all types, or of one."""
    heights = draw(st.one_of(st.just((6,) * 5), st.tuples(*[st.integers(0, 6)] * 5), st.sampled_from(STAIRS)))
    palette = draw(st.sampled_from(["C", "CB", "CBG", naive.TYPES]))
    column = st.one_of(
        st.lists(st.sampled_from(palette), min_size=6, max_size=6),
        st.permutations(naive.TYPES),
        st.sampled_from(palette).map(lambda letter: [letter] * 6),
    )
    filled = ["".join(draw(column))[:height].rjust(6, ".") for height in heights]
    return ["".join(line[row] for line in filled) for row in range(6)]


@st.composite
def in_rows(draw: st.DrawFn) -> naive.Shelf:
    """Full rows in which tiles of one type stick together, some of them twice on top of each other."""
    pattern = st.sampled_from(["aabbc", "aacbb", "aaaab", "aaaaa", "abcde", "abbcc"])
    rows: list[str] = []
    while len(rows) < draw(st.integers(2, 6)):
        letters = dict(zip("abcde", draw(st.permutations(naive.TYPES)), strict=False))
        row = "".join(letters[place] for place in draw(pattern))
        rows += [row] * draw(st.sampled_from([1, 2]))
    return (["....."] * 6 + rows[:6])[-6:]


def shelves() -> st.SearchStrategy[naive.Shelf]:
    """Shelves as they come up in play, and many more of those that fulfil the rarer goals."""
    return st.one_of(in_columns(), in_rows())


def real(shelf: naive.Shelf) -> list[int]:
    return shelf_of([".CBGFTP".index(letter) for letter in "".join(shelf)])


@pytest.mark.parametrize(("number", "reading"), naive.GOALS)
@given(shelf=shelves())
@settings(max_examples=120, deadline=None)
def test_common_goals(number: int, reading: str, shelf: naive.Shelf) -> None:
    """A shelf fulfils a goal just when the rule, read word by word, says so; and has the tiles that the goal needs."""
    name = COMMON_GOALS[number]["name"]
    goal = common_goal(number, SHELFIE.rules(overrides={name: reading} if reading else {}))
    expected = naive.GOALS[number, reading](shelf)
    assert goal.check(real(shelf)) == expected
    assert not expected or sum(letter != "." for letter in "".join(shelf)) >= goal.least_tiles


def test_every_reading_is_compared() -> None:
    """The plain rules know each goal in each reading that can be chosen."""
    readings = {goal["name"]: [""] for goal in COMMON_GOALS.values()}
    readings |= {name: list(option.choices) for name, option in SHELFIE.options.items() if name in readings}
    wanted = {(number, reading) for number, goal in COMMON_GOALS.items() for reading in readings[goal["name"]]}
    assert naive.GOALS.keys() == wanted


@given(shelves())
@settings(max_examples=200, deadline=None)
def test_group_points(shelf: naive.Shelf) -> None:
    """Groups are found and paid as one would with a finger on the shelf."""
    assert sum(group_points(tiles) for tiles in real(shelf)[1:]) == naive.group_points(shelf)


@given(shelves(), st.sampled_from(sorted(PERSONAL_GOALS)))
@settings(max_examples=100, deadline=None)
def test_personal_goals(shelf: naive.Shelf, card: int) -> None:
    """Every tile that lies where the card wants it counts, and nothing else."""
    cells = "".join(shelf)
    matches = sum(cells[cell] == ".CBGFTP"[tile] for tile, cell in PERSONAL_GOALS[card])
    assert personal_points(real(shelf), card) == PERSONAL_POINTS[matches]
