"""How the table is drawn."""

from __future__ import annotations

import pytest

from arena_rules.codex import CODEX
from arena_rules.codex.picture import picture
from arena_rules.game import Picture
from arena_rules.testing import random_game
from tests.unit.rules.codex.laid import played, table

KINDS = {"fungi", "plant", "animal", "insect", "object", "gold", "heading", "faint", "mark", ""}

STATE = table(
    areas={0: "S1@0,0/R02@1,1/R15@2,0/R22b@1,-1", 1: "S3b@0,0/R33@1,-1/G31b@-1,-1"},
    hands={0: "R05*,R12,G04", 1: "R38,R30*,G02"},
    shown="R08,R17,G05,G40",
    tops="R40,G21",
    points={0: 4, 1: 1},
    objectives="O06,O16,O11,O08,O01,O13",
    kept="2,2",
)

WHOLE = """\
after 10 moves · seat 0 to move

R 30 cards      R1              R2              G 35 cards      G1              G2
o───o           o───F 1         M───┐           o───o           o───o 2/corner  o───o 5
│ I │           │R08│           │R17│           │ A │           │G05│ FFFP      │G40│ IIIII
o───o           o───┘           P───A           o───o           o───┘           └───┘

common O06 3/ Two plant cards in a column, and an insect card at the bottom left of the lower one.
common O16 2/ Two visible quills.

seat 0 to move  F2  P1  A1  I3  Q0  K0  M0
cards 4   common objective 1 0   common objective 2 0   secret objective 0   total 4
secret O08 3/ Two insect cards in a column, and an animal card at the top left of the upper one.
                      -1   0   1   2   3
┌───Q
│R05│             2        ·       ·
P───F known                  F───F
                  1    ·     │R02│     ·
P───P                    o───└───┌───I
│R12│             0      │ I │   │R15│
└───o                    I───o───o───P
                 -1    ·     │ A │     ·
o───o 2/corner               o───o
│G04│ FFFA       -2        ·       ·
└───o

seat 1  F0  P0  A1  I4  Q0  K0  M0
cards 1   common objective 1 0   common objective 2 0   secret objective 0   total 1
secret O13 3/ A quill, an inkwell and a manuscript, all visible.
                      -2  -1   0   1   2
I───┐ 1
│R38│             1        ·       ·
o───o                        I───A
                  0    ·     │S3 │
o───A 1                  o───o───I───┐
│R30│            -1      │ I │   │R33│
o───┘ known              o───o   I───o
                 -2    ·       ·       ·
o───K 1/K
│G02│ FFP
└───o
"""


def drawn(lines: Picture) -> str:
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def pieces(lines: Picture, kind: str) -> str:
    return " ".join(text for line in lines for text, piece in line if piece == kind)


def test_the_whole_table() -> None:
    """Decks, cards face up and objectives, and each seat with its symbols, scores, hand and area."""
    assert drawn(picture(STATE)) == WHOLE.rstrip("\n")
    assert STATE.picture() == picture(STATE)


def test_the_card_on_top_shows_its_corner() -> None:
    """Of two cards that meet, the later one is seen: its symbol, its empty corner, or its frame where it has none."""
    first = drawn(table(areas={0: "S3@0,0/R07b@1,1/R13@0,2/R11@-1,1"}).picture())
    second = drawn(table(areas={0: "S3@0,0/R07b@1,1/R11@-1,1/R13@0,2"}).picture())
    assert "P───o───P" in first
    assert "P───P───P" in second


def test_a_view_is_drawn_with_backs() -> None:
    """What a seat does not know of the others is neither shown nor counted."""
    text = drawn(picture(STATE.view(0).public))
    assert "secret ?" in text
    assert "total 1+?" in text
    assert "O13" not in text
    assert "G02" not in text
    assert "R38" not in text
    assert "R30" in text


def test_pieces_are_of_known_kinds() -> None:
    """Whoever adds colour finds cards under their kingdom and symbols under their own."""
    lines = picture(STATE)
    assert {kind for line in lines for _, kind in line} <= KINDS
    assert "G05" in pieces(lines, "gold")
    assert "R05" in pieces(lines, "fungi")
    assert set(pieces(lines, "object")) == set("QKM ")
    assert "seat 0 to move" in pieces(lines, "mark")


@pytest.mark.parametrize("players", CODEX.players)
def test_pictures_fit_on_a_screen(players: int) -> None:
    """At the end of a random game hardly a line is longer than a hundred columns."""
    plays = [random_game(CODEX, players, seed) for seed in range(25)]
    states = [state for play in plays for state in (play.states[0], play.states[2 * players], play.last)]
    widths = [max(map(len, drawn(state.picture()).split("\n"))) for state in states]
    assert sum(width > 100 for width in widths) <= 2
    assert max(widths) <= 110


def test_before_the_cards_are_dealt() -> None:
    """While starter faces are chosen there is a starter for each seat, and no objective yet."""
    state = CODEX.deal(2, 1)
    text = drawn(state.picture())
    assert text.count("common not yet dealt") == 2
    assert text.count("starter S") == 2
    assert "choice" not in text


def test_objectives_to_choose_from() -> None:
    """A seat that has not chosen has two; of one that has, only the kept one is drawn."""
    state = played(CODEX.deal(2, 1), "S:front", "S:back", "O:2")
    text = drawn(state.picture())
    assert text.count("secret O") == 1
    assert text.count("choice 1 O") == text.count("choice 2 O") == 1
    hidden = drawn(state.view(0).public.picture())
    assert "choice" not in hidden


def test_the_end_is_announced() -> None:
    """The picture says when the last rounds are played, and who has won, be it one seat or two."""
    assert "seat 0 to move · the last round but one" in drawn(table(phase="ending").picture())
    assert "seat 0 to move · the last round" in drawn(table(phase="last").picture())
    assert "seat 1 has won" in drawn(table(phase="last", to_move=None, points={1: 30}).picture())
    tied = table(phase="last", to_move=None, areas={0: "S3@0,0", 1: "S4@0,0"}, objectives="O01,O02,O03,O04,O05,O06")
    assert "seats 0 and 1 have won" in drawn(tied.picture())
    assert "the game is over" in drawn(tied.view(0).public.picture())


def test_seats_that_left_are_marked() -> None:
    """A seat that has left the game is named as such."""
    assert "seat 2 left the game" in drawn(table(players=3).retire(2).picture())


def test_empty_places_are_drawn_faintly() -> None:
    """Where no card is left there is a dash."""
    text = drawn(table(resources=0, golds=0, shown="-,-,-,-", phase="ending").picture())
    assert text.split("\n")[2].startswith("R 0 cards")
    assert text.split("\n")[4].count("-") == 6
