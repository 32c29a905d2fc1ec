"""Play a bot without a server: for an author's own tests.

Every turn goes through the messages of the wire, as in an arena; only clock, connection and process are missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena_rules import Game, IllegalMove, NotationError, Outcome, State, game
from arena_rules.chance import derive
from arena_sdk.bot import Bot
from arena_sdk.codec import codec_of, read_move, write_event
from arena_sdk.events import Event, GameEnded, GameStarted, MoveApplied, NewsWanted, TimeControl, TurnRequested
from arena_sdk.player import Player
from arena_sdk.v1 import referee_pb2 as pb


class BadMove(AssertionError):
    """A bot under test has answered with something that is not a legal move."""


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A game that was played to its end."""

    moves: tuple[str, ...]
    """In text notation."""
    outcome: Outcome


def play(
    bots: Sequence[Bot],
    name: str,
    *,
    seed: int = 0,
    edition: str | None = None,
    options: Mapping[str, str] | None = None,
) -> Playthrough:
    """Play one game between bots in this process, in seat order. Raises BadMove, or whatever a bot raises."""
    played = game(name)
    rules = played.rules(edition, options)
    state = played.deal(len(bots), seed, rules)
    table = _Table(played, bots)
    for seat in range(len(bots)):
        table.tell(seat, GameStarted(played, rules, len(bots), seat, derive(seed, f"seat {seat}"), TimeControl()))
    moves = []
    while state.to_move >= 0:
        move = table.ask(state)
        moves.append(str(move))
        table.spread(state, move)
        state = state.apply(move)
    outcome = state.outcome()
    assert outcome is not None, "the rules end a game with an outcome"
    for seat in range(len(bots)):
        table.tell(seat, GameEnded(outcome))
    return Playthrough(tuple(moves), outcome)


class _Table:
    """The bots around one game, each behind its messages."""

    def __init__(self, played: Game[Any], bots: Sequence[Bot]) -> None:
        self.game = played
        self.players = [Player(bot) for bot in bots]

    def tell(self, seat: int, event: Event) -> pb.PlayRequest:
        """Hand the event over as the wire would: as bytes."""
        response = pb.PlayResponse()
        message = response.events.add(game=1)
        write_event(event, codec_of(self.game.name), message)
        answer = self.players[seat].hear(pb.PlayResponse.FromString(response.SerializeToString()))
        return pb.PlayRequest.FromString(answer.SerializeToString())

    def ask(self, state: State[Any]) -> Any:
        seat = state.to_move
        answer = self.tell(seat, TurnRequested(state.turn, state.view(seat), 0))
        try:
            move = read_move(answer.events[0].move_chosen, self.game)
            state.check(move)
        except (NotationError, IllegalMove) as error:
            raise BadMove(f"turn {state.turn}, seat {seat}: {error}") from None
        return move

    def spread(self, state: State[Any], move: Any) -> None:
        for other, player in enumerate(self.players):
            if other != state.to_move and player.bot.news is not NewsWanted.NEVER:
                self.tell(other, MoveApplied(state.turn, state.to_move, state.told(move, other)))
