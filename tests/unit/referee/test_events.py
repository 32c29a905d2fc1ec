"""What the players of a match hear, and when."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

import pytest

from arena.referee.match import play_match
from arena.referee.seat import Reply, ScriptedSeat
from arena_rules import game
from arena_rules.chance import derive
from arena_sdk import GameEnded, GameStarted, MoveApplied, SeatLeft, TimeControl
from arena_sdk.events import Event, NewsWanted, TurnRequested
from tests.unit.referee.table import first, out, played, spec_of, steady, told, until


class Batches(ScriptedSeat):
    """A player who also remembers which events came together."""

    def __init__(self, news: NewsWanted, journal: list[str] | None = None, name: str = "") -> None:
        super().__init__(repeat(first), news=news)
        self.batches: list[list[Event]] = []
        self.journal = journal if journal is not None else []
        self.name = name

    def hear(self, events: Sequence[Event], limit_ns: int, reply: Reply) -> None:
        self.batches.append(list(events))
        self.journal.extend(f"{self.name} {type(event).__name__}" for event in events)
        super().hear(events, limit_ns, reply)


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_the_order_of_events(players: int) -> None:
    """Everybody hears of the start first, of every turn in order, of each own turn once, and of the end last."""
    seats = [steady() for _ in range(players)]
    record = await played(seats)
    for seat, player in enumerate(seats):
        kinds = [type(event) for event in player.heard]
        assert (kinds[0], kinds[-1]) == (GameStarted, GameEnded)
        assert (kinds.count(GameStarted), kinds.count(GameEnded)) == (1, 1)
        turns = [(event.turn, type(event)) for event in told(player, TurnRequested, MoveApplied)]
        assert turns == [
            (turn, TurnRequested if move.seat == seat else MoveApplied) for turn, move in enumerate(record.moves)
        ]
        assert [str(event.move) for event in told(player, MoveApplied)] == [
            move.notation for move in record.moves if move.seat != seat
        ]


async def test_what_a_start_says() -> None:
    """Each seat learns the game, the rules in force, where it sits, its time, and a seed that is its own."""
    time = TimeControl(1_500, 20_000)
    seats = [steady() for _ in range(3)]
    spec = spec_of(3, seed=41, edition="de", time=time)
    await play_match(spec, seats)
    shelfie = game("shelfie")
    for seat, player in enumerate(seats):
        start = player.heard[0]
        assert start == GameStarted(shelfie, shelfie.rules("de"), 3, seat, derive(41, f"seat {seat}"), time)


async def test_what_a_turn_says() -> None:
    """A turn shows the seat's view of the state that the moves so far have led to."""
    seats = [steady(), steady()]
    record = await played(seats)
    shelfie = game("shelfie")
    state = shelfie.deal(2, 7, shelfie.rules("en-2022"))
    for move in record.moves:
        asked = told(seats[move.seat], TurnRequested)[state.turn // 2]
        assert asked == TurnRequested(state.turn, state.view(move.seat), 0)
        state = state.apply(shelfie.read_move(move.notation))
    assert told(seats[0], GameEnded) == told(seats[1], GameEnded) == [GameEnded(state.outcome())]


async def test_news_rides_along_with_the_next_turn() -> None:
    """By default a player is not disturbed between its turns: each message but the last asks it for a move."""
    patient = Batches(NewsWanted.WITH_TURN)
    await played([steady(), patient, steady()])
    *turns, end = patient.batches
    assert all(isinstance(batch[-1], TurnRequested) for batch in turns)
    assert [type(event) for event in turns[1]] == [MoveApplied, MoveApplied, TurnRequested]
    assert isinstance(end[-1], GameEnded)
    assert len(told(patient, MoveApplied)) > 2 * len(turns) - 2


async def test_news_at_once() -> None:
    """A player who asked for it hears of a move before the next player is asked."""
    journal: list[str] = []
    seats = [
        Batches(NewsWanted.WITH_TURN, journal, "ann"),
        Batches(NewsWanted.WITH_TURN, journal, "bob"),
        Batches(NewsWanted.AT_ONCE, journal, "cleo"),
    ]
    await played(seats)
    assert journal[:8] == [
        "ann GameStarted",
        "ann TurnRequested",
        "cleo GameStarted",
        "cleo MoveApplied",
        "bob GameStarted",
        "bob MoveApplied",
        "bob TurnRequested",
        "cleo MoveApplied",
    ]
    eager = seats[2]
    assert [len(batch) for batch in eager.batches if not isinstance(batch[0], GameStarted)] == [1] * (
        len(eager.batches) - 1
    )


async def test_news_never() -> None:
    """A player who does not listen hears of its own turns only, and of the end."""
    deaf = steady(NewsWanted.NEVER)
    await played([deaf, steady(), until(3, out())])
    assert told(deaf, MoveApplied, SeatLeft) == []
    assert [type(event) for event in deaf.heard[:2]] == [GameStarted, TurnRequested]
    assert isinstance(deaf.heard[-1], GameEnded)


@pytest.mark.parametrize("news", NewsWanted)
async def test_the_game_is_the_same_for_those_who_listen(news: NewsWanted) -> None:
    """When players hear of things makes no difference to what they see and to how the game goes."""
    record = await played([steady(news), steady(news)])
    plain = await played([steady(), steady()])
    assert [move.notation for move in record.moves] == [move.notation for move in plain.moves]
    assert record.outcome == plain.outcome
