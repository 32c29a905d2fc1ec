"""Codex Naturalis as messages: what was written is what is read, and what makes no sense is refused."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_rules import NotationError
from arena_rules.codex import CODEX, Move
from arena_rules.testing import Playthrough, random_game, tables
from arena_sdk.codec import codec_of, read_move, write_move, write_turn
from arena_sdk.events import TurnRequested
from arena_sdk.v1 import codex_pb2
from arena_sdk.v1 import referee_pb2 as pb

CODEC = codec_of("codex")
TABLES = list(tables(CODEX))


@st.composite
def plays(draw: st.DrawFn) -> Playthrough[Move]:
    """Random games of two to four, with every option."""
    table = draw(st.sampled_from(TABLES))
    return random_game(CODEX, table.players, draw(st.integers(0, 2**64 - 1)), table.options, rules=table.rules)


@given(plays(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_turns_are_read_as_they_were_written(play: Playthrough[Move], rng: Random) -> None:
    """A view arrives as it was sent, with the same legal moves, and so do the choices alone."""
    for turn, state, _ in play.some_turns(rng):
        sent = pb.TurnRequested()
        write_turn(TurnRequested(turn, state.view(state.to_move), 5), CODEC, sent)
        heard = pb.TurnRequested.FromString(sent.SerializeToString())
        view = CODEC.read_view(heard, CODEX, play.table.options)
        assert view == state.view(state.to_move)
        assert view.legal_moves() == state.legal_moves()
        assert CODEC.read_choices(heard).moves() == state.legal_moves()


@given(plays())
@settings(max_examples=20, deadline=None)
def test_moves_are_read_as_they_were_written(play: Playthrough[Move]) -> None:
    """Every move arrives as it was made, and what others are told of it as it was told."""
    for state, move in zip(play.states, play.moves, strict=False):
        chosen = pb.MoveChosen()
        write_move(move, CODEC, chosen)
        assert read_move(chosen, CODEX) == move
        for seat in range(state.players):
            if (told := state.told(move, seat)) is not None:
                applied = pb.MoveApplied()
                write_move(told, CODEC, applied)
                assert read_move(applied, CODEX) == told


@given(st.integers(0, 2**32 - 1), st.integers(0, 9), *[st.integers(-(2**31), 2**31 - 1)] * 2, st.integers(0, 99))
def test_any_placement_is_a_move_or_refused(card: int, side: int, x: int, y: int, source: int) -> None:
    """Numbers that mean nothing are refused as unreadable; all others are moves that can be written down."""
    chosen = pb.MoveChosen()
    chosen.codex.placement.card = card
    chosen.codex.placement.side = codex_pb2.CodexSide.ValueType(side)
    chosen.codex.placement.x = x
    chosen.codex.placement.y = y
    chosen.codex.placement.source = codex_pb2.CodexSource.ValueType(source)
    try:
        move = read_move(chosen, CODEX)
    except NotationError:
        return
    assert CODEX.read_move(str(move)) == move


@pytest.mark.parametrize(
    "message",
    [
        codex_pb2.CodexMove(),
        codex_pb2.CodexMove(objective=3),
        codex_pb2.CodexMove(starter=codex_pb2.CODEX_SIDE_UNSPECIFIED),
    ],
    ids=["nothing", "a third objective", "no side"],
)
def test_decisions_that_there_are_not(message: codex_pb2.CodexMove) -> None:
    """A decision that nobody can make is refused as unreadable."""
    with pytest.raises(NotationError, match="a CodexMove is"):
        read_move(pb.MoveChosen(codex=message), CODEX)
