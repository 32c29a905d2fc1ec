"""The drawing of a table of My Shelfie."""

from __future__ import annotations

import pytest

from arena_rules import Picture
from arena_rules.shelfie import SHELFIE
from arena_rules.shelfie.facts import TILE_NAMES
from arena_rules.shelfie.picture import picture
from arena_rules.testing import random_game
from tests.unit.rules.drawn import table

KINDS = {"", "heading", "faint", "mark", *TILE_NAMES[1:]}

STATE = table(
    players=3,
    board="d4C e4B f5P",
    shelves={0: "..F.. ..C.. ..CB. P.CB. CCCB. CCTBB", 1: "CB...", 2: "....P"},
    goals=(9, 12),
    personals=(1, 7, 12),
    tokens={0: (8, 0), 2: (6, 0)},
    turn=4,
    to_move=1,
)


def drawn(lines: Picture) -> str:
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def pieces(lines: Picture, kind: str) -> str:
    return "".join(text for line in lines for text, its in line if its == kind)


WHOLE = """\
   a b c d e f g h i      after 4 moves · seat 1 to move
 1       ·
 2       · ·              eight same
 3     · · · · ·            Eight tiles of one type, anywhere.
 4     · C B · · · ·        tokens 8 seat 0  6 seat 2  4
 5   · · · · P · ·
 6 · · · · · · ·          staircase
 7     · · · · ·            Columns that rise or fall by exactly one tile from side to side.
 8         · ·              tokens 8  6  4
 9           ·
                          110 tiles in the bag

seat 0                   seat 1 to move           seat 2
            goal 1                   goal 7                   goal 12
· · F · ·   p · F · ·    · · · · ·   c · · · ·    · · · · ·   · · b · ·
· · C · ·   · · · · c    · · · · ·   · · · f ·    · · · · ·   · p · · ·
· · C B ·   · · · B ·    · · · · ·   · p · · ·    · · · · ·   · · f · ·
P · C B ·   · g · · ·    · · · · ·   t · · · ·    · · · · ·   · · · t ·
C C C B ·   · · · · ·    · · · · ·   · · · · g    · · · · ·   · · · · g
C C T B B   · · T · ·    C B · · ·   · · b · ·    · · · · P   c · · · ·
1 2 3 4 5                1 2 3 4 5                1 2 3 4 5

common goals         8   common goals         0   common goals         6
personal goal        4   personal goal        0   personal goal        0
groups              13   groups               0   groups               0
first full shelf     0   first full shelf     0   first full shelf     0
total               25   total                0   total                6
"""


def test_the_whole_table() -> None:
    """Living room, goals, tokens, shelves, personal goals and scores, as people like to see them."""
    assert drawn(picture(STATE)) == WHOLE.rstrip("\n")
    assert STATE.picture() == picture(STATE)


def test_a_view_is_drawn_with_question_marks() -> None:
    """What a seat does not know of the others is neither shown nor counted."""
    text = drawn(picture(STATE.view(1).public))
    assert "goal ?" in text
    assert "goal 7" in text
    assert "goal 1\n" not in text
    assert "? ? ? ? ?" in text
    assert text.count("+?") == 2


def test_unused_spaces_are_blank() -> None:
    """Two players see 29 spaces: the tiles that lie there, and dots where none does."""
    room = drawn(picture(table(board="d4C"))).split("\n")[:10]
    assert sum(line[:22].count("·") for line in room) == 28
    assert room[1][:22].strip() == "1"


def test_pieces_are_of_known_kinds() -> None:
    """Whoever adds colour finds each tile under the name of its type."""
    lines = picture(STATE)
    assert {kind for line in lines for _, kind in line} <= KINDS
    assert pieces(lines, "frames").split() == ["F", "F"]
    assert "seat 1 to move" in pieces(lines, "mark")
    assert "8 seat 0" in pieces(lines, "mark")


@pytest.mark.parametrize("players", SHELFIE.players)
def test_pictures_fit_on_a_screen(players: int) -> None:
    """No line is longer than a hundred columns, with any goals on the table."""
    for seed in range(15):
        play = random_game(SHELFIE, players, seed, SHELFIE.rules(overrides={"two_squares": "disjoint_blocks"}))
        for state in (play.states[0], play.states[-2], play.last):
            lines = drawn(state.picture()).split("\n")
            assert max(map(len, lines)) <= 100
            assert len(lines) <= 30


def test_the_end_is_announced() -> None:
    """The picture of the last state says who has won."""
    play = random_game(SHELFIE, 4, 3)
    outcome = play.last.outcome()
    assert outcome is not None
    text = drawn(play.last.picture())
    assert f"after {play.last.turn} moves · seat {outcome.winners[0]} has won" in text


def test_seats_that_left_are_marked() -> None:
    """A seat that has left the game is named as such."""
    text = drawn(picture(STATE.retire(2)))
    assert "seat 2 left the game" in text
    assert "seat 1 to move" in text


def test_unusual_readings_of_a_goal_are_named() -> None:
    """A goal that is not read in the default way says so."""
    usual = table(goals=(4, 9))
    split = table(goals=(4, 9), options={"six_pairs": "split"})
    assert "six pairs\n" in drawn(picture(usual))
    assert "six pairs (split)" in drawn(picture(split))
