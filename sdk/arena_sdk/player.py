"""A bot at the tables of one stream: what it does with what the referee says. Knows messages, but no connection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena_rules import games
from arena_sdk.bot import BatchBot, Bot
from arena_sdk.codec import read_event, write_move
from arena_sdk.events import GameEnded, GameStarted, MoveApplied, NewsWanted, SeatLeft
from arena_sdk.turn import Table, Turn, WireTurn
from arena_sdk.v1 import referee_pb2 as pb

_NEWS = {
    NewsWanted.WITH_TURN: pb.NEWS_WITH_TURN,
    NewsWanted.AT_ONCE: pb.NEWS_AT_ONCE,
    NewsWanted.NEVER: pb.NEWS_NEVER,
}


class Player:
    """Keeps the tables a bot sits at, and turns a batch of the referee's events into a batch of moves."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._for_many = bot if isinstance(bot, BatchBot) else None
        self.tables: dict[int, Table] = {}
        self.dismissed: str | None = None
        """The referee's goodbye, once it has been said."""

    def join(self, token: str, sdk: str) -> pb.PlayRequest:
        """The message that opens a stream."""
        request = pb.PlayRequest()
        join = request.events.add().join
        join.token = token
        join.sdk = sdk
        join.games_at_once = self.bot.games_at_once
        join.news = _NEWS[self.bot.news]
        join.rules_versions.update({name: game.rules_version for name, game in games().items()})
        return request

    def hear(self, response: pb.PlayResponse) -> pb.PlayRequest:
        """The moves that answer a batch; empty when it asks for none."""
        turns: list[Turn] = []
        for event in response.events[:]:  # a list of them: a repeated field ends its loops by raising IndexError
            kind = event.WhichOneof("event")
            if kind == "turn_requested":
                turns.append(WireTurn(self.tables[event.game], event.turn_requested))
            elif kind == "goodbye":
                self.dismissed = event.goodbye.reason
            elif kind == "game_started" or (kind and event.game in self.tables):
                self._hear_event(event)
            # Else it is news of a game that is over, or a kind of event that a referee of tomorrow may know.
        return self._answer(turns)

    def _hear_event(self, message: pb.RefereeEvent) -> None:
        table = self.tables.get(message.game)
        event = read_event(message, table.start if table else None)
        if isinstance(event, GameStarted):
            self.tables[message.game] = table = Table(message.game, event)
            self.bot.started(table)
        elif isinstance(event, GameEnded) and table:
            del self.tables[message.game]
            self.bot.ended(table, event)
        elif isinstance(event, (MoveApplied, SeatLeft)) and table:
            self.bot.heard(table, event)

    def _answer(self, turns: list[Turn]) -> pb.PlayRequest:
        request = pb.PlayRequest()
        if turns:
            for turn, move in zip(turns, self._choose(turns), strict=True):
                table = turn.table
                event = request.events.add()
                event.game = table.number
                chosen = event.move_chosen
                chosen.turn = turn.number
                write_move(move, table.codec, chosen)
        return request

    def _choose(self, turns: list[Turn]) -> Sequence[Any]:
        if self._for_many is None:
            bot = self.bot
            return [bot.choose(turn) for turn in turns]
        moves = self._for_many.choose_many(turns)
        if len(moves) != len(turns):
            raise ValueError(f"choose_many was asked for {len(turns)} moves and gave {len(moves)}")
        return moves
