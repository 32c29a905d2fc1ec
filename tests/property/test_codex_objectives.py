"""The most patterns that a group of cards holds, found by the real rules and by trying everything."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_rules.codex.area import Area, cell_at
from arena_rules.codex.facts import KINGDOMS, OBJECTIVE_CARDS
from arena_rules.codex.objectives import CARDS, OBJECTIVE_NAMES
from tests.property import naive_codex as naive

PATTERNS = [name for name, card in OBJECTIVE_CARDS.items() if "cells" in card]

PLACES = [(x, y) for x in range(-3, 4) for y in range(-5, 6) if (x + y) % 2 == 0]


@st.composite
def crowds(draw: st.DrawFn, name: str) -> dict[naive.Place, str]:
    """Cards close together, mostly of the kingdoms that the objective wants, so that patterns overlap."""
    wanted = [kingdom for _, _, kingdom in OBJECTIVE_CARDS[name]["cells"]]
    kingdoms = draw(st.lists(st.sampled_from([*wanted, *wanted, *wanted, *KINGDOMS, ""]), min_size=38, max_size=38))
    return {place: kingdom for place, kingdom in zip(PLACES, kingdoms, strict=False) if kingdom}


@pytest.mark.parametrize("name", PATTERNS)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_patterns_are_counted_as_often_as_they_can_be(name: str, data: st.DataObject) -> None:
    """No choice of patterns without a common card has more of them."""
    crowd = data.draw(crowds(name))
    cells = [{cell_at(*place) for place, kingdom in crowd.items() if kingdom == wanted} for wanted in KINGDOMS]
    found = CARDS[OBJECTIVE_NAMES.index(name)].times(Area(), cells)
    assert found == naive.most_apart(naive.patterns(name, crowd))


def test_crowds_have_patterns_that_overlap() -> None:
    """The comparison is worth something: taking patterns as they come would often find too few."""
    column = {(0, y): "fungi" for y in range(-5, 6) if y % 2 == 0} | {(1, y): "plant" for y in range(-5, 6) if y % 2}
    found = naive.patterns("O05", column)
    assert len(found) > naive.most_apart(found) > 1
