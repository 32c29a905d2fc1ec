"""A game that somebody else has registered, without messages of its own: it travels in its text notation."""

from __future__ import annotations

from typing import Any

import pytest

from arena.record import MatchSpec
from arena.referee.match import play_match
from arena.referee.seat import LocalSeat
from arena.replay import verify
from arena_rules import NotationError, games
from arena_sdk import GameStarted, MoveApplied, TimeControl, Turn
from arena_sdk.codec import codec_of, read_event, read_move, write_event
from arena_sdk.events import TurnRequested
from arena_sdk.testing import BadMove, play
from arena_sdk.v1 import referee_pb2 as pb
from arena_sdk.v1.shelfie_pb2 import ShelfieMove
from tests.unit.rules.coins import Coins, Take
from tests.unit.sdk.authors import AskedBot, DiaryBot, FirstBot, RandomBot

COINS = Coins()


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coins is installed beside the games of the arena."""
    everything = {**games(), COINS.name: COINS}
    monkeypatch.setattr("arena_rules.registry.games", lambda: everything)


@pytest.mark.parametrize("edition", COINS.editions)
@pytest.mark.parametrize("players", COINS.players)
def test_a_whole_game(players: int, edition: str) -> None:
    """Bots play a game that the wire contract has never heard of, and hear of each other's moves."""
    diary = DiaryBot()
    played = play([diary, *[RandomBot() for _ in range(players - 1)]], "coins", seed=3, edition=edition)
    heap = int(COINS.rules(edition)["heap"])
    assert sum(int(move.removeprefix("take-")) for move in played.moves) == heap
    assert all(isinstance(news.move, Take) for news in diary.told("heard"))
    assert diary.told("heard") != []


def test_turns_and_moves_are_read_as_they_were_written() -> None:
    """Views and moves of such a game arrive as they were sent."""
    state = COINS.deal(2, 5)
    start = GameStarted(COINS, COINS.rules(), 2, 0, 1, TimeControl())
    for event in (start, TurnRequested(0, state.view(0), 70), MoveApplied(0, 0, Take(2)), MoveApplied(0, 1, None)):
        message = pb.RefereeEvent(game=1)
        write_event(event, codec_of("coins"), message)
        assert read_event(pb.RefereeEvent.FromString(message.SerializeToString()), start) == event


def test_legal_moves_are_listed_for_bots_without_the_rules() -> None:
    """A bot in any language can move in such a game by picking from a list of texts."""
    message = pb.RefereeEvent()
    write_event(TurnRequested(0, COINS.deal(2, 5).view(0), 0), codec_of("coins"), message)
    assert list(message.turn_requested.moves.moves) == ["take-1", "take-2", "take-3"]


@pytest.mark.parametrize(
    "chosen",
    [pb.MoveChosen(), pb.MoveChosen(notation="take-9"), pb.MoveChosen(shelfie=ShelfieMove(cells=bytes([3])))],
)
def test_what_makes_no_sense_is_refused(chosen: pb.MoveChosen) -> None:
    """An answer that is not the notation of a move is unreadable, also when it is a move of another game."""
    with pytest.raises(NotationError):
        read_move(chosen, COINS)


def test_an_illegal_move() -> None:
    """The rules of such a game are kept too."""
    with pytest.raises(BadMove, match="take-3: 2 coins are on the table"):
        play([AskedBot(lambda turn: "take-3"), AskedBot(lambda turn: "take-2")], "coins")


def texts(moves: Any) -> list[str]:
    return [str(move) for move in moves]


def compared(turn: Turn) -> Any:
    """Looks at the choices before and after the view."""
    before = texts(turn.choices)
    assert before == texts(turn.view.legal_moves()) == texts(turn.choices) == texts(turn.legal)
    return turn.choices[0]


def test_choices_behind_a_stream() -> None:
    """The choices of such a game are its legal moves, whether or not the view has been looked at."""
    assert play([AskedBot(compared)] * 2, "coins").moves == play([FirstBot()] * 2, "coins").moves


async def test_choices_in_this_process() -> None:
    """A bot that is called directly finds the same choices as one behind a stream."""
    spec = MatchSpec(0, "coins", "first", ("ann", "bob"), 0)
    record = await play_match(spec, [LocalSeat(AskedBot(compared)), LocalSeat(FirstBot())])
    assert texts(move.notation for move in record.moves) == list(play([FirstBot()] * 2, "coins").moves)


async def test_a_match() -> None:
    """The referee plays such a game as it plays ours, and its record can be replayed."""
    spec = MatchSpec(0, "coins", "second", ("ann", "bob", "cleo"), 8)
    record = await play_match(spec, [LocalSeat(RandomBot()) for _ in spec.lineup])
    assert record.outcome is not None
    assert len(verify(record)) == len(record.moves) + 1
