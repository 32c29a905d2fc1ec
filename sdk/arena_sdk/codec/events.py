"""Events as messages, for any game."""

from __future__ import annotations

from functools import cache
from typing import Any

from arena_rules import Game, NotationError, game
from arena_sdk.codec.game import GameCodec, MoveMessage, NotationCodec
from arena_sdk.codec.outcome import read_outcome, write_outcome
from arena_sdk.events import Event, GameEnded, GameStarted, MoveApplied, SeatLeft, TimeControl, TurnRequested
from arena_sdk.v1 import referee_pb2 as pb


@cache
def codec_of(name: str) -> GameCodec:
    """The codec of the game with that name. Games come in when they are played: a bot pays for no other."""
    if name == "shelfie":
        from arena_sdk.codec.shelfie import ShelfieCodec

        return ShelfieCodec()
    if name == "codex":
        from arena_sdk.codec.codex import CodexCodec

        return CodexCodec()
    return NotationCodec()


def write_event(event: Event, codec: GameCodec, into: pb.RefereeEvent) -> None:
    """Fill in an event of a game; the caller has set its number."""
    if isinstance(event, TurnRequested):
        write_turn(event, codec, into.turn_requested)
    elif isinstance(event, MoveApplied):
        applied = into.move_applied
        applied.turn = event.turn
        applied.seat = event.seat
        if event.move is not None:
            codec.write_move(event.move, applied)
    elif isinstance(event, SeatLeft):
        into.seat_left.turn = event.turn
        into.seat_left.seat = event.seat
    elif isinstance(event, GameStarted):
        _write_start(event, into.game_started)
    else:
        into.game_ended.verdict = event.verdict
        if event.outcome is not None:
            write_outcome(event.outcome, into.game_ended.outcome)


def write_turn(event: TurnRequested, codec: GameCodec, into: pb.TurnRequested) -> None:
    into.turn = event.turn
    into.time_left_ms = event.time_left_ms
    codec.write_view(event.view, into)


def read_event(message: pb.RefereeEvent, started: GameStarted | None) -> Event:
    """The event in a message. What opened the game it is about must be given, unless it is just that.

    Raises NotationError for an event that this version does not know.
    """
    kind = message.WhichOneof("event")
    if kind == "game_started":
        return _read_start(message.game_started)
    if started is None:
        raise NotationError(f"the referee speaks of game {message.game}, which has not started")
    if kind == "turn_requested":
        turn = message.turn_requested
        view = codec_of(started.game.name).read_view(turn, started.game, started.options)
        return TurnRequested(turn.turn, view, turn.time_left_ms)
    if kind == "move_applied":
        applied = message.move_applied
        hidden = applied.WhichOneof("move") is None
        return MoveApplied(applied.turn, applied.seat, None if hidden else read_move(applied, started.game))
    if kind == "seat_left":
        return SeatLeft(message.seat_left.turn, message.seat_left.seat)
    if kind == "game_ended":
        ended = message.game_ended
        outcome = read_outcome(ended.outcome) if ended.HasField("outcome") else None
        return GameEnded(outcome, ended.verdict)
    raise NotationError("the referee sent an event that this version of the SDK does not know")


def write_move(move: object, codec: GameCodec, into: MoveMessage) -> None:
    """Fill in a move, given as the game's own value or in its text notation."""
    if isinstance(move, str):
        into.notation = move
    else:
        codec.write_move(move, into)


def read_move(message: MoveMessage, played: Game[Any]) -> Any:
    """Raises NotationError when it cannot be read as a move of the game."""
    return codec_of(played.name).read_move(message, played)


def _write_start(event: GameStarted, into: pb.GameStarted) -> None:
    into.game = event.game.name
    into.rules_version = event.game.rules_version
    into.options.update(event.options)
    into.players = event.players
    into.seat = event.seat
    into.seed = event.seed
    into.time.move_ms = event.time.move_ms
    into.time.bank_ms = event.time.bank_ms


def _read_start(message: pb.GameStarted) -> GameStarted:
    return GameStarted(
        game=game(message.game),
        options=dict(message.options),
        players=message.players,
        seat=message.seat,
        seed=message.seed,
        time=TimeControl(message.time.move_ms, message.time.bank_ms),
    )
