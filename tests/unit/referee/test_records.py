"""The record that leaves a match."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import repeat
from random import Random

import pytest

from arena.record import Entrant, MatchRecord, MatchSpec
from arena.referee.match import play_match
from arena.referee.seat import LocalSeat, ScriptedSeat
from arena.replay import verify
from arena_rules import BadOptions, UnknownGame, game
from arena_sdk import TimeControl
from arena_sdk.testing import play
from tests.unit.referee.table import MS, Watch, played, spec_of, steady, without_times
from tests.unit.sdk.authors import DiaryBot, RandomBot


async def test_what_a_record_says() -> None:
    """A record holds the spec, the rules version, who played, every move with its time, the result and when it was."""
    watch = Watch()
    before = time.time_ns() // 1000
    record = await played([watch.player(repeat(3 * MS + 999)), watch.player(repeat(5 * MS))], watch)
    assert record.spec == spec_of()
    assert record.rules_version == game("shelfie").rules_version
    assert record.lineup == (Entrant("ann"), Entrant("bob"))
    assert record.in_flight == 1
    assert before <= record.started_us <= time.time_ns() // 1000
    assert record.elapsed_us == sum(3 * MS + 999 if move.seat == 0 else 5 * MS for move in record.moves) // 1000
    assert [(move.seat, move.think_us) for move in record.moves[:3]] == [(0, 3_000), (1, 5_000), (0, 3_000)]


async def test_the_moves_of_a_record_lead_to_its_outcome() -> None:
    """Played again by the rules, the moves give the result that is in the record."""
    record = await played([steady(), steady(), steady()])
    shelfie = game("shelfie")
    state = shelfie.deal(3, 7, shelfie.rules("en-2022"))
    for move in record.moves:
        assert move.seat == state.to_move
        state = state.apply(shelfie.read_move(move.notation))
    assert record.outcome == state.outcome()


async def test_entrants_and_games_in_flight() -> None:
    """Which versions of the bots played, and beside how many other games, is recorded as the caller says."""
    lineup = [Entrant("ann", "ab" * 32), Entrant("bob", "cd" * 32)]
    record = await play_match(spec_of(), [steady(), steady()], lineup=lineup, in_flight=16)
    assert record.lineup == tuple(lineup)
    assert record.in_flight == 16


async def random_match(spec: MatchSpec) -> MatchRecord:
    return await play_match(spec, [LocalSeat(RandomBot()) for _ in spec.lineup], now=Watch())


@pytest.mark.parametrize("edition", game("shelfie").editions)
@pytest.mark.parametrize("players", game("shelfie").players)
async def test_equal_specs_give_equal_records(players: int, edition: str) -> None:
    """With bots that take their chance from their seed, a spec gives the same record again, times aside."""
    spec = spec_of(players, seed=Random(players).getrandbits(64), edition=edition)
    record, again = await random_match(spec), await random_match(spec)
    assert without_times(record) == without_times(again)
    assert record.moves != (await random_match(replace(spec, seed=spec.seed ^ 1))).moves
    verify(record)


async def test_a_match_is_what_the_sdk_plays() -> None:
    """An author who plays a game without a server sees the very game that the referee would play."""
    record = await random_match(spec_of(seed=99))
    assert (
        tuple(move.notation for move in record.moves)
        == play([RandomBot(), RandomBot()], "shelfie", seed=99, edition="en-2022").moves
    )


async def test_rule_options_are_kept() -> None:
    """Options on top of the edition are in force, and are part of the spec in the record."""
    spec = replace(spec_of(), options={"common_goals": "1"})
    bot = DiaryBot()
    record = await play_match(spec, [LocalSeat(bot), LocalSeat(RandomBot())])
    assert bot.diary[0][1].start.options["common_goals"] == "1"
    assert record.spec.options == {"common_goals": "1"}
    verify(record)


async def test_a_local_bot_is_told_all() -> None:
    """A bot in this process hears of start, moves and end, and of its time, like one behind a stream."""
    bot = DiaryBot()
    spec = replace(spec_of(), time=TimeControl(2_000, 0))
    record = await play_match(spec, [LocalSeat(RandomBot()), LocalSeat(bot)])
    assert bot.words()[:3] == ["started", "heard", "asked"]
    assert [str(news.move) for news in bot.told("heard")] == [move.notation for move in record.moves if move.seat == 0]
    assert bot.told("ended")[0].outcome == record.outcome
    assert bot.diary[0][1].start.time == TimeControl(2_000, 0)


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        (replace(spec_of(), game="chess"), UnknownGame),
        (replace(spec_of(), edition="fr"), BadOptions),
        (replace(spec_of(), options={"dice": "6"}), BadOptions),
    ],
)
async def test_a_spec_that_cannot_be_played(spec: MatchSpec, error: type[Exception]) -> None:
    """What cannot be dealt is refused before anybody is told anything."""
    seats = [ScriptedSeat([]), ScriptedSeat([])]
    with pytest.raises(error):
        await play_match(spec, seats)
    assert [seat.heard for seat in seats] == [[], []]
