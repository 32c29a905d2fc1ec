"""No seat learns what it may not know: states that look the same to it lead to the same bytes on its stream."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from itertools import repeat
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.record import MatchSpec
from arena.referee.match import play_match
from arena.referee.seat import ScriptedSeat
from arena_rules import Game, Options, State, games
from arena_rules.shelfie import SHELFIE, Move, Shelfie, ShelfieView
from arena_rules.shelfie.facts import PERSONAL_GOALS
from arena_rules.testing import random_game, tables
from arena_sdk import GameEnded, MoveApplied
from arena_sdk.codec import codec_of, write_event, write_turn
from arena_sdk.events import Event, TurnRequested
from arena_sdk.v1 import referee_pb2 as pb

TABLES = list(tables(SHELFIE))
SEEDS = st.integers(0, 2**64 - 1)
LUCK = st.randoms(use_true_random=False)


def serialised(event: Event) -> bytes:
    message = pb.RefereeEvent(game=1)
    write_event(event, codec_of("shelfie"), message)
    return message.SerializeToString(deterministic=True)


def about(state: State[Move], seat: int, move: Move) -> Iterator[Event]:
    """All that can be said to a seat about a state and the move that is made from it."""
    yield TurnRequested(state.turn, state.view(seat), 0)
    yield MoveApplied(state.turn, state.to_move, state.told(move, seat))
    for leaver in range(state.players):
        if leaver != seat and (after := state.retire(leaver)).to_move >= 0:
            yield TurnRequested(after.turn, after.view(seat), 0)


def messages(state: State[Move], seat: int, move: Move) -> list[bytes]:
    return [serialised(event) for event in about(state, seat, move)]


@st.composite
def positions(draw: st.DrawFn) -> tuple[State[Move], Move]:
    """A state from some random game at some table, and the move that was made from it."""
    table = draw(st.sampled_from(TABLES))
    play = random_game(SHELFIE, table.players, draw(SEEDS), table.options, rules=table.rules)
    turn = draw(st.integers(0, len(play.moves) - 1))
    return play.states[turn], play.moves[turn]


@given(positions(), LUCK)
@settings(max_examples=120, deadline=None)
def test_states_that_look_the_same_are_told_the_same(position: tuple[State[Move], Move], rng: Random) -> None:
    """Whatever a seat cannot see makes no difference, not in one byte, to what is sent to it."""
    state, move = position
    for seat in range(state.players):
        twin = state.view(seat).sample(rng)
        assert messages(twin, seat, move) == messages(state, seat, move)


@pytest.mark.parametrize("game", games().values(), ids=games())
@given(data=st.data(), rng=LUCK)
@settings(max_examples=60, deadline=None)
def test_views_of_every_game_are_told_the_same(game: Game[Any], data: st.DataObject, rng: Random) -> None:
    """In every registered game a seat is sent the same turn, to the byte, from any state that looks the same to it."""
    table = data.draw(st.sampled_from(list(tables(game))))
    play = random_game(game, table.players, data.draw(SEEDS), table.options, rules=table.rules)
    state = play.states[data.draw(st.integers(0, len(play.moves) - 1))]
    for seat in range(state.players):
        twin = state.view(seat).sample(rng)
        sent = [turn_bytes(game, other, seat) for other in (state, twin)]
        assert sent[0] == sent[1]


def turn_bytes(game: Game[Any], state: State[Any], seat: int) -> bytes:
    message = pb.TurnRequested()
    write_turn(TurnRequested(state.turn, state.view(seat), 0), codec_of(game.name), message)
    return message.SerializeToString(deterministic=True)


# ── the check itself is checked ─────────────────────────────────────────────────────────────────────────────────────


class Leaky:
    """Answers as the state inside it does, but for what a kind of it says otherwise, and so do the states after it."""

    def __init__(self, state: State[Move]) -> None:
        self.state: Any = state

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def copy(self) -> Any:
        return type(self)(self.state.copy())

    def apply(self, move: Move) -> Any:
        return type(self)(self.state.apply(move))

    def retire(self, seat: int) -> Any:
        return type(self)(self.state.retire(seat))


class ShowsTheNextTile(Leaky):
    def view(self, seat: int) -> ShelfieView:
        view: ShelfieView = self.state.view(seat)
        view.first_full = self.bag[-1] if self.bag else 0
        return view


class ShowsTheGoalOfAnother(Leaky):
    def view(self, seat: int) -> ShelfieView:
        view: ShelfieView = self.state.view(seat)
        view.tokens += bytes([self.deal.personal_goals[seat - 1] or 0])
        return view


class HidesMovesByTheSeed(Leaky):
    def told(self, move: Move, seat: int) -> Move | None:
        return move if self.deal.seed % 2 else None


@pytest.mark.parametrize("kind", [ShowsTheNextTile, ShowsTheGoalOfAnother, HidesMovesByTheSeed])
def test_a_leak_is_found(kind: Callable[[State[Move]], Any]) -> None:
    """Rules that let a view or a message depend on something hidden do not pass the comparison."""
    rng = Random(1)
    state = SHELFIE.deal(3, 7)
    move = state.random_move(rng)
    true = messages(kind(state), 0, move)
    others = [messages(kind(state.view(0).sample(rng)), 0, move) for _ in range(20)]
    assert any(other != true for other in others)


# ── whole matches ───────────────────────────────────────────────────────────────────────────────────────────────────


class Arranged(Shelfie):
    """My Shelfie in which every deal is the given one."""

    def __init__(self, state: State[Move]) -> None:
        self.state = state

    def deal(self, players: int, seed: int, options: Options | None = None) -> Any:
        return self.state.copy()


def other_goals(state: State[Move], seat: int, rng: Random) -> State[Move]:
    """The same state, bag included, but with other cards in the hands of all but one seat."""
    text = str(state)
    own = re.search(r"personals=([\d,]+)", text)
    assert own is not None
    cards = own[1].split(",")
    free = [str(card) for card in PERSONAL_GOALS if str(card) not in cards]
    others = rng.sample(free, len(cards) - 1)
    others.insert(seat, cards[seat])
    return SHELFIE.read_state(text.replace(own[0], f"personals={','.join(others)}"))


def transcript(deal: State[Move], seat: int, spec: MatchSpec) -> list[bytes]:
    """What is sent to the seat, up to the result, in a match from this deal. Everybody takes the first legal move."""
    seats = [ScriptedSeat(repeat(lambda turn: turn.view.legal_moves()[0])) for _ in spec.lineup]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena_rules.registry.games", lambda: {"shelfie": Arranged(deal)})
        asyncio.run(play_match(spec, seats))
    *heard, end = seats[seat].heard
    assert isinstance(end, GameEnded)
    return [serialised(event) for event in heard]


@given(st.sampled_from([2, 3, 4]), st.sampled_from(list(SHELFIE.editions)), st.integers(0, 2**32), LUCK)
@settings(max_examples=12, deadline=None)
def test_a_whole_match_gives_nothing_away(players: int, edition: str, seed: int, rng: Random) -> None:
    """Until the result is read out, no message of a match depends on the personal goals of others."""
    spec = MatchSpec(0, "shelfie", edition, ("a", "b", "c", "d")[:players], seed)
    deal = SHELFIE.deal(players, seed, SHELFIE.rules(edition))
    seat = rng.randrange(players)
    twin = other_goals(deal, seat, rng)
    assert twin != deal
    assert transcript(deal, seat, spec) == transcript(twin, seat, spec)


def test_a_leak_in_a_match_is_found() -> None:
    """Matches whose messages do depend on the goals of others do not pass the comparison."""
    spec = MatchSpec(0, "shelfie", "it", ("a", "b"), 7)
    deal = SHELFIE.deal(2, 7, SHELFIE.rules("it"))
    both: list[Any] = [ShowsTheGoalOfAnother(state) for state in (deal, other_goals(deal, 0, Random(1)))]
    first, second = (transcript(state, 0, spec) for state in both)
    assert len(first) == len(second) > 20
    assert first != second
