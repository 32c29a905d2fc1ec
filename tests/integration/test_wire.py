"""The referee at the other end of a real stream, met by clients that speak the protocol by hand, well or badly."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress
from itertools import repeat
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

import arena.referee.connection
from arena.record import MatchRecord, MatchSpec, VerdictKind
from arena.referee.connection import Connection
from arena.referee.floor import Floor
from arena.referee.match import play_match
from arena.referee.seat import LocalSeat, ScriptedSeat
from arena.referee.server import RefereeServer, Ticket
from arena.replay import verify
from arena_rules import Termination
from arena_rules.shelfie import SHELFIE, Choices
from arena_sdk import TimeControl
from arena_sdk.events import NewsWanted
from arena_sdk.v1 import referee_pb2 as pb
from tests.unit.launch.table import until
from tests.unit.referee.table import first
from tests.unit.sdk.authors import FirstBot

PLAY = "/arena.v1.RefereeService/Play"
PATIENCE = 10.0
UNLIMITED = TimeControl()

Pick = Callable[[pb.RefereeEvent], pb.BotEvent]
Match = asyncio.Task[MatchRecord]


def raw(message: pb.PlayRequest | bytes) -> bytes:
    return message if isinstance(message, bytes) else message.SerializeToString()


class HandBot:
    """A bot without an SDK: sends what it is told to, and keeps what it hears until somebody looks."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        method = channel.stream_stream(PLAY, request_serializer=raw, response_deserializer=pb.PlayResponse.FromString)
        self.call = method()
        self.batches: list[list[pb.RefereeEvent]] = []

    async def send(self, *events: pb.BotEvent) -> None:
        await self.call.write(pb.PlayRequest(events=events))

    async def send_bytes(self, data: bytes) -> None:
        await self.call.write(data)

    async def hear(self) -> list[pb.RefereeEvent]:
        """The next batch of events; nothing when the stream is at its end."""
        response = await asyncio.wait_for(self.call.read(), PATIENCE)
        if not isinstance(response, pb.PlayResponse):
            return []
        self.batches.append(list(response.events))
        return self.batches[-1]

    def heard(self, kind: str) -> list[pb.RefereeEvent]:
        """All events of a kind so far."""
        return [event for batch in self.batches for event in batch if event.WhichOneof("event") == kind]

    async def hear_of(self, kind: str) -> pb.RefereeEvent:
        """The next event of a kind; what comes before it is passed over."""
        while batch := await self.hear():
            for event in batch:
                if event.WhichOneof("event") == kind:
                    return event
        raise AssertionError(f"the stream ended without {kind}")

    async def refusal(self) -> tuple[grpc.StatusCode, str]:
        """How the referee has ended the stream."""
        return await asyncio.wait_for(self.call.code(), PATIENCE), await self.call.details()


def join(token: str, **fields: Any) -> pb.BotEvent:
    return pb.BotEvent(join=pb.Join(token=token, **fields))


def move(asked: pb.RefereeEvent, notation: str | None = None, *, turn: int | None = None) -> pb.BotEvent:
    """An answer to a turn: right in every respect, unless something else is given."""
    chosen = pb.MoveChosen(turn=asked.turn_requested.turn if turn is None else turn)
    if notation is None:
        ends, free = asked.turn_requested.shelfie_choices.lines, asked.turn_requested.shelfie_choices.free
        chosen.shelfie.cells = ends[:1]
        chosen.shelfie.column = next(column for column, room in enumerate(free) if room)
    else:
        chosen.notation = notation
    return pb.BotEvent(game=asked.game, move_chosen=chosen)


class Hall:
    """A referee and the bots that come to it."""

    def __init__(self, server: RefereeServer, stack: AsyncExitStack) -> None:
        self.server = server
        self.stack = stack

    async def channel(self, ticket: Ticket | None = None) -> grpc.aio.Channel:
        address = (ticket or self.server.ticket()).address
        return await self.stack.enter_async_context(grpc.aio.insecure_channel(address))

    async def visitor(self, ticket: Ticket | None = None) -> HandBot:
        """A bot that has said nothing yet, at the door of this ticket or at one of its own."""
        return HandBot(await self.channel(ticket))

    async def bot(self, **fields: Any) -> tuple[HandBot, Connection]:
        """A bot that has joined."""
        ticket = self.server.ticket()
        bot = await self.visitor(ticket)
        await bot.send(join(ticket.token, **fields))
        return bot, await asyncio.wait_for(self.server.connection(ticket), PATIENCE)

    def match(self, *seats: Connection | ScriptedSeat, time: TimeControl = UNLIMITED, seed: int = 7) -> Match:
        """A match under way between these."""
        spec = MatchSpec(0, "shelfie", "en-2022", ("ann", "bob", "cleo", "dan")[: len(seats)], seed, time)
        taken = [seat.seat() if isinstance(seat, Connection) else seat for seat in seats]
        task = asyncio.create_task(play_match(spec, taken))
        self.stack.callback(task.cancel)
        return task


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    async with AsyncExitStack() as stack:
        yield Hall(await stack.enter_async_context(RefereeServer(tmp_path / "referee")), stack)


def steady() -> ScriptedSeat:
    return ScriptedSeat(repeat(first), news=NewsWanted.NEVER)


async def play_on(bot: HandBot, pick: Pick = move) -> pb.GameEnded:
    """Answer every turn of a game until it ends."""
    while True:
        for event in await bot.hear():
            if event.HasField("turn_requested"):
                await bot.send(pick(event))
            elif event.HasField("game_ended"):
                return event.game_ended


async def result(match: Match) -> MatchRecord:
    return await asyncio.wait_for(match, PATIENCE)


async def verdict_on(hall: Hall, bot: HandBot, connection: Connection, *answers: pb.BotEvent | bytes | Pick) -> Any:
    """The verdict on a bot that answers its first turn like this, and a check that the other one has won."""
    match = hall.match(connection, steady())
    asked = await bot.hear_of("turn_requested")
    for answer in answers:
        if isinstance(answer, bytes):
            await bot.send_bytes(answer)
        else:
            await bot.send(answer(asked) if callable(answer) else answer)
    record = await result(match)
    (verdict,) = record.verdicts
    assert verdict.seat == 0
    assert record.outcome is not None
    assert record.outcome.ranks == (2, 1)
    verify(record)
    return verdict


# ── joining ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("token", ["", "guessed"])
async def test_a_wrong_or_missing_token(hall: Hall, token: str) -> None:
    """Who has no token of this arena is sent away, with a sentence."""
    bot = await hall.visitor()
    await bot.send(join(token))
    code, sentence = await bot.refusal()
    assert code is grpc.StatusCode.UNAUTHENTICATED
    assert "does not know this token" in sentence


async def test_a_token_opens_one_stream(hall: Hall) -> None:
    """A token that has been used opens nothing, and the bot that used it first is not disturbed."""
    ticket = hall.server.ticket()
    bot, thief = await hall.visitor(ticket), await hall.visitor(ticket)
    await bot.send(join(ticket.token))
    connection = await hall.server.connection(ticket)
    await thief.send(join(ticket.token))
    assert (await thief.refusal())[0] is grpc.StatusCode.UNAUTHENTICATED
    match = hall.match(connection, steady())
    await play_on(bot)
    assert (await result(match)).verdicts == ()


async def test_a_withdrawn_token(hall: Hall) -> None:
    """A bot that is no longer expected finds no door, and its token opens no other."""
    ticket = hall.server.ticket()
    hall.server.withdraw(ticket)
    bot, burglar = await hall.visitor(ticket), await hall.visitor()
    assert (await bot.refusal())[0] is grpc.StatusCode.UNAVAILABLE
    await burglar.send(join(ticket.token))
    assert (await burglar.refusal())[0] is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize(
    "opening",
    [
        pytest.param(lambda token: [], id="nothing"),
        pytest.param(lambda token: [join(token), join(token)], id="two joins"),
        pytest.param(lambda token: [pb.BotEvent(game=1, move_chosen=pb.MoveChosen())], id="a move"),
        pytest.param(lambda token: [pb.BotEvent()], id="an empty event"),
    ],
)
async def test_the_first_message_must_be_a_join(hall: Hall, opening: Callable[[str], list[pb.BotEvent]]) -> None:
    """A stream that opens with anything but one Join is ended with a sentence that says so."""
    ticket = hall.server.ticket()
    bot = await hall.visitor(ticket)
    await bot.send(*opening(ticket.token))
    code, sentence = await bot.refusal()
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert "the first message of a stream must be one Join" in sentence


async def test_an_opening_that_cannot_be_read(hall: Hall) -> None:
    """Bytes that are no message are refused with a sentence, before anybody is let in."""
    bot = await hall.visitor()
    await bot.send_bytes(b"GET / HTTP/1.1\r\n\r\n")
    code, sentence = await bot.refusal()
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert sentence != ""


async def test_other_rules_are_refused(hall: Hall) -> None:
    """A bot with other rules than are played is sent away and told what to install; its token is not lost."""
    ticket = hall.server.ticket()
    bot = await hall.visitor(ticket)
    await bot.send(join(ticket.token, rules_versions={"shelfie": "0.old"}))
    code, sentence = await bot.refusal()
    assert code is grpc.StatusCode.FAILED_PRECONDITION
    assert "version 0.old of the rules of shelfie" in sentence
    assert f"the arena has version {SHELFIE.rules_version}: install the arena-sdk" in sentence
    again = await hall.visitor(ticket)
    await again.send(join(ticket.token))
    assert (await asyncio.wait_for(hall.server.connection(ticket), PATIENCE)).lost is None


async def test_rules_of_other_games_do_not_matter(hall: Hall) -> None:
    """A bot may carry the right rules, rules of games that this arena does not have, or none."""
    for versions in ({}, {"shelfie": SHELFIE.rules_version}, {"chess": "9"}):
        _, connection = await hall.bot(rules_versions=versions)
        assert connection.lost is None


async def test_what_a_bot_offers(hall: Hall) -> None:
    """How many games a bot takes at once is what it says, and one when it says nothing."""
    assert (await hall.bot())[1].games_at_once == 1
    assert (await hall.bot(games_at_once=0))[1].games_at_once == 1
    assert (await hall.bot(games_at_once=12))[1].games_at_once == 12


# ── playing ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_game_after_game_on_one_stream(hall: Hall) -> None:
    """One stream carries any number of games, each with a number of its own, its result, and at last a goodbye."""
    bot, connection = await hall.bot()
    for seed in range(3):
        match = hall.match(connection, steady(), seed=seed)
        ended = await play_on(bot)
        record = await result(match)
        verify(record)
        assert record.outcome is not None
        assert [seat.rank for seat in ended.outcome.seats] == list(record.outcome.ranks)
        assert ended.verdict == ""
    started = [event.game for event in bot.heard("game_started")]
    assert len(set(started)) == len(started) == 3
    connection.dismiss("the hall closes")
    assert (await bot.hear_of("goodbye")).goodbye.reason == "the hall closes"


async def test_what_a_turn_carries(hall: Hall) -> None:
    """A bot that knows no rules finds in its turn what it may do, how long it may think and how to name its answer."""
    bot, connection = await hall.bot()
    hall.match(connection, steady(), time=TimeControl(2_000, 3_000))
    (started, asked) = await bot.hear()
    state = SHELFIE.deal(2, 7, SHELFIE.rules("en-2022"))
    assert started.game == asked.game > 0
    assert (started.game_started.players, started.game_started.seat) == (2, 0)
    assert (started.game_started.time.move_ms, started.game_started.time.bank_ms) == (2_000, 3_000)
    assert dict(started.game_started.options) == SHELFIE.rules("en-2022")
    assert (asked.turn_requested.turn, asked.turn_requested.time_left_ms) == (0, 5_000)
    assert asked.turn_requested.shelfie.board == bytes(state.board)
    assert asked.turn_requested.shelfie_choices.free == bytes([6] * 5)


@pytest.mark.parametrize(
    ("news", "kinds"),
    [
        (pb.NEWS_UNSPECIFIED, ["move_applied", "turn_requested"]),
        (pb.NEWS_WITH_TURN, ["move_applied", "turn_requested"]),
        (pb.NEWS_NEVER, ["turn_requested"]),
    ],
)
async def test_news_with_the_turn_or_never(hall: Hall, news: pb.News, kinds: list[str]) -> None:
    """What the others did comes in the same message as the next turn, or not at all."""
    bot, connection = await hall.bot(news=news)
    hall.match(connection, steady())
    await bot.send(move(await bot.hear_of("turn_requested")))
    assert [event.WhichOneof("event") for event in await bot.hear()] == kinds


async def test_news_at_once(hall: Hall) -> None:
    """A bot that wants to think while others move hears of each move before it is asked itself."""
    bot, connection = await hall.bot(news=pb.NEWS_AT_ONCE)
    thinking = asyncio.Event()

    async def slow(turn: Any) -> Any:
        await thinking.wait()
        return first(turn)

    hall.match(connection, steady(), ScriptedSeat(repeat(slow)))
    await bot.send(move(await bot.hear_of("turn_requested")))
    assert (await bot.hear_of("move_applied")).move_applied.seat == 1
    thinking.set()
    assert (await bot.hear_of("move_applied")).move_applied.seat == 2


async def test_several_games_in_any_order(hall: Hall) -> None:
    """Turns of several games are answered in any order, one by one or together, and each game gets its own answers."""
    bot, connection = await hall.bot(games_at_once=4)
    matches = [hall.match(connection, steady(), seed=seed) for seed in range(4)]
    ended, rounds = 0, 0
    while ended < 4:
        batch = await bot.hear()
        turns = [event for event in batch if event.HasField("turn_requested")]
        ended += sum(event.HasField("game_ended") for event in batch)
        answers = [move(asked) for asked in reversed(turns)]
        rounds += 1
        if rounds % 2:
            await bot.send(*answers)
        else:
            for answer in answers:
                await bot.send(answer)
    for match, seed in zip(matches, range(4), strict=True):
        record = await result(match)
        verify(record)
        assert record.verdicts == ()
        assert record.spec.seed == seed
    together = max(sum(event.HasField("turn_requested") for event in batch) for batch in bot.batches)
    assert together == 4


async def test_games_do_not_wait_for_each_other(hall: Hall) -> None:
    """While a bot thinks about one game for long, its other games go on to their end."""
    bot, connection = await hall.bot(games_at_once=2)
    long, short = hall.match(connection, steady(), seed=1), hall.match(connection, steady(), seed=2)
    kept: list[pb.BotEvent] = []
    while not short.done():
        for event in await bot.hear():
            if event.HasField("turn_requested"):
                if not kept and event.game == 1:
                    kept.append(move(event))
                else:
                    await bot.send(move(event))
    assert not long.done()
    await bot.send(*kept)
    await play_on(bot)
    assert (await result(long)).verdicts == ()


async def test_a_bot_that_leaves_after_its_last_move(hall: Hall) -> None:
    """Whoever has made all its moves has played: a connection that is lost before the end changes no result."""
    spec = MatchSpec(0, "shelfie", "en-2022", ("ann", "bob"), 7)
    known = await play_match(spec, [steady(), steady()])
    last = max(turn for turn, made in enumerate(known.moves) if made.seat == 0)
    bot, connection = await hall.bot()
    may_end = asyncio.Event()

    async def polite(turn: Any) -> Any:
        if turn.turn > last:
            await may_end.wait()
        return first(turn)

    match = hall.match(connection, ScriptedSeat(repeat(polite)))
    for turn, made in enumerate(known.moves):
        if made.seat == 0:
            await bot.send(move(await bot.hear_of("turn_requested"), made.notation, turn=turn))
    await bot.call.done_writing()
    await until(lambda: connection.lost)
    may_end.set()
    record = await result(match)
    assert record.verdicts == ()
    assert record.outcome == known.outcome


def first_legal(asked: pb.RefereeEvent) -> pb.BotEvent:
    """The first legal move, worked out from what the message offers."""
    offered = asked.turn_requested.shelfie_choices
    legal = Choices(offered.lines, offered.free).moves(asked.turn_requested.shelfie.board)
    return move(asked, str(legal[0]))


async def test_a_local_bot_meets_one_behind_a_stream(hall: Hall) -> None:
    """Bots of different kinds sit at one table and play the game that two of one kind would play."""
    bot, connection = await hall.bot()
    match = hall.match(connection, steady(), seed=3)
    await play_on(bot, first_legal)
    record = await result(match)
    alike = await play_match(record.spec, [LocalSeat(FirstBot()), LocalSeat(FirstBot())])
    assert [made.notation for made in record.moves] == [made.notation for made in alike.moves]


# ── misbehaving ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_bytes_that_are_no_message(hall: Hall) -> None:
    """Noise in mid-game is an unreadable answer, and the record says so."""
    bot, connection = await hall.bot()
    verdict = await verdict_on(hall, bot, connection, b"\xff\xff\xff\xff")
    assert verdict.kind is VerdictKind.UNREADABLE
    assert "not a PlayRequest message" in verdict.detail


ANSWERS: dict[str, tuple[Pick, VerdictKind, str]] = {
    "the wrong turn": (
        lambda asked: move(asked, turn=5),
        VerdictKind.OUT_OF_TURN,
        r"it answered turn 5 when .*turn 0",
    ),
    "an unknown game": (
        lambda asked: pb.BotEvent(game=77, move_chosen=move(asked).move_chosen),
        VerdictKind.OUT_OF_TURN,
        "it moved in game 77, which was never started",
    ),
    "game 0": (
        lambda asked: pb.BotEvent(game=0, move_chosen=move(asked).move_chosen),
        VerdictKind.OUT_OF_TURN,
        "it moved in game 0, which was never started",
    ),
    "a second join": (lambda asked: join("again"), VerdictKind.UNREADABLE, "only MoveChosen events are expected"),
    "an empty event": (lambda asked: pb.BotEvent(game=asked.game), VerdictKind.UNREADABLE, "only MoveChosen events"),
    "no move": (
        lambda asked: pb.BotEvent(game=asked.game, move_chosen=pb.MoveChosen(turn=0)),
        VerdictKind.UNREADABLE,
        "a move of My Shelfie is sent as ShelfieMove or in text notation",
    ),
    "nonsense": (lambda asked: move(asked, "hello"), VerdictKind.UNREADABLE, "'hello' is not a move"),
    "an illegal move": (lambda asked: move(asked, "e5>1"), VerdictKind.ILLEGAL, "the tile on e5 has no free side"),
}


@pytest.mark.parametrize("what", ANSWERS)
async def test_a_bad_answer(hall: Hall, what: str) -> None:
    """Every kind of bad answer has its verdict and its sentence, and the bot itself is told when it can be."""
    pick, kind, sentence = ANSWERS[what]
    bot, connection = await hall.bot()
    verdict = await verdict_on(hall, bot, connection, pick)
    assert verdict.kind is kind
    assert re.search(sentence, verdict.detail)
    if connection.lost is None:
        assert (await bot.hear_of("game_ended")).game_ended.verdict == verdict.detail


async def test_an_answer_that_nobody_asked_for(hall: Hall) -> None:
    """A bot that answers twice has spoken out of turn, and is put out when it is next asked."""
    bot, connection = await hall.bot()
    match = hall.match(connection, steady())
    asked = await bot.hear_of("turn_requested")
    await bot.send(move(asked), move(asked))
    ended = (await bot.hear_of("game_ended")).game_ended
    (verdict,) = (await result(match)).verdicts
    assert verdict.kind is VerdictKind.OUT_OF_TURN
    assert ended.verdict == verdict.detail == "The bot spoke out of turn: it answered turn 0 when it was not its turn."


async def test_an_answer_to_the_turn_of_another(hall: Hall) -> None:
    """A bot that moves while another one thinks has spoken out of turn, and the other one goes on unharmed."""
    ann, anns = await hall.bot()
    bob, bobs = await hall.bot()
    match = hall.match(anns, bobs)
    await ann.send(move(await ann.hear_of("turn_requested")))
    asked = await bob.hear_of("turn_requested")
    await ann.send(pb.BotEvent(game=1, move_chosen=pb.MoveChosen(turn=1, notation="a4>1")))
    await bob.send(move(asked))
    assert (await bob.hear_of("game_ended")).game_ended.outcome.seats[1].rank == 1
    assert [verdict.kind for verdict in (await result(match)).verdicts] == [VerdictKind.OUT_OF_TURN]


async def test_a_closed_stream(hall: Hall) -> None:
    """A bot that hangs up in mid-game has disconnected."""
    bot, connection = await hall.bot()
    match = hall.match(connection, steady())
    await bot.hear_of("turn_requested")
    bot.call.cancel()
    (verdict,) = (await result(match)).verdicts
    assert verdict.kind is VerdictKind.DISCONNECTED


async def test_a_late_answer(hall: Hall) -> None:
    """An answer that comes after the time was up changes nothing: not in that game, and not in the next one."""
    bot, connection = await hall.bot()
    lost = hall.match(connection, steady(), time=TimeControl(30, 0))
    late = await bot.hear_of("turn_requested")
    ended = (await bot.hear_of("game_ended")).game_ended
    (verdict,) = (await result(lost)).verdicts
    assert verdict.kind is VerdictKind.TIMED_OUT
    assert ended.verdict == verdict.detail == "The bot did not answer in time: no answer came, and it had 30 ms."
    assert not ended.HasField("outcome")
    match = hall.match(connection, steady(), time=TimeControl(5_000, 0))
    asked = await bot.hear_of("turn_requested")
    assert asked.turn_requested.turn == late.turn_requested.turn
    await bot.send(move(late))
    await bot.send(move(asked))
    await play_on(bot)
    assert (await result(match)).verdicts == ()


async def test_time_in_one_game_is_not_time_in_another(hall: Hall) -> None:
    """Of two games in flight the one with little time is lost when that is up, however much the other one has."""
    _, connection = await hall.bot(games_at_once=2)
    patient = hall.match(connection, steady(), time=TimeControl(30_000, 0))
    hasty = hall.match(connection, steady(), time=TimeControl(40, 0))
    began = time.monotonic()
    (verdict,) = (await result(hasty)).verdicts
    assert verdict.kind is VerdictKind.TIMED_OUT
    assert time.monotonic() - began < 5
    assert not patient.done()


async def test_a_shorter_limit_in_the_next_game(hall: Hall) -> None:
    """A game with little time after one with much is held to its own time."""
    bot, connection = await hall.bot()
    first_match = hall.match(connection, steady(), time=TimeControl(30_000, 0))
    await play_on(bot)
    await result(first_match)
    began = time.monotonic()
    (verdict,) = (await result(hall.match(connection, steady(), time=TimeControl(40, 0)))).verdicts
    assert verdict.kind is VerdictKind.TIMED_OUT
    assert time.monotonic() - began < 5


async def test_one_failure_does_not_touch_the_other_games(hall: Hall) -> None:
    """An illegal move in one of several games costs the bot that game and no other."""
    bot, connection = await hall.bot(games_at_once=3)
    matches = [hall.match(connection, steady(), seed=seed) for seed in range(3)]
    ended = 0
    while ended < 3:
        for event in await bot.hear():
            if event.HasField("turn_requested"):
                bad = event.game == 2 and event.turn_requested.turn == 4
                await bot.send(move(event, "e5>1" if bad else None))
            ended += event.HasField("game_ended")
    records = [await result(match) for match in matches]
    assert [[verdict.kind for verdict in record.verdicts] for record in records] == [[], [VerdictKind.ILLEGAL], []]


@pytest.mark.parametrize("times", [2, 10_000])
async def test_more_answers_than_questions(hall: Hall, times: int) -> None:
    """One answer too many is out of turn, ten thousand are a flood, and a match beside them does not notice."""
    bot, connection = await hall.bot()
    third, thirds = await hall.bot()
    match, beside = hall.match(connection, steady()), hall.match(thirds, steady())
    asked = await bot.hear_of("turn_requested")
    with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):  # it is shown the door before it is done
        for _ in range(max(1, times // 1_000)):
            await bot.send(*[move(asked)] * min(times, 1_000))
    (verdict,) = (await result(match)).verdicts
    assert verdict.kind is (VerdictKind.FLOODED if times > 2 else VerdictKind.OUT_OF_TURN)
    assert (connection.lost is not None) == (times > 2)
    await play_on(third)
    assert (await result(beside)).verdicts == ()


async def test_answers_to_games_long_over(hall: Hall) -> None:
    """A bot that goes on about a game that has ended is not read for ever, and forfeits what it still plays."""
    bot, connection = await hall.bot(games_at_once=2)
    matches = [hall.match(connection, steady()) for _ in range(2)]
    while len(bot.heard("turn_requested")) < 2:
        await bot.hear()
    first, second = bot.heard("turn_requested")
    await bot.send(move(first, "e5>1"))
    assert [verdict.kind for verdict in (await result(matches[0])).verdicts] == [VerdictKind.ILLEGAL]
    for _ in range(2):
        await bot.send(*[move(first)] * 100)
    (verdict,) = (await result(matches[1])).verdicts
    assert verdict.kind is VerdictKind.FLOODED
    assert "events that answer nothing" in verdict.detail
    assert second.game != first.game


async def test_a_flood_of_streams(hall: Hall) -> None:
    """A bot that opens stream after stream loses its game and its door; the others play on."""
    ticket = hall.server.ticket()
    channel = await hall.channel(ticket)
    bot = HandBot(channel)
    await bot.send(join(ticket.token))
    connection = await hall.server.connection(ticket)
    third, thirds = await hall.bot()
    match, beside = hall.match(connection, steady()), hall.match(thirds, steady())
    await bot.hear_of("turn_requested")
    for _ in range(40):
        flood = HandBot(channel)
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await flood.send(join(ticket.token))
        await flood.refusal()
    (verdict,) = (await result(match)).verdicts
    assert verdict.kind is VerdictKind.FLOODED
    await play_on(third)
    assert (await result(beside)).verdicts == ()


async def test_silent_streams_keep_nobody_out(hall: Hall) -> None:
    """Streams that are opened and left silent at one door do not keep the bot of another from joining."""
    ticket = hall.server.ticket()
    silent = [HandBot(await hall.channel(ticket)) for _ in range(30)]
    _, connection = await hall.bot()
    assert connection.lost is None
    for one in silent:
        one.call.cancel()


async def test_a_bot_that_never_reads(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that makes no room for what it is sent loses its games, even those without a time limit."""
    monkeypatch.setattr(arena.referee.connection, "WRITE_NS", 200_000_000)
    stream = Deaf()
    connection = Connection(stream, pb.Join(), Floor())
    serving = asyncio.create_task(connection.serve())
    (verdict,) = (await result(hall.match(connection, steady()))).verdicts
    assert verdict.kind is VerdictKind.DISCONNECTED
    assert "has read nothing" in verdict.detail
    serving.cancel()


class Deaf:
    """A stream that takes nothing and says nothing."""

    async def read(self) -> Any:
        await asyncio.Event().wait()

    async def write(self, response: pb.PlayResponse) -> None:
        await asyncio.Event().wait()


async def test_metadata_that_is_too_large(hall: Hall) -> None:
    """A call that comes with a book in its head is refused."""
    ticket = hall.server.ticket()
    channel = await hall.channel(ticket)
    call: Any = channel.stream_stream(PLAY, request_serializer=raw)(metadata=(("book", "x" * 60_000),))
    assert await asyncio.wait_for(call.code(), PATIENCE) is grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.parametrize("size", [70_000, 5_000_000])
async def test_a_message_that_is_too_long(hall: Hall, size: int) -> None:
    """A message of more than 64 KiB costs only the bot that sent it its game, and its author reads how long it was."""
    glutton, gluttons = await hall.bot()
    other, others = await hall.bot()
    third, thirds = await hall.bot()
    match, beside = hall.match(gluttons, others), hall.match(thirds, steady())
    asked = await glutton.hear_of("turn_requested")
    await glutton.send(move(asked, "x" * size))
    assert (await other.hear_of("game_ended")).game_ended.outcome.seats[1].rank == 1
    (verdict,) = (await result(match)).verdicts
    assert verdict.seat == 0
    assert verdict.kind is VerdictKind.TOO_LARGE
    assert f"{size:,}"[:-3] in verdict.detail
    await play_on(third)
    assert (await result(beside)).verdicts == ()
    again = hall.match(others, steady())
    await play_on(other)
    assert (await result(again)).verdicts == ()


async def test_a_bot_that_does_not_read(hall: Hall) -> None:
    """A bot that has stopped reading is put out by the clock, and holds nobody else up."""
    _, deafs = await hall.bot(games_at_once=64)
    other, others = await hall.bot()
    stuck = [hall.match(deafs, steady(), time=TimeControl(100, 0), seed=seed) for seed in range(64)]
    match = hall.match(others, steady())
    await play_on(other)
    assert (await result(match)).verdicts == ()
    for record in await asyncio.gather(*map(result, stuck)):
        assert [verdict.kind for verdict in record.verdicts] == [VerdictKind.TIMED_OUT]


async def test_calling_off_a_match(hall: Hall) -> None:
    """When a match is called off, the bot is told that its game is over, and can play the next one."""
    bot, connection = await hall.bot()
    match = hall.match(connection, steady(), time=TimeControl(60_000, 0))
    asked = await bot.hear_of("turn_requested")
    match.cancel()
    ended = await bot.hear_of("game_ended")
    assert ended.game == asked.game
    assert not ended.game_ended.HasField("outcome")
    again = hall.match(connection, steady())
    await bot.send(move(asked))
    await play_on(bot)
    assert (await result(again)).verdicts == ()


async def test_with_three_the_others_play_on(hall: Hall) -> None:
    """When one of three bots is put out, the others are told, and play to the end."""
    bots = [await hall.bot() for _ in range(3)]
    match = hall.match(*(connection for _, connection in bots))
    await bots[0][0].send(move(await bots[0][0].hear_of("turn_requested")))
    await bots[1][0].send(move(await bots[1][0].hear_of("turn_requested"), "hello"))
    await asyncio.gather(play_on(bots[0][0]), play_on(bots[2][0]))
    record = await result(match)
    assert record.outcome is not None
    assert record.outcome.termination is Termination.COMPLETED
    assert record.outcome.ranks[1] == 3
    left = [
        event.seat_left
        for bot, _ in bots[::2]
        for batch in bot.batches
        for event in batch
        if event.HasField("seat_left")
    ]
    assert [(event.seat, event.turn) for event in left] == [(1, 1), (1, 1)]


# ── what standard tools find ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("service", ["", "arena.v1.RefereeService"])
async def test_health(hall: Hall, service: str) -> None:
    """The usual health check finds the referee serving."""
    stub: Any = health_pb2_grpc.HealthStub(await hall.channel())
    answer = await stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=PATIENCE)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_reflection(hall: Hall) -> None:
    """Tools that ask which services there are find the referee's, and what its messages look like."""
    channel: Any = await hall.channel()  # the stubs of this package know the other kind only
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
    questions = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol="arena.v1.RefereeService"),
    ]
    answers = [answer async for answer in stub.ServerReflectionInfo(iter(questions), timeout=PATIENCE)]
    assert "arena.v1.RefereeService" in [service.name for service in answers[0].list_services_response.service]
    assert b"PlayRequest" in b"".join(answers[1].file_descriptor_response.file_descriptor_proto)
