"""What objectives are worth."""

from __future__ import annotations

import pytest

from tests.unit.rules.codex.laid import table


def worth(objective: str, area: str) -> int:
    """What the area of seat 0 earns for an objective that is common to all."""
    others = [f"O{number:02}" for number in range(1, 17) if f"O{number:02}" != objective]
    names = {name.split("@")[0].rstrip("b") for name in area.split("/")}
    kinds = [[f"{kind}{number:02}" for number in range(1, 41)] for kind in "RG"]
    free = [[name for name in row if name not in names][-2:] for row in kinds]
    state = table(areas={0: area}, shown=",".join(free[0] + free[1]), objectives=",".join([objective, *others]))
    return dict(state.score(0).parts)["common objective 1"]


def test_sets_of_three_symbols() -> None:
    """Seven fungi in sight are two sets of three, as in the rulebook two points each."""
    fungi = "S2@0,0" + "".join(f"/R0{n}b@{n - 1},{n - 1}" for n in range(2, 8))
    assert worth("O09", fungi) == 4
    assert worth("O09", fungi + "/R08b@7,7/R09b@8,8") == 6
    assert worth("O10", fungi) == 0


def test_pairs_of_objects() -> None:
    """Three quills are one pair."""
    quills = "S3@0,0/R05@1,1/R27@-1,1"
    assert worth("O16", quills) == 2
    assert worth("O16", quills + "/R35@1,-1") == 2
    assert worth("O15", quills) == 0


def test_sets_of_different_objects() -> None:
    """Each set needs one of each: the rarest decides."""
    area = "S3@0,0/R05@1,1/R27@-1,1/R07@2,2"
    assert worth("O13", area) == 0
    assert worth("O13", area + "/R16@1,-1") == 3
    assert worth("O13", area + "/R16@1,-1/R06@-1,-1") == 3


DIAGONAL = "S3@0,0/R02b@1,1/R03b@2,2/R04b@3,3"


def test_a_diagonal_is_worth_two_points() -> None:
    """As in the rulebook: three cards of the kingdom in the right direction."""
    assert worth("O01", DIAGONAL) == 2
    assert worth("O02", DIAGONAL) == 0
    assert worth("O03", DIAGONAL) == 0


def test_direction_and_colour_must_fit() -> None:
    """The same row the other way is worth nothing to fungi, and three plants in it are what another objective wants."""
    down = "S3@0,0/{}b@1,-1/{}b@2,-2/{}b@3,-3"
    assert worth("O01", down.format("R02", "R03", "R04")) == 0
    assert worth("O02", down.format("R12", "R13", "R14")) == 2


def test_a_card_counts_once_for_an_objective() -> None:
    """Five in a row are one pattern, six are two."""
    five = DIAGONAL + "/R05b@4,4/R06b@5,5"
    assert worth("O01", five) == 2
    assert worth("O01", five + "/R07b@6,6") == 4


def test_rows_are_apart() -> None:
    """Two and one cards with a gap between them are no pattern; nor does the starter fill the gap."""
    assert worth("O01", "S3@0,0/R02b@1,1/R03b@2,2/R11b@3,3/R04b@4,4") == 0
    assert worth("O01", "S3@0,0/R02b@1,1/R03b@-1,-1") == 0


def test_fronts_and_backs_and_gold_cards_all_count() -> None:
    """The kingdom of a card is the same whichever side is up."""
    assert worth("O01", "S3@0,0/R02@1,1/G03b@2,2/R04b@3,3") == 2


CORNERS = {
    "O05": ("R02", "R03", "R12", (1, -1)),
    "O06": ("R12", "R13", "R32", (-1, -1)),
    "O07": ("R22", "R23", "R02", (1, 1)),
    "O08": ("R32", "R33", "R22", (-1, 1)),
}


@pytest.mark.parametrize("objective", CORNERS)
def test_two_in_a_column_and_one_at_a_corner(objective: str) -> None:
    """Three points, for the corner that the card shows and no other, and not for the kingdoms the other way round."""
    upper, lower, other, (dx, dy) = CORNERS[objective]

    def column(x: int, y: int, third: str) -> str:
        """The pattern with its third card at a corner of the column at x 2; the row above and below leads there."""
        edge = 2 if y > 0 else 0
        return f"S3@0,0/R39b@1,1/{upper}b@2,2/{lower}b@2,0/{third}b@{2 + x},{edge + y}"

    assert worth(objective, column(dx, dy, other)) == 3
    assert worth(objective, column(dx, dy, "R38" if objective != "O06" else "R21")) == 0
    assert worth(objective, column(1, -dy, other)) == 0


def test_corners_along_a_column() -> None:
    """Three in a column with two at their corners are one pattern, for the middle card counts once; four are two."""
    three = "S3@0,0/R39b@1,1/R02b@2,2/R03b@2,0/R11b@3,-1/R04b@2,-2/R12b@3,-3"
    assert worth("O05", three) == 3
    assert worth("O05", three + "/R05b@2,-4/R38b@4,-4/R13b@3,-5") == 6


def test_the_most_patterns_are_counted() -> None:
    """As in the rulebook, two patterns for six points, although taking the middle one first would leave only one."""
    assert worth("O05", "S3@0,0/R39b@1,1/R02b@2,2/R03b@2,0/R11b@3,-1/R04b@2,-2/R12b@3,-3/R05b@2,-4/R13b@3,-5") == 6


def test_a_card_may_serve_several_objectives() -> None:
    """Once for each objective, not once in all."""
    area = "S3@0,0/R02b@1,1/R03b@2,2/R04b@3,3/R05b@1,3"
    state = table(areas={0: area}, objectives="O01,O09,O16,O15,O14,O13")
    assert [points for _, points in state.score(0).parts] == [0, 2, 2, 0]


def test_nothing_is_scored_for_objectives_that_are_not_dealt() -> None:
    """Before the objectives lie on the table, and for a seat that has not chosen, there is nothing to score."""
    state = table(areas={0: DIAGONAL}, objectives="O01,O09,O13,O14,O15,O16", kept="-,1", phase="objectives")
    assert [points for _, points in state.score(0).parts] == [0, 2, 2, 0]
    chosen = table(areas={0: DIAGONAL}, objectives="O15,O16,O13,O01,O09,O14", kept="2,1")
    assert [points for _, points in chosen.score(0).parts] == [0, 0, 0, 2]
