"""The interactive replay without a terminal: which key leads where, and what is on the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from rich.text import Text

from arena.cli.keys import decode
from arena.cli.viewer import Place, press, screen, view
from arena.record import MatchRecord
from arena.replay import verify
from tests.unit.cli.played import played, spec_of, timed_out

TURNS = [0, 1, 2, 2, 3, *range(4, 21)]
"""A match in which a seat left after the second move."""


def after(*keys: str, start: Place | None = None, matches: int = 1) -> Place | None:
    place: Place | None = start or Place()
    for key in keys:
        assert place is not None
        place = press(place, key, TURNS, matches)
    return place


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        (["right"], 1),
        (["n", "space", "enter"], 3),
        (["right", "right", "left"], 1),
        (["right", "right", "p"], 1),
        (["left"], 0),
        (["end"], 21),
        (["end", "right"], 21),
        (["end", "home"], 0),
        (["page down"], 10),
        (["page down", "page down", "page down"], 21),
        (["page down", "page up", "page up"], 0),
        (["x", "resize", "\x1b"], 0),
        (["g", "1", "2", "enter"], 13),
        (["g", "2", "enter"], 2),
        (["g", "9", "9", "enter"], 21),
        (["g", "1", "3", "backspace", "enter"], 1),
        (["g", "1", "q", "right"], 1),
        (["g", "enter", "right"], 1),
        (["g", "²", "right"], 1),
    ],
)
def test_keys(keys: list[str], at: int) -> None:
    """Keys step, page, jump to the ends or to a move by its number, and never lead out of the match."""
    place = after(*keys)
    assert place is not None
    assert (place.at, place.typed) == (at, None)


def test_quitting() -> None:
    """The key q ends the viewer."""
    assert after("right", "q") is None


def test_other_matches() -> None:
    """Brackets lead to the next and the previous match, each shown from its deal."""
    assert after("right", "]", matches=3) == Place(match=1)
    assert after("]", "]", "]", matches=3) == Place(match=2)
    assert after("]", "[", "[", matches=3) == Place(match=0)


def test_scrolling() -> None:
    """A picture that is taller than the screen can be scrolled, but not above its top."""
    place = after("down", "down", "up", "up", "up", "down")
    assert place is not None
    assert place.top == 1


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("\x1b[C\x1b[D", ["right", "left"]),
        ("\x1bOC\x1bOH\x1bOF", ["right", "home", "end"]),
        ("\x1b[1~\x1b[4~\x1b[5~\x1b[6~", ["home", "end", "page up", "page down"]),
        ("\x1b[A\x1b[B", ["up", "down"]),
        ("n p", ["n", "space", "p"]),
        ("g12\r", ["g", "1", "2", "enter"]),
        ("\x7f\x1a", ["backspace", "suspend"]),
        ("\x1b", ["\x1b"]),
    ],
)
def test_what_terminals_send(typed: str, keys: list[str]) -> None:
    """Terminals send special keys as sequences, in one of several dialects, and several keys at once."""
    assert decode(typed) == keys


# ── the screen ──────────────────────────────────────────────────────────────────────────────────────────────────────


def shown(records: Sequence[MatchRecord], place: Place, rows: int = 60, columns: int = 150) -> list[str]:
    return [line.plain for line in screen(records, place, verify(records[place.match]), (columns, rows))]


def test_the_screen_shows_move_and_keys() -> None:
    """On top is what is played, below it the last move with its time, and the keys."""
    record = played(spec_of())
    lines = shown([record], Place(at=3))
    assert lines[0] == "My Shelfie, edition en-2022, seed 7, time 1s+10s"
    assert lines[1] == "seat 0 ann   seat 1 bob"
    move = f"move 3 of {len(record.moves)} seat 0 ann {record.moves[2].notation} 3.00 ms"
    assert lines[-2].split() == move.split()
    assert "q quit" in lines[-1]
    assert "other match" not in lines[-1]


def test_the_screen_shows_verdicts() -> None:
    """A seat's leaving is a step of its own, with the referee's sentence."""
    lines = shown([played(spec_of("ann", "bob", "cleo"), timed_out(1, 4))], Place(at=5))
    assert lines[-2].startswith("move 4 of ")
    assert "bob   timed out at move 5. The bot did not answer in time: it took 1.2 s." in lines[-2]


def test_the_last_screen_shows_the_result() -> None:
    """At the end are the ranks, and that the record has been proved."""
    record = played(spec_of())
    assert record.outcome is not None
    moves = len(record.moves)
    last = shown([record], Place(at=moves))[-2]
    for rank, score, bot in zip(record.outcome.ranks, record.outcome.scores, ("ann", "bob"), strict=True):
        assert f"{rank}. {bot} {score.total}" in last
    assert f"replayed: {moves} moves, result confirmed" in last
    assert "confirmed" not in "".join(shown([record], Place(at=moves - 1)))


def test_the_screen_says_which_match_it_is() -> None:
    """In a file of several matches the number of this one is shown, and the keys to the others."""
    lines = shown([played(spec_of()), played(spec_of(seed=8))], Place(match=1))
    assert lines[0].startswith("match 2 of 2: My Shelfie")
    assert "[/] other match" in lines[-1]


def test_a_low_screen_keeps_the_keys() -> None:
    """However tall the picture, the move and the keys stay in sight, and the picture can be scrolled to its end."""
    record = played(spec_of())
    picture = ["".join(text for text, _ in line) for line in verify(record)[0].state.picture()]
    low = shown([record], Place(), rows=8)
    assert len(low) <= 8
    assert "q quit" in low[-1]
    assert picture[-1] in shown([record], Place(top=999), rows=8)


def test_a_narrow_screen_breaks_sentences() -> None:
    """What was found on a seat can be read to its end on a narrow screen too."""
    lines = shown([played(spec_of("ann", "bob", "cleo"), timed_out(1, 4))], Place(at=5), columns=40)
    told = " ".join(line.strip() for line in lines[-5:-1])
    assert told.endswith("The bot did not answer in time: it took 1.2 s.")
    assert all(len(line) <= 40 for line in lines[-5:-1])


def test_typing_a_number_is_seen() -> None:
    """While the number of a move is typed it stands in the place of the keys."""
    assert shown([played(spec_of())], Place(typed="12"))[-1] == "go to move: 12_"


class Scripted:
    """A terminal on which these keys are pressed."""

    size = (150, 60)

    def __init__(self, *keys: str) -> None:
        self.keys = keys
        self.screens: list[list[str]] = []

    def show(self, lines: Sequence[Text]) -> None:
        self.screens.append([line.plain for line in lines])

    def pressed(self) -> Iterator[str]:
        return iter(self.keys)


def test_viewing() -> None:
    """Each key is answered with a screen, in whichever match one has come to."""
    records = [played(spec_of()), played(spec_of("ann", "bob", "cleo"))]
    window = Scripted("right", "]", "end", "q", "right")
    assert view(window, records).match == 1
    assert len(window.screens) == 4
    assert [screen[0].partition(":")[0] for screen in window.screens] == ["match 1 of 2"] * 2 + ["match 2 of 2"] * 2
    assert "result confirmed" in window.screens[-1][-2]
