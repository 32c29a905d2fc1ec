"""What a bot sees when it is asked."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from arena_rules import NotationError, View
from arena_rules.shelfie import SHELFIE
from arena_sdk import Bot, GameStarted, Table, TimeControl, Turn
from arena_sdk.codec.shelfie import ShelfieCodec
from arena_sdk.testing import play
from tests.unit.sdk.authors import AskedBot, FirstBot


def turn_with(time_left_ms: int = 0) -> Turn:
    start = GameStarted(SHELFIE, SHELFIE.rules(), 2, 0, 99, TimeControl(1_000, 0))
    return Turn(Table(1, start), 0, time_left_ms, SHELFIE.deal(2, 7).view(0))


def look_away(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let reading these parts of a turn fail."""

    def caught(*_: object) -> None:
        raise LookupError("somebody looked")

    for name in names:
        monkeypatch.setattr(ShelfieCodec, name, caught)


def scripted(moves: tuple[str, ...], seat: int) -> Bot:
    """A bot that plays its moves of a game of two from memory and looks at nothing."""
    lines = iter(moves[seat::2])
    return AskedBot(lambda turn: next(lines))


def from_choices(turn: Turn) -> Any:
    line = turn.choices.lines[0]
    return line.moves[turn.choices.columns_for(line.size)[0]][0]


def test_what_is_not_looked_at_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that looks at nothing pays for reading nothing."""
    known = play([FirstBot(), FirstBot()], "shelfie", seed=2)
    look_away(monkeypatch, "read_view", "read_choices")
    assert play([scripted(known.moves, 0), scripted(known.moves, 1)], "shelfie", seed=2) == known
    with pytest.raises(LookupError):
        play([FirstBot(), FirstBot()], "shelfie", seed=2)


def test_choices_are_read_without_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that only looks at its choices does not pay for the view."""
    look_away(monkeypatch, "read_view")
    assert play([AskedBot(from_choices)] * 2, "shelfie", seed=2).outcome.ranks


def test_a_view_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking at the view again costs nothing, and shows the same object."""
    views: list[View[Any]] = []
    reading = ShelfieCodec.read_view

    def read(*arguments: Any) -> Any:
        views.append(reading(*arguments))
        return views[-1]

    monkeypatch.setattr(ShelfieCodec, "read_view", read)
    turns = 0

    def look(turn: Turn) -> Any:
        nonlocal turns
        turns += 1
        assert turn.view is turn.view is views[-1]
        assert turn.legal is turn.legal
        return turn.legal[0]

    play([AskedBot(look)] * 2, "shelfie", seed=2)
    assert len(views) == turns > 0


@pytest.mark.parametrize("edition", SHELFIE.editions)
@pytest.mark.parametrize("players", SHELFIE.players)
def test_choices_and_legal_moves_agree_with_the_rules(players: int, edition: str) -> None:
    """What a turn offers is what the rules allow in the state behind it, in every game and edition."""
    rng = Random(players)

    def compare(turn: Turn) -> Any:
        # The choices first, while nothing else has been read.
        offered = turn.choices.moves(turn.view.board)
        behind = turn.view.sample(rng)
        assert turn.legal == offered == behind.legal_moves()
        assert [turn.choices.columns_for(size) for size in (1, 2, 3)] == [
            [column for column in range(5) if turn.view.shelf(turn.view.seat)[column::5].count(0) >= size]
            for size in (1, 2, 3)
        ]
        assert (turn.view.turn, turn.view.seat, turn.view.to_move) == (turn.number, turn.table.seat, turn.table.seat)
        return turn.rng.choice(turn.legal)

    assert play([AskedBot(compare)] * players, "shelfie", seed=players, edition=edition).moves


def test_choices_are_the_same_after_looking_at_the_view() -> None:
    """In which order a bot looks at things makes no difference."""

    def look(turn: Turn) -> Any:
        before = (turn.choices.ends, turn.choices.free)
        assert turn.view.seat == turn.table.seat
        assert (turn.choices.ends, turn.choices.free) == before
        return turn.legal[0]

    play([AskedBot(look)] * 2, "shelfie", seed=2)


@pytest.mark.parametrize(("ms", "seconds"), [(0, math.inf), (1, 0.001), (11_000, 11.0)])
def test_time_left(ms: int, seconds: float) -> None:
    """Time is told in seconds, and is infinite where there is no limit."""
    assert turn_with(ms).time_left == seconds


def test_time_is_limited_by_default() -> None:
    """A time control without any time is no limit; any time at all is one."""
    assert TimeControl().unlimited
    assert not TimeControl(move_ms=1).unlimited
    assert not TimeControl(bank_ms=1).unlimited


def test_a_turn_in_this_process_has_all_of_it() -> None:
    """A bot that is called directly finds the same things as one behind a stream."""
    turn = turn_with(500)
    assert turn.legal == SHELFIE.deal(2, 7).legal_moves() == turn.choices.moves(turn.view.board)
    assert turn.rng is turn.table.rng
    assert turn.rng.random() == Random(99).random()


def test_a_damaged_view_is_refused() -> None:
    """A view that is not complete is an error in a sentence, not a strange game."""
    from arena_sdk.v1 import referee_pb2 as pb

    with pytest.raises(NotationError, match="not complete"):
        ShelfieCodec().read_view(pb.TurnRequested(turn=1), SHELFIE, SHELFIE.rules())
