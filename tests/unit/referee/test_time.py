"""Time: what a move may take, what it is charged, and what happens when it runs out."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from itertools import chain, repeat
from typing import Any

import pytest

from arena.record import MatchSpec, VerdictKind
from arena.referee.match import play_match
from arena.referee.seat import LocalSeat, ScriptedSeat
from arena_sdk import GameEnded, TimeControl, Turn
from arena_sdk.events import TurnRequested
from tests.unit.referee.table import MS, UNLIMITED, Answer, Watch, first, never, played, spec_of, steady, told
from tests.unit.rules.coins import Coins, CoinsState
from tests.unit.sdk.authors import AskedBot, FirstBot


def left_ms(seat: ScriptedSeat) -> list[int]:
    """The time that a player was told to have left, turn by turn."""
    return [turn.time_left_ms for turn in told(seat, TurnRequested)]


async def test_the_limit_itself_is_allowed() -> None:
    """A player may take its whole time for every move, to the nanosecond."""
    watch = Watch()
    record = await played([watch.player(repeat(100 * MS)), steady()], watch, time=TimeControl(100, 0))
    assert record.verdicts == ()
    assert {move.think_us for move in record.moves if move.seat == 0} == {100_000}
    assert {move.think_us for move in record.moves if move.seat == 1} == {0}


async def test_one_nanosecond_more_is_too_much() -> None:
    """A move that takes longer than that is not made."""
    watch = Watch()
    record = await played([watch.player([100 * MS, 100 * MS + 1]), steady()], watch, time=TimeControl(100, 0))
    (verdict,) = record.verdicts
    assert (verdict.kind, verdict.seat, verdict.turn) == (VerdictKind.TIMED_OUT, 0, 2)
    assert len(record.moves) == 2


async def test_the_bank_pays_for_what_goes_beyond() -> None:
    """What a move takes beyond its limit is taken from the bank, what it saves is not added, and the bank is told."""
    watch = Watch()
    thinker = watch.player([100 * MS, 120 * MS, 10 * MS, 130 * MS, 100 * MS, 100 * MS + 1])
    record = await played([thinker, steady()], watch, time=TimeControl(100, 50))
    assert left_ms(thinker) == [150, 150, 130, 130, 100, 100]
    (verdict,) = record.verdicts
    assert (verdict.kind, verdict.turn) == (VerdictKind.TIMED_OUT, 10)
    assert [move.think_us for move in record.moves if move.seat == 0] == [100_000, 120_000, 10_000, 130_000, 100_000]


async def test_the_bank_does_not_stretch() -> None:
    """Limit and bank together are the most that a move may take, and the sentence says both times."""
    watch = Watch()
    record = await played([watch.player([151 * MS]), steady()], watch, time=TimeControl(100, 50))
    assert [verdict.detail for verdict in record.verdicts] == [
        "The bot did not answer in time: it took 151 ms, and it had 150 ms."
    ]


async def test_every_seat_has_a_bank_of_its_own() -> None:
    """What one player takes is not taken from another."""
    watch = Watch()
    seats = [watch.player(chain([140 * MS], repeat(0))), watch.player(chain([150 * MS], repeat(0)))]
    record = await played(seats, watch, time=TimeControl(100, 50))
    assert record.verdicts == ()
    assert [left_ms(seat)[:2] for seat in seats] == [[150, 110], [150, 100]]


async def test_a_bank_alone() -> None:
    """Without a limit per move all time comes from the bank, and when it is used up so is the game."""
    watch = Watch()
    thinker = watch.player(chain([30 * MS, 20 * MS], repeat(1_000)))
    record = await played([thinker, steady()], watch, time=TimeControl(0, 50))
    assert left_ms(thinker)[:2] == [50, 20]
    (verdict,) = record.verdicts
    assert (verdict.kind, verdict.turn) == (VerdictKind.TIMED_OUT, 4)


async def test_without_a_limit() -> None:
    """Where no time is given, a move may take a year, and the player is told that there is no limit."""
    watch = Watch()
    year = 365 * 24 * 3600 * 1000 * MS
    thinker = watch.player(chain([year], repeat(MS)))
    record = await played([thinker, steady()], watch, time=UNLIMITED)
    assert record.verdicts == ()
    assert set(left_ms(thinker)) == {0}
    assert record.moves[0].think_us == year // 1000
    assert record.elapsed_us >= year // 1000


async def test_hardly_any_time_is_not_told_as_no_limit() -> None:
    """A player with less than a millisecond left is told one: 0 would mean that it has all the time in the world."""
    watch = Watch()
    thinker = watch.player(chain([50 * MS - 1000], repeat(0)))
    await played([thinker, steady()], watch, time=TimeControl(0, 50))
    assert left_ms(thinker)[:2] == [50, 1]


# ── the real clock ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_silence_costs_the_limit_and_the_bank() -> None:
    """A silent player is put out after limit and bank, not after the limit, and not much later."""
    silent = ScriptedSeat([never])
    began = time.monotonic()
    record = await played([silent, steady()], time=TimeControl(20, 30))
    assert 0.05 <= time.monotonic() - began < 5
    assert [verdict.detail for verdict in record.verdicts] == [
        "The bot did not answer in time: no answer came, and it had 50 ms."
    ]


def pausing(seconds: float) -> Callable[[TurnRequested], Any]:
    async def answer(turn: TurnRequested) -> Any:
        await asyncio.sleep(seconds)
        return first(turn)

    return answer


async def test_time_is_counted_for_each_move_alone() -> None:
    """A game may last many times the limit of a move: the alarm of one turn never rings in a later one."""
    seats = [ScriptedSeat(repeat(pausing(0.002))) for _ in range(2)]
    record = await played(seats, time=TimeControl(60, 0))
    assert record.verdicts == ()
    assert record.elapsed_us > 90_000
    assert all(move.think_us >= 2_000 for move in record.moves)


async def test_a_late_silence_is_found_out_too() -> None:
    """A player that falls silent in mid-game is put out just as well, and the others are not."""
    seats = [steady(), ScriptedSeat([*repeat(pausing(0.001), 5), never]), steady()]
    record = await played(seats, time=TimeControl(25, 0))
    assert [(verdict.seat, verdict.kind, verdict.turn) for verdict in record.verdicts] == [
        (1, VerdictKind.TIMED_OUT, 16)
    ]


async def test_all_may_be_silent_in_turn() -> None:
    """Each of three silent players but the last is put out by a time limit of its own."""
    record = await played([ScriptedSeat([never]) for _ in range(3)], time=TimeControl(15, 0))
    assert [verdict.kind for verdict in record.verdicts] == [VerdictKind.TIMED_OUT] * 2


async def test_a_bot_that_blocks_is_charged() -> None:
    """A local bot that holds up everything for too long is put out when it gives back control."""

    def dawdle(turn: Turn) -> Any:
        time.sleep(0.02)
        return turn.legal[0]

    record = await play_match(spec_of(time=TimeControl(5, 0)), [LocalSeat(AskedBot(dawdle)), LocalSeat(FirstBot())])
    assert [verdict.kind for verdict in record.verdicts] == [VerdictKind.TIMED_OUT]
    taken = re.search(r"it took (\d+) ms, and it had 5 ms", record.verdicts[0].detail)
    assert taken
    assert int(taken[1]) >= 20


async def test_a_player_may_refuse_to_be_interrupted() -> None:
    """A player that answers all the same when its time is up has not saved itself."""

    async def stubborn(turn: TurnRequested) -> Any:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return first(turn)

    record = await played([ScriptedSeat([stubborn]), steady()], time=TimeControl(15, 0))
    assert [verdict.kind for verdict in record.verdicts] == [VerdictKind.TIMED_OUT]


# ── being called off ────────────────────────────────────────────────────────────────────────────────────────────────


class Silent(ScriptedSeat):
    """Says when it has been asked. Does not answer."""

    def __init__(self) -> None:
        super().__init__([self._wait])
        self.asked = asyncio.Event()

    async def _wait(self, turn: TurnRequested) -> Any:
        self.asked.set()
        await asyncio.Event().wait()

    async def is_given_up(self) -> bool:
        """Whether nobody waits for its answer any more."""
        assert self.answering is not None
        await asyncio.wait({self.answering}, timeout=5)
        return self.answering.cancelled()


@pytest.fixture
async def timers(monkeypatch: pytest.MonkeyPatch) -> list[asyncio.TimerHandle]:
    """Every timer that is set in the event loop of the test."""
    handles: list[asyncio.TimerHandle] = []
    loop = asyncio.get_running_loop()
    usual = loop.call_at

    def noted(*arguments: Any, **extra: Any) -> asyncio.TimerHandle:
        handles.append(usual(*arguments, **extra))
        return handles[-1]

    monkeypatch.setattr(loop, "call_at", noted)
    return handles


def running(timers: list[asyncio.TimerHandle]) -> list[asyncio.TimerHandle]:
    return [timer for timer in timers if not timer.cancelled() and timer.when() > asyncio.get_running_loop().time()]


async def test_calling_off_is_not_running_out_of_time(timers: list[asyncio.TimerHandle]) -> None:
    """A match that is called off from outside ends with that, not with a verdict, and leaves no timer behind."""
    silent = Silent()
    match = asyncio.create_task(played([silent, steady()], time=TimeControl(60_000, 0)))
    await silent.asked.wait()
    assert len(running(timers)) == 1
    match.cancel()
    with pytest.raises(asyncio.CancelledError):
        await match
    assert await silent.is_given_up()
    assert [end.outcome for end in told(silent, GameEnded)] == [None]
    assert running(timers) == []


async def test_no_timer_outlives_a_match(timers: list[asyncio.TimerHandle]) -> None:
    """A match that was played to its end leaves no timer behind either."""
    await played([ScriptedSeat(repeat(pausing(0))), steady()], time=TimeControl(60_000, 0))
    assert timers != []
    assert running(timers) == []


async def test_a_limit_from_outside_is_not_the_limit_of_a_move() -> None:
    """Whoever gives a whole match a deadline gets a TimeoutError, and the player at hand no verdict."""
    silent = Silent()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02):
            await played([silent, steady()], time=TimeControl(60_000, 0))
    assert await silent.is_given_up()


async def test_an_answer_after_calling_off() -> None:
    """A player that answers when the match has been called off meets with silence, not with an error."""
    asked = asyncio.Event()

    async def stubborn(turn: TurnRequested) -> Any:
        asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return first(turn)

    seat = ScriptedSeat([stubborn])
    match = asyncio.create_task(played([seat, steady()], time=TimeControl(60_000, 0)))
    await asked.wait()
    match.cancel()
    with pytest.raises(asyncio.CancelledError):
        await match
    assert seat.answering is not None
    await asyncio.wait_for(seat.answering, 5)
    assert isinstance(seat.heard[-1], GameEnded)


async def test_a_match_after_a_silent_one() -> None:
    """Putting out a silent player leaves the task that plays the matches as it was: the next one can be played."""
    await played([ScriptedSeat([never]), steady()], time=TimeControl(10, 0))
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
    assert (await played([steady(), steady()], time=TimeControl(1_000, 0))).verdicts == ()


class Rigged(Coins):
    """Coins whose rules have a fault of their own."""

    name = "rigged"

    class State(CoinsState):
        def advance(self, move: Any) -> None:
            raise ZeroDivisionError("a fault in the rules")

    state_type = State


@pytest.mark.parametrize("line", [first, pausing(0)], ids=["at once", "later"])
async def test_a_fault_in_the_rules_ends_the_match(line: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the rules themselves fail, whoever plays the match is told so: it neither hangs nor blames a player."""
    monkeypatch.setattr("arena_rules.registry.games", lambda: {"rigged": Rigged()})
    spec = MatchSpec(0, "rigged", "first", ("ann", "bob"), 1)
    with pytest.raises(ZeroDivisionError):
        await asyncio.wait_for(play_match(spec, [ScriptedSeat(repeat(line)) for _ in spec.lineup]), 2)
