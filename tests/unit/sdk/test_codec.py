"""Events and moves as messages: what was written is what is read, and what makes no sense is refused."""

from __future__ import annotations

from random import Random

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from arena_rules import IllegalMove, NotationError, Outcome, Score, Termination
from arena_rules.shelfie import SHELFIE, Move
from arena_rules.shelfie.moves import LINES
from arena_rules.testing import Playthrough, random_game, tables
from arena_sdk import GameEnded, GameStarted, MoveApplied, SeatLeft, TimeControl
from arena_sdk.codec import codec_of, read_event, read_move, write_event, write_move
from arena_sdk.events import Event, TurnRequested
from arena_sdk.v1 import game_pb2
from arena_sdk.v1 import referee_pb2 as pb
from arena_sdk.v1.shelfie_pb2 import ShelfieMove

UNLIMITED = TimeControl()
UINT32 = st.integers(0, 2**32 - 1)
UINT64 = st.integers(0, 2**64 - 1)
TIMES = st.builds(TimeControl, UINT32, UINT32)
SENTENCES = st.text(max_size=80)
TABLES = list(tables(SHELFIE))
MOVES = [move for line in LINES.values() for orders in line.moves for move in orders]


@st.composite
def games(draw: st.DrawFn) -> Playthrough[Move]:
    """Random games of two to four in every edition, and with every option."""
    table = draw(st.sampled_from(TABLES))
    return random_game(SHELFIE, table.players, draw(UINT64), table.options, rules=table.rules)


def sent(event: Event, started: GameStarted | None) -> Event:
    """The event as it comes out at the other end of a stream."""
    message = pb.RefereeEvent(game=3)
    write_event(event, codec_of("shelfie"), message)
    return read_event(pb.RefereeEvent.FromString(message.SerializeToString()), started)


def started(play: Playthrough[Move], seat: int, time: TimeControl = UNLIMITED) -> GameStarted:
    return GameStarted(SHELFIE, play.table.options, play.table.players, seat, play.seed, time)


@given(games(), TIMES, st.data())
@settings(max_examples=40, deadline=None)
def test_a_start_is_read_as_it_was_written(play: Playthrough[Move], time: TimeControl, data: st.DataObject) -> None:
    """The start of a game arrives with all its rule options, seeds and times."""
    start = started(play, data.draw(st.integers(0, play.table.players - 1)), time)
    assert sent(start, None) == start


@given(games(), UINT32, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_turns_are_read_as_they_were_written(play: Playthrough[Move], time_left: int, rng: Random) -> None:
    """A view arrives as it was sent, with the same legal moves, in games of any size and also after a seat has left."""
    for turn, state, _ in play.some_turns(rng):
        leaver = rng.randrange(state.players)
        for seen in (state, state.retire(leaver)):
            if (seat := seen.to_move) >= 0:
                asked = TurnRequested(turn, seen.view(seat), time_left)
                heard = sent(asked, started(play, seat))
                assert isinstance(heard, TurnRequested)
                assert heard == asked
                assert heard.view.legal_moves() == seen.legal_moves()


@given(games(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_news_is_read_as_it_was_written(play: Playthrough[Move], rng: Random) -> None:
    """Moves of others, known or hidden, and their leaving arrive as they were sent."""
    for turn, state, move in play.some_turns(rng):
        for event in (
            MoveApplied(turn, state.to_move, move),
            MoveApplied(turn, 0, None),
            SeatLeft(turn, state.to_move),
        ):
            assert sent(event, started(play, 0)) == event


@given(games(), SENTENCES, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_ends_are_read_as_they_were_written(play: Playthrough[Move], sentence: str, rng: Random) -> None:
    """Results arrive with ranks, every line of the score sheets and the way the game ended; so do verdicts."""
    state = rng.choice(play.states)
    abandoned = state
    for seat in range(state.players - 1):
        abandoned = abandoned.retire(seat)
    for outcome in (play.last.outcome(), abandoned.outcome(), None):
        end = GameEnded(outcome, sentence)
        assert sent(end, started(play, 0)) == end


def test_an_outcome_may_hold_anything() -> None:
    """Ties, negative points and an empty score sheet are results as well."""
    outcome = Outcome(
        (1, 1, 3), (Score((("luck", -5), ("skill", 8))), Score((("luck", 3),)), Score(())), Termination.COMPLETED
    )
    start = GameStarted(SHELFIE, SHELFIE.rules(), 3, 0, 0, TimeControl())
    assert sent(GameEnded(outcome), start) == GameEnded(outcome)


def test_every_move_is_read_as_it_was_written() -> None:
    """All moves that there are go over the wire, in the message of the game and as text."""
    for move in MOVES:
        for form in (move, str(move)):
            chosen = pb.MoveChosen()
            write_move(form, codec_of("shelfie"), chosen)
            assert read_move(pb.MoveChosen.FromString(chosen.SerializeToString()), SHELFIE) is move


# ── what makes no sense ─────────────────────────────────────────────────────────────────────────────────────────────

STATE = SHELFIE.deal(4, 7)

chosen_moves = st.one_of(
    st.builds(pb.MoveChosen, turn=UINT32),
    st.builds(pb.MoveChosen, turn=UINT32, notation=st.text()),
    st.builds(pb.MoveChosen, notation=st.from_regex(r"([a-j][0-9]){0,4}>[0-9]", fullmatch=True)),
    st.builds(pb.MoveChosen, shelfie=st.builds(ShelfieMove, cells=st.binary(max_size=4), column=UINT32)),
    st.builds(
        pb.MoveChosen,
        shelfie=st.builds(
            ShelfieMove, cells=st.lists(st.integers(0, 90), max_size=4).map(bytes), column=st.integers(0, 6)
        ),
    ),
    st.builds(pb.MoveChosen, other=st.builds(AnyMessage, type_url=st.text(), value=st.binary())),
)


def judged(chosen: pb.MoveChosen) -> str:
    """What becomes of an answer: every way but these three is a fault of ours."""
    try:
        STATE.check(read_move(chosen, SHELFIE))
    except NotationError as error:
        return f"unreadable: {error}"
    except IllegalMove as error:
        return f"illegal: {error}"
    return "legal"


@given(chosen_moves)
@settings(max_examples=300, deadline=None)
def test_no_answer_gets_through(chosen: pb.MoveChosen) -> None:
    """Whatever a bot fills in is a legal move, or is refused in one sentence that can be shown to people."""
    verdict = judged(chosen)
    assert "\n" not in verdict.replace(chosen.notation, "")
    assert len(verdict) < 300


@given(st.binary(max_size=60))
@settings(max_examples=300, deadline=None)
def test_no_bytes_get_through(data: bytes) -> None:
    """Bytes that happen to be a message are judged like any other answer."""
    try:
        chosen = pb.MoveChosen.FromString(data)
    except DecodeError:
        return
    assert judged(chosen).startswith(("unreadable", "illegal", "legal"))


@pytest.mark.parametrize(
    ("chosen", "verdict"),
    [
        (pb.MoveChosen(shelfie=ShelfieMove(cells=bytes([40]), column=5)), "unreadable: there is no column 6"),
        (pb.MoveChosen(shelfie=ShelfieMove(cells=bytes([81]), column=0)), "unreadable: board cells are numbered"),
        (pb.MoveChosen(shelfie=ShelfieMove(column=0)), "unreadable: nothing: not one to 3 spaces"),
        (pb.MoveChosen(shelfie=ShelfieMove(cells=bytes([40, 42]), column=0)), "unreadable: e5, g5: not one to 3"),
        (pb.MoveChosen(shelfie=ShelfieMove(cells=bytes([40]), column=0)), "illegal: e5>1: the tile on e5 has no"),
        (pb.MoveChosen(notation="e5"), "unreadable: 'e5' is not a move"),
        (pb.MoveChosen(notation="e5>1"), "illegal: e5>1: the tile on e5 has no free side"),
        (pb.MoveChosen(), "unreadable: a move of My Shelfie is sent as ShelfieMove or in text notation"),
        (pb.MoveChosen(other=AnyMessage()), "unreadable: a move of My Shelfie is sent as"),
    ],
)
def test_the_sentence_says_what_is_wrong(chosen: pb.MoveChosen, verdict: str) -> None:
    """Unreadable and illegal are told apart, and the author learns which part was wrong."""
    assert judged(chosen).startswith(verdict)


OTHER_KINDS = [
    field.name for field in pb.MoveChosen.DESCRIPTOR.oneofs_by_name["move"].fields if field.message_type is not None
]


@pytest.mark.parametrize("kind", [kind for kind in OTHER_KINDS if kind != "shelfie"])
def test_a_move_of_another_game_is_refused(kind: str) -> None:
    """A bot that answers in the message of another game has not made a move."""
    chosen = pb.MoveChosen()
    getattr(chosen, kind).SetInParent()
    assert judged(chosen).startswith("unreadable: a move of My Shelfie is sent as ShelfieMove or in text notation")


def test_an_event_from_the_future_is_refused() -> None:
    """An event that this version does not know, or of a game that never began, is an error in a sentence."""
    start = GameStarted(SHELFIE, SHELFIE.rules(), 2, 0, 0, TimeControl())
    with pytest.raises(NotationError, match="does not know"):
        read_event(pb.RefereeEvent(game=1), start)
    with pytest.raises(NotationError, match="game 5, which has not started"):
        read_event(pb.RefereeEvent(game=5, seat_left=pb.SeatLeft(seat=1)), None)
    with pytest.raises(NotationError, match="is not a way for a game to end"):
        read_event(pb.RefereeEvent(game=1, game_ended=pb.GameEnded(outcome=game_pb2.Outcome())), start)
