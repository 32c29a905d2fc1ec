"""A bot behind a gRPC stream: any number of games on one connection, each a `Seat` of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic_ns
from typing import Any, NamedTuple, Protocol

from arena.record import VerdictKind
from arena.referee.clock import Alarm, overdue
from arena.referee.floor import Floor
from arena.referee.seat import Reply
from arena.referee.verdict import Forfeit
from arena_rules import NotationError
from arena_sdk.codec import GameCodec, codec_of, write_event, write_turn
from arena_sdk.events import Event, GameEnded, GameStarted, NewsWanted, TurnRequested
from arena_sdk.v1 import referee_pb2 as pb

_NEWS = {pb.NEWS_AT_ONCE: NewsWanted.AT_ONCE, pb.NEWS_NEVER: NewsWanted.NEVER}


WRITE_NS = 10 * 1_000_000_000
"""How long a bot may take to make room for what it is sent."""

STRAYS = 64
"""How many events that answer nothing a bot may send for each game that it takes at once, before that is a flood."""

MOST_GAMES = 1024
"""The most games that a bot is given at once, whatever it offers: what it may send grows with them."""


class Unacceptable(NamedTuple):
    """What a stream gives in place of a message that cannot be one. False, so that it ends the reading."""

    kind: VerdictKind
    detail: str

    def __bool__(self) -> bool:
        return False


class Stream(Protocol):
    """The two directions of a bot's stream, as gRPC has them."""

    async def read(self) -> Any:
        """A PlayRequest, or Unacceptable; something else that is false when no more will come."""

    async def write(self, response: pb.PlayResponse) -> None:
        """Raises some exception when it cannot be sent."""


class Connection:
    """One bot that has joined. Whatever its games have to say by the time of writing goes out as one message."""

    def __init__(self, stream: Stream, join: pb.Join, floor: Floor) -> None:
        self.games_at_once = min(max(1, join.games_at_once), MOST_GAMES)
        self.news = _NEWS.get(join.news, NewsWanted.WITH_TURN)
        self.lost: Forfeit | None = None
        """Why no more can be said to this bot, once that is so."""
        self._stream = stream
        self._floor = floor
        self._seats: dict[int, RemoteSeat] = {}
        self._latest = 0
        self._outbox = pb.PlayResponse()
        self._to_ask: list[RemoteSeat] = []
        """Those whose turns are in the outbox."""
        self._writer_rests: asyncio.Future[None] | None = None
        """Settled to wake the writer."""
        self._thinking: set[RemoteSeat] = set()
        """Those whose turns have been sent and not been answered."""
        self._alarm = Alarm(self._check_deadlines, monotonic_ns)
        self._strays = 0
        self._most_strays = STRAYS * self.games_at_once
        self._writing_ns = 0
        """Since when a message has been waiting for the bot to read others; 0 when none is."""

    @property
    def asked_ns(self) -> int:
        """When the oldest turn was sent that has not been answered; 0 when there is none."""
        return min((seat.sent_ns for seat in self._thinking), default=0)

    def seat(self) -> RemoteSeat:
        """A seat in a new game for this bot."""
        self._latest += 1
        seat = self._seats[self._latest] = RemoteSeat(self, self._latest)
        return seat

    def leave(self, seat: RemoteSeat) -> None:
        self._seats.pop(seat.number, None)
        self.answered(seat)

    def post(self, number: int, event: Event, codec: GameCodec) -> None:
        """Add an event of a game to what will be sent."""
        message = self._outbox.events.add()
        message.game = number
        write_event(event, codec, message)
        self._wake_writer()

    def post_turn(self, seat: RemoteSeat, event: TurnRequested, codec: GameCodec) -> None:
        message = self._outbox.events.add()
        message.game = seat.number
        write_turn(event, codec, message.turn_requested)
        self._to_ask.append(seat)
        self._wake_writer()

    def _wake_writer(self) -> None:
        rests = self._writer_rests
        if rests is not None and not rests.done():
            rests.set_result(None)

    def announce(self, event: pb.RefereeEvent) -> None:
        """Say something that belongs to no seat, as it is: for trying out what a bot makes of it."""
        self._outbox.events.append(event)
        self._wake_writer()

    def dismiss(self, reason: str) -> None:
        """Say goodbye. The bot is expected to close the stream."""
        self._outbox.events.add().goodbye.reason = reason
        self._wake_writer()

    def answered(self, seat: RemoteSeat) -> None:
        """Nothing more is expected of the seat in this turn."""
        thinking = self._thinking
        if seat in thinking:
            thinking.remove(seat)
            if not thinking:
                self._floor.give_up(self)

    async def serve(self) -> None:
        """Carry messages both ways until the stream ends."""
        writer = asyncio.create_task(self._write_on())
        patrol = asyncio.create_task(self._patrol())
        try:
            await self._read_on()
        finally:
            writer.cancel()
            patrol.cancel()
            self.break_off(Forfeit(VerdictKind.DISCONNECTED))

    def break_off(self, forfeit: Forfeit) -> None:
        """End all games of this bot with the same finding. The first one counts."""
        self.lost = self.lost or forfeit
        self._alarm.off()
        for seat in list(self._seats.values()):
            seat.fail(self.lost)
        self._floor.give_up(self)

    async def _read_on(self) -> None:
        read = self._stream.read
        while request := await read():
            arrived = monotonic_ns()
            events = request.events[:]  # a list of them, as in `arena_sdk.player`
            if len(events) > self._most_strays:
                self.break_off(Forfeit(VerdictKind.FLOODED, f"{len(events):,} events in one message"))
                return
            for event in events:
                self._take_in(event, arrived)
                if self.lost:
                    return
        if isinstance(request, Unacceptable):
            self.break_off(Forfeit(*request))

    async def _write_on(self) -> None:
        new_future = asyncio.get_running_loop().create_future
        write = self._stream.write
        while True:
            if not self._outbox.events:
                self._writer_rests = new_future()
                await self._writer_rests
            if self._to_ask and len(self._seats) > 1:
                await self._floor.take(self)
            batch, self._outbox = self._outbox, pb.PlayResponse()
            self._start_clocks()
            try:
                self._writing_ns = monotonic_ns()
                await write(batch)
                self._writing_ns = 0
            except Exception:  # noqa: BLE001 - grpc has no one exception for a stream that ends under a writer
                self.break_off(Forfeit(VerdictKind.DISCONNECTED))
                return

    async def _patrol(self) -> None:
        """Let nobody wait for ever for a bot that reads nothing. It is one timer, and not one for every message."""
        while not self.lost:
            await asyncio.sleep(WRITE_NS / 4e9)
            if self._writing_ns and monotonic_ns() - self._writing_ns > WRITE_NS:
                detail = f": it has read nothing for {WRITE_NS / 1e9:.0f} s"
                self.break_off(Forfeit(VerdictKind.DISCONNECTED, detail))

    def _start_clocks(self) -> None:
        sent = monotonic_ns()
        for seat in self._to_ask:
            if seat.waiting:
                seat.sent_ns = sent
                self._thinking.add(seat)
                if seat.limit_ns:
                    self._alarm.watch(sent + seat.limit_ns)
        self._to_ask.clear()
        if not self._thinking:
            self._floor.give_up(self)

    def _check_deadlines(self, now: int) -> int:
        """Put out those whose time is up. Gives the next deadline."""
        limited = [seat for seat in self._thinking if seat.limit_ns]
        late = [seat for seat in limited if seat.sent_ns + seat.limit_ns <= now]
        for seat in late:
            seat.time_out()
        return min((seat.sent_ns + seat.limit_ns for seat in limited if seat not in late), default=0)

    def _take_in(self, event: pb.BotEvent, arrived: int) -> None:
        seat = self._seats.get(event.game)
        if event.WhichOneof("event") != "move_chosen":
            self.break_off(Forfeit(VerdictKind.UNREADABLE, "only MoveChosen events are expected after the Join"))
        elif seat is not None:
            seat.answer(event.move_chosen, arrived)
        elif not 0 < event.game <= self._latest:
            self.break_off(Forfeit(VerdictKind.OUT_OF_TURN, f"it moved in game {event.game}, which was never started"))
        else:
            self.stray()

    def stray(self) -> None:
        """An event that answers nothing: the game may have ended while it was on its way. So many cannot have been."""
        self._strays += 1
        if self._strays > self._most_strays:
            self.break_off(Forfeit(VerdictKind.FLOODED, f"{self._strays} events that answer nothing"))


class RemoteSeat:
    """One game on a connection."""

    __slots__ = (
        "_codec",
        "_connection",
        "_failed",
        "_late",
        "_reply",
        "_start",
        "limit_ns",
        "news",
        "number",
        "sent_ns",
        "turn",
    )

    def __init__(self, connection: Connection, number: int) -> None:
        self.number = number
        self.news = connection.news
        self.sent_ns = 0
        """When the bot was handed the turn that it has not answered; 0 when there is none."""
        self.limit_ns = 0
        self._connection = connection
        self._start: GameStarted | None = None
        self.turn = 0
        """How many moves had been made when the bot was last asked."""
        self._late = -1
        """The turn whose answer has not come in time, and may still be on its way."""
        self._reply: Reply | None = None
        self._failed: Forfeit | None = None

    @property
    def waiting(self) -> bool:
        """Whether an answer is expected."""
        return self._reply is not None

    def hear(self, events: Sequence[Event], limit_ns: int, reply: Reply) -> None:
        connection = self._connection
        if self._start is None:
            self._open(events[0])
        codec = self._codec
        for event in events:
            if isinstance(event, TurnRequested):
                if failed := self._failed or connection.lost:
                    reply(failed, 0)
                    return
                self.turn = event.turn
                self._reply = reply
                self.limit_ns = limit_ns
                connection.post_turn(self, event, codec)
            else:
                connection.post(self.number, event, codec)
                if isinstance(event, GameEnded):
                    self._reply = None
                    connection.leave(self)

    def _open(self, event: Event) -> None:
        assert isinstance(event, GameStarted), "a match opens with GameStarted"
        self._start = event
        self._codec = codec_of(event.game.name)

    def answer(self, chosen: pb.MoveChosen, arrived: int) -> None:
        """Take the bot's answer, good or bad, to the match."""
        if self._failed:
            self._connection.stray()
        elif chosen.turn == self._late:
            self._late = -1
        elif self._reply is None or not self.sent_ns:
            self.fail(_out_of_turn(f"it answered turn {chosen.turn} when it was not its turn"))
        elif chosen.turn != self.turn:
            self.fail(_out_of_turn(f"it answered turn {chosen.turn} when turn {self.turn} was asked"))
        else:
            assert self._start is not None
            try:
                move = self._codec.read_move(chosen, self._start.game)
            except NotationError as error:
                self.fail(Forfeit(VerdictKind.UNREADABLE, str(error), answer=" ".join(str(chosen).split())))
            else:
                self._settle(move, arrived - self.sent_ns)

    def time_out(self) -> None:
        """The bot has not answered in time."""
        self._late = self.turn
        self.fail(overdue(self.limit_ns))

    def fail(self, forfeit: Forfeit) -> None:
        """Answer with this finding for the bot, now or when it is next asked. The first finding counts."""
        if self._reply is not None:
            self._settle(self._failed or forfeit, 0)
        else:
            self._failed = self._failed or forfeit

    def _settle(self, answer: Any, taken_ns: int) -> None:
        reply, self._reply = self._reply, None
        self.sent_ns = 0
        self._connection.answered(self)
        assert reply is not None
        reply(answer, taken_ns)


def _out_of_turn(what: str) -> Forfeit:
    return Forfeit(VerdictKind.OUT_OF_TURN, what)
