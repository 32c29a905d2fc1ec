"""The twelve common goals on drawn shelves: what fulfils them, what only nearly does, and how their readings differ."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from arena_rules.shelfie import SHELFIE
from arena_rules.shelfie.facts import COMMON_GOALS
from arena_rules.shelfie.goals import common_goal, most_pieces
from arena_rules.shelfie.shelf import grown
from tests.unit.rules.drawn import shelf

NUMBERS = {goal["name"]: number for number, goal in COMMON_GOALS.items()}

FULFILLED: dict[str, list[str]] = {
    "two_squares": [
        "CC.BB CC.BB",
        "CCBB. CCBB.",  # squares of different types may touch
        "CCBCC CCBCC",  # two squares of one type, kept apart
        "CC... CCCBB CCCBB",  # a square within a larger group
        "CC... CC... BB... BB... GG...",  # not only on the ground
    ],
    "two_columns_all_different": [
        "C...P B...T G...F F...G T...B P...C",
        "CPCCC BTCCC GFCCC FGCCC TBCCC PCCCC",  # whatever the others hold
    ],
    "four_groups_of_four": [
        "CCCC. BBBB. GGGG. FFFF.",
        "CCCC. BBBB. CCCC. BBBB.",  # several groups of one type
        "CC... CCBB. GGBBF GGFFF",  # in any shape
        "BBBB. GGGG. FFFF. CCCCC",  # more than four in a group
    ],
    "six_pairs": [
        "CCBB. GGFF. TTPP.",
        "CCBB. GGCC. BBGG.",  # several pairs of one type
        "CBGFT CBGFT PPCBG",  # standing or lying
        "PP... CCC.. BBGG. FFTT.",  # more than two in a group
    ],
    "three_columns_max3": [
        "C.B.G C.B.G C.B.G C.B.G C.B.G C.B.G",  # one type each
        "CGF.. BTP.. GPC.. CGF.. BTP.. GPC..",  # three types each, not the same three
        "CGFC. BTPB. GPCG. CGFF. BTPT. GPCP.",  # beside a column of six types
    ],
    "two_rows_all_different": [
        "CBGFT PTFGB",
        "CBGFT CBGFT",
        "CBGFT CCCCC CBGFP",  # not side by side
    ],
    "four_rows_max3": [
        "CCCCC BBBBB GGGGG FFFFF",
        "CBGCB FTPFT CPFCP GGTTT",  # three types each, not the same three
        "CBGCB FTPFT CBGFT CPFCP GGTTT",  # with a row of five types between
    ],
    "four_corners": ["C...C B...B B...B B...B B...B C...C"],
    "eight_same": ["CCC.. CCC.. CCBBB", "CBCBC BCBCB CBCBC"],
    "x_shape": [
        "C.C.. BCB.. CBC..",  # in the lower left corner
        "FFCFC GGGCG FFCFC TTTTT PPPPP TTTTT",  # in the upper right corner
        "C.C.. CCC.. CCC..",  # the cells between the arms do not matter
    ],
    "diagonal": [
        "C.... BC... BBC.. BBBC. BBBBC",
        "C.... FC... GFC.. TGFC. PTGFC BPTGF",
        "....C ...CB ..CBB .CBBB CBBBB",
        "....C ...CF ..CFG .CFGT CFGTP FGTPB",
    ],
    "staircase": [
        "C.... BC... GBC.. FGBC. TFGBC",
        "C.... BC... GBC.. FGBC. TFGBC PTFGB",
        "....C ...CB ..CBG .CBGF CBGFT",
        "....C ...CB ..CBG .CBGF CBGFT BGFTP",
    ],
}

MISSED: dict[str, list[str]] = {
    "two_squares": [
        "CC... CC...",
        "CCC.. CCC..",  # two squares that share tiles
        "CCCC. CCCC.",  # two squares in one group
        "CC.CC CCCCC",  # linked at the foot
        "CC.B. CC.BB",
    ],
    "two_columns_all_different": [
        "C...P B...T G...F F...G T...B P...P",  # plants twice
        "C.... B...T G...F F...G T...B P...C",  # a tile is missing
    ],
    "four_groups_of_four": [
        "CCC.. BBBB. GGGG. FFFF.",
        "CCCC. CCCC. CCCC. CCCC.",  # one large group
        "C.... BC... BBC.. BBGC. GGGFF FFTTT",  # corner to corner is not side to side
    ],
    "six_pairs": [
        "CCBB. GGFF. TTPC.",
        "CCCC. CCCC. CCCC.",  # one large group
        "CBCBC BCBCB CBCBC",  # corner to corner is not side to side
    ],
    "three_columns_max3": [
        "CBC.. CBB.. CBG.. CBF.. CBC.. CBB..",  # four types in the third
        "CB... CBG.. CBG.. CBG.. CBG.. CBG..",  # a tile is missing in the third
    ],
    "two_rows_all_different": [
        "CBGFT CBGFC",  # cats twice
        "CBGF. CBGFT",  # a tile is missing
    ],
    "four_rows_max3": [
        "CCCCC BBBBB GGGGG CBGFF",  # four types in the fourth
        "CCCC. BBBBB GGGGG FFFFF",  # a tile is missing in the fourth
    ],
    "four_corners": [
        "C...C B...B B...B B...B B...B C...B",
        "C.... B...C B...C B...C B...C C...C",
        "CBBBC",
    ],
    "eight_same": ["CCC.. CCC.. CBBBB", "BBBBB CCCCC CCFBB"],
    "x_shape": [
        "C.C.. BBB.. CBC..",  # no centre
        "C.C.. BCB.. CBB..",  # an arm too short
        "C.B.. BCB.. CBC..",  # two types
        "..C.. BCC.. CCC.. BCB..",  # a cross that stands upright
    ],
    "diagonal": [
        "C.... BC... BBC.. BBBC. BBBBB",  # four
        "C.... BC... BBG.. BBBC. BBBBC",  # broken in the middle
        "C.... C.... C.... C.... C....",
    ],
    "staircase": [
        "...CC ..CBB .CBGG CBGFF",  # 1-2-3-4-4
        "....C ...CB ..CBG .CBGF",  # begins with nothing
        "....C ....C ...CC ...CC ..CCC CCCCC",  # steps of two
        "..... C...C CC.CC CCCCC",  # down and up
        "CCCCC",
    ],
}


def cases(shelves: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(name, drawing) for name, drawings in shelves.items() for drawing in drawings]


def fulfils(drawing: str, name: str, reading: str = "") -> bool:
    options = SHELFIE.rules(overrides={name: reading} if reading else {})
    goal = common_goal(NUMBERS[name], options)
    found = goal.check(shelf(drawing))
    tiles = sum(letter.isalpha() for letter in drawing)
    assert not found or tiles >= goal.least_tiles, "a shelf that fulfils the goal would never be looked at"
    return found


def test_every_common_goal_is_drawn() -> None:
    """No goal is left without shelves that fulfil it and shelves that do not."""
    assert set(FULFILLED) == set(MISSED) == set(NUMBERS)


@pytest.mark.parametrize(("name", "drawing"), cases(FULFILLED))
def test_shelf_that_fulfils_a_goal(name: str, drawing: str) -> None:
    """The goal is fulfilled."""
    assert fulfils(drawing, name)


@pytest.mark.parametrize(("name", "drawing"), cases(MISSED))
def test_shelf_that_nearly_fulfils_a_goal(name: str, drawing: str) -> None:
    """The goal is not fulfilled."""
    assert not fulfils(drawing, name)


READINGS: dict[str, dict[str, set[str]]] = {
    "two_squares": {
        "CC.BB CC.BB": {"separate_groups", "disjoint_blocks", "exact_groups"},
        "CCBCC CCBCC": {"separate_groups", "disjoint_blocks", "exact_groups", "same_type"},
        "C.... CCBCC CCBCC": {"separate_groups", "disjoint_blocks", "same_type"},
        "CC... CCCBB CCCBB": {"separate_groups", "disjoint_blocks"},
        "CCCC. CCCC.": {"disjoint_blocks"},
        "CCC.. CCC..": set(),
    },
    "four_groups_of_four": {
        "CCCC. BBBB. GGGG. FFFF.": {"count_components", "split", "exact"},
        "BBBB. GGGG. FFFF. CCCCC": {"count_components", "split"},
        "CCCC. CCCC. BBBB. BBBB.": {"split"},
        "CCC.. BBBB. GGGG. FFFF.": set(),
        "B.... BC... BCG.. BCGGG CCCCC": set(),  # the eight cats cannot be cut into two fours
    },
    "six_pairs": {
        "CCBB. GGFF. TTPP.": {"count_components", "split", "exact"},
        "PP... CCC.. BBGG. FFTT.": {"count_components", "split"},
        "CCCC. CCCC. CCCC.": {"split"},
        "CCBB. GGFF. TTTC.": set(),
        "PCP.. CCC.. BBGG. FFTT.": set(),  # the four cats cannot be cut into two pairs
    },
}


@pytest.mark.parametrize(
    ("name", "drawing", "fulfilled"),
    [(name, drawing, fulfilled) for name, shelves in READINGS.items() for drawing, fulfilled in shelves.items()],
)
def test_readings_of_a_goal_differ_where_they_should(name: str, drawing: str, fulfilled: set[str]) -> None:
    """Each named reading judges the shelf in its own way."""
    assert {reading for reading in SHELFIE.options[name].choices if fulfils(drawing, name, reading)} == fulfilled


@pytest.mark.parametrize("name", READINGS)
def test_shelves_tell_every_two_readings_apart(name: str) -> None:
    """For any two readings of a goal there is a shelf above on which they disagree."""
    for one, other in combinations(SHELFIE.options[name].choices, 2):
        assert any((one in fulfilled) != (other in fulfilled) for fulfilled in READINGS[name].values()), (one, other)


def pieces_by_brute_force(cells: frozenset[int], size: int) -> int:
    """Try every choice of connected pieces that do not overlap."""
    pieces = [frozenset(piece) for piece in combinations(sorted(cells), size) if is_connected(piece)]

    def most(free: frozenset[int], start: int) -> int:
        rest = ((i, piece) for i, piece in enumerate(pieces[start:], start) if piece <= free)
        return max((1 + most(free - piece, i + 1) for i, piece in rest), default=0)

    return most(cells, 0)


def is_connected(cells: tuple[int, ...]) -> bool:
    reached, waiting = set(), [cells[0]]
    while waiting:
        cell = waiting.pop()
        reached.add(cell)
        row, column = divmod(cell, 5)
        beside = [(row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)]
        waiting += [r * 5 + c for r, c in beside if 0 <= c < 5 and r * 5 + c in cells and r * 5 + c not in reached]
    return len(reached) == len(cells)


def random_group(rng: Random, size: int) -> int:
    """A group of that many cells, grown cell by cell."""
    group = 1 << rng.randrange(30)
    while group.bit_count() < size:
        edge = grown(group) & ~group
        group |= rng.choice([1 << cell for cell in range(30) if edge >> cell & 1])
    return group


@pytest.mark.parametrize("size", [2, 4])
def test_a_group_is_split_into_as_many_pieces_as_brute_force_finds(size: int) -> None:
    """Cutting a large group into pairs or fours never misses a piece."""
    rng = Random(size)
    for _ in range(150):
        group = random_group(rng, rng.randint(size, 12))
        cells = frozenset(cell for cell in range(30) if group >> cell & 1)
        assert most_pieces(group, size) == pieces_by_brute_force(cells, size), sorted(cells)
