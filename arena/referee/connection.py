"""A bot behind a gRPC stream: any number of games on one connection, each a `Seat` of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import count
from typing import Any, Protocol

from arena.record import VerdictKind
from arena.referee.verdict import Forfeit
from arena_rules import NotationError
from arena_sdk.codec import GameCodec, codec_of, read_move, write_event
from arena_sdk.events import Event, GameEnded, GameStarted, NewsWanted, TurnRequested
from arena_sdk.v1 import referee_pb2 as pb

_NEWS = {pb.NEWS_AT_ONCE: NewsWanted.AT_ONCE, pb.NEWS_NEVER: NewsWanted.NEVER}


class Stream(Protocol):
    """The two directions of a bot's stream."""

    async def read(self) -> pb.PlayRequest | None:
        """None when no more will come. Raises UnreadableMessage for bytes that are no message."""

    async def write(self, response: pb.PlayResponse) -> None:
        """Raises StreamBroken when it cannot be sent."""


class UnreadableMessage(Exception):
    """What the bot sent is not a message of the protocol."""


class StreamBroken(Exception):
    """Nothing more can be sent."""


class Connection:
    """One bot that has joined. Writes gather: whatever all its games have to say goes out as one message."""

    def __init__(self, stream: Stream, join: pb.Join) -> None:
        self.games_at_once = max(1, join.games_at_once)
        self.news = _NEWS.get(join.news, NewsWanted.WITH_TURN)
        self.sdk = join.sdk
        self.lost: Forfeit | None = None
        """Why no more can be said to this bot, once that is so."""
        self.closed = asyncio.Event()
        self._stream = stream
        self._outbox = pb.PlayResponse()
        self._writing = False
        self._seats: dict[int, RemoteSeat] = {}
        self._numbers = count(1)
        self._latest = 0

    def seat(self) -> RemoteSeat:
        """A seat in a new game for this bot."""
        self._latest = next(self._numbers)
        seat = self._seats[self._latest] = RemoteSeat(self, self._latest)
        return seat

    def leave(self, number: int) -> None:
        self._seats.pop(number, None)

    def post(self, number: int, event: Event, codec: GameCodec) -> None:
        """Add an event of a game to what will be sent."""
        message = self._outbox.events.add()
        message.game = number
        write_event(event, codec, message)

    async def send(self) -> None:
        """See to it that all that was posted goes out.

        While one message is being written, others gather; whoever wrote it writes them too, as one message.
        """
        if self._writing:
            return
        self._writing = True
        try:
            if len(self._seats) > 1:
                await asyncio.sleep(0)  # let the other games whose answers came in the same message post their turns
            while self._outbox.events and not self.lost:
                batch, self._outbox = self._outbox, pb.PlayResponse()
                await self._stream.write(batch)
        except (StreamBroken, asyncio.CancelledError) as error:
            # Cancelled means that the bot has not read for all its time. Either way the message is half written, and
            # nothing more can be said.
            self.break_off(Forfeit(VerdictKind.DISCONNECTED))
            if isinstance(error, asyncio.CancelledError):
                raise
        finally:
            self._writing = False

    async def dismiss(self, reason: str) -> None:
        """Say goodbye. The bot is expected to close the stream."""
        self._outbox.events.add().goodbye.reason = reason
        await self.send()

    async def serve(self) -> None:
        """Take in what the bot says until the stream ends."""
        try:
            while (request := await self._stream.read()) is not None:
                for event in request.events:
                    self._take_in(event)
        except UnreadableMessage as error:
            self.break_off(Forfeit(VerdictKind.UNREADABLE, str(error)))
        finally:
            self.break_off(Forfeit(VerdictKind.DISCONNECTED))
            self.closed.set()

    def break_off(self, forfeit: Forfeit) -> None:
        """End all games of this bot with the same finding. The first one counts."""
        self.lost = self.lost or forfeit
        for seat in self._seats.values():
            seat.fail(self.lost)

    def _take_in(self, event: pb.BotEvent) -> None:
        seat = self._seats.get(event.game)
        if event.WhichOneof("event") != "move_chosen":
            self.break_off(Forfeit(VerdictKind.UNREADABLE, "only MoveChosen events are expected after the Join"))
        elif seat is not None:
            seat.answer(event.move_chosen)
        elif not 0 < event.game <= self._latest:
            self.break_off(Forfeit(VerdictKind.OUT_OF_TURN, f"it moved in game {event.game}, which was never started"))
        # Else the game is over for this bot, and the answer was on its way when it ended.


class RemoteSeat:
    """One game on a connection."""

    __slots__ = ("_asked", "_connection", "_failed", "_number", "_turn", "news", "start")

    def __init__(self, connection: Connection, number: int) -> None:
        self.news = connection.news
        self.start: GameStarted | None = None
        """What opened the game, once it has."""
        self._connection = connection
        self._number = number
        self._turn = -1
        self._asked: asyncio.Future[Any] | None = None
        self._failed: Forfeit | None = None

    async def hear(self, events: Sequence[Event]) -> Any:
        connection = self._connection
        last = events[-1]
        if self.start is None:
            first = events[0]
            assert isinstance(first, GameStarted), "a match opens with GameStarted"
            self.start = first
        codec = codec_of(self.start.game.name)
        for event in events:
            connection.post(self._number, event, codec)
        if not isinstance(last, TurnRequested):
            if isinstance(last, GameEnded):
                connection.leave(self._number)
            await connection.send()
            return None
        if failed := self._failed or connection.lost:
            raise failed
        self._turn = last.turn
        self._asked = asked = asyncio.get_running_loop().create_future()
        try:
            await connection.send()
            return await asked
        finally:
            self._asked = None

    def answer(self, chosen: pb.MoveChosen) -> None:
        """Take the bot's answer, good or bad, to the match."""
        asked = self._asked
        if asked is None or asked.done():
            self.fail(Forfeit(VerdictKind.OUT_OF_TURN, f"it answered turn {chosen.turn} when it was not its turn"))
        elif chosen.turn != self._turn:
            self.fail(
                Forfeit(VerdictKind.OUT_OF_TURN, f"it answered turn {chosen.turn} when turn {self._turn} was asked")
            )
        else:
            assert self.start is not None
            try:
                asked.set_result(read_move(chosen, self.start.game))
            except NotationError as error:
                self.fail(Forfeit(VerdictKind.UNREADABLE, str(error)))

    def fail(self, forfeit: Forfeit) -> None:
        """Put the bot out of this game, now or when it is next asked. The first finding counts."""
        self._failed = self._failed or forfeit
        if self._asked is not None and not self._asked.done():
            self._asked.set_exception(self._failed)
