"""Being put out of a game: who is, for what, in which words, and what becomes of the others."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import repeat
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.record import MatchRecord, VerdictKind
from arena.referee.match import play_match
from arena.referee.seat import AbsentSeat, LocalSeat, ScriptedSeat
from arena.referee.verdict import SENTENCES, Forfeit
from arena.replay import verify
from arena_rules import Termination
from arena_sdk import GameEnded, MoveApplied, SeatLeft, TimeControl
from arena_sdk.events import NewsWanted, TurnRequested
from tests.tree import ROOT
from tests.unit.referee.table import first, never, out, played, spec_of, steady, told, until
from tests.unit.sdk.authors import AskedBot, DiaryBot

NOT_A_MOVE = (
    "'hello' is not a move: write one to 3 spaces of the board in a straight line, in the order of putting, and a "
    "column from 1 to 5, as in d4e4>2"
)
FAILURES: dict[str, tuple[Any, VerdictKind, str]] = {
    "an illegal move": (
        "e5>1",
        VerdictKind.ILLEGAL,
        "The bot made a move that the rules forbid: e5>1: the tile on e5 has no free side.",
    ),
    "nonsense": (
        "hello",
        VerdictKind.UNREADABLE,
        f"The bot's answer could not be read as a move: {NOT_A_MOVE}.",
    ),
    "a closed connection": (
        out(VerdictKind.DISCONNECTED),
        VerdictKind.DISCONNECTED,
        "The bot's connection ended in mid-game while its process lived on.",
    ),
    "an answer to another turn": (
        out(VerdictKind.OUT_OF_TURN, "it answered turn 3 when asked for turn 4"),
        VerdictKind.OUT_OF_TURN,
        "The bot spoke out of turn: it answered turn 3 when asked for turn 4.",
    ),
    "a crash": (
        out(VerdictKind.CRASHED, "was killed by signal 9 (SIGKILL)"),
        VerdictKind.CRASHED,
        "The bot's process ended in mid-game: it was killed by signal 9 (SIGKILL).",
    ),
}


@pytest.mark.parametrize("what", FAILURES)
async def test_verdict_and_sentence(what: str) -> None:
    """The record and the bot itself get the same finding: which kind, at which move, in which words."""
    failure, kind, sentence = FAILURES[what]
    loser, winner = until(1, failure), steady()
    record = await played([winner, loser])
    (verdict,) = record.verdicts
    assert (verdict.seat, verdict.kind, verdict.turn, verdict.detail) == (1, kind, 3, sentence)
    assert (verdict.exit_status, verdict.signal, verdict.log_tail) == (None, 0, "")
    assert told(loser, GameEnded) == [GameEnded(None, sentence)]
    assert told(winner, GameEnded) == [GameEnded(record.outcome)]
    assert len(record.moves) == 3


async def test_no_answer() -> None:
    """A player who does not answer is put out when its time is up, and the sentence says how much it had."""
    slow = ScriptedSeat([never])
    record = await played([slow, steady()], time=TimeControl(20, 0))
    (verdict,) = record.verdicts
    assert verdict.kind is VerdictKind.TIMED_OUT
    assert verdict.detail == "The bot did not answer in time: no answer came, and it had 20 ms."
    assert told(slow, GameEnded) == [GameEnded(None, verdict.detail)]


@pytest.mark.parametrize("kind", [VerdictKind.NEVER_JOINED, VerdictKind.FAILED_TO_START])
async def test_a_player_who_has_not_come(kind: VerdictKind) -> None:
    """An empty seat forfeits when it is first asked, with what is known of why it is empty."""
    absent = AbsentSeat(Forfeit(kind, "it is ill", exit_status=3, signal=0, log_tail="achoo"))
    record = await play_match(spec_of(3), [steady(), absent, steady()])
    (verdict,) = record.verdicts
    assert (verdict.seat, verdict.kind, verdict.turn) == (1, kind, 1)
    assert (verdict.exit_status, verdict.log_tail) == (3, "achoo")
    assert verdict.detail == SENTENCES[kind].format("it is ill")
    assert record.outcome is not None
    assert record.outcome.ranks[1] == 3


def test_every_kind_has_its_sentence() -> None:
    """The set of findings is closed: each has one sentence, for a person to read."""
    assert set(SENTENCES) == set(VerdictKind)
    for kind in VerdictKind:
        sentence = Forfeit(kind, "so it was.").sentence
        assert sentence.startswith("The bot")
        assert sentence.count(".") == 1
        assert sentence.endswith(".")


async def test_a_bot_in_this_process_is_judged_too() -> None:
    """A local bot that answers with an illegal move or with nonsense is put out like any other."""
    unreadable, illegal, diary = AskedBot(lambda turn: "hello"), AskedBot(lambda turn: "e5>1"), DiaryBot()
    record = await play_match(spec_of(3), [LocalSeat(unreadable), LocalSeat(illegal), LocalSeat(diary)])
    assert [verdict.kind for verdict in record.verdicts] == [VerdictKind.UNREADABLE, VerdictKind.ILLEGAL]
    assert [left.seat for left in diary.told("heard")] == [0, 1]


# ── the others ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_with_two_the_other_one_wins() -> None:
    """When one of two is put out, the game is over, and the other one has won whatever the scores."""
    record = await played([until(4, out()), steady()])
    assert record.outcome is not None
    assert record.outcome.ranks == (2, 1)
    assert record.outcome.termination is Termination.ABANDONED
    assert len(record.moves) == 8
    verify(record)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("loser", [0, 1, 2])
async def test_with_more_the_others_play_on(players: int, loser: int) -> None:
    """The others hear of it, play to the end, and all rank above the one who left."""
    seats = [until(2, out()) if seat == loser else steady() for seat in range(players)]
    record = await played(seats)
    assert record.outcome is not None
    assert record.outcome.termination is Termination.COMPLETED
    assert record.outcome.ranks[loser] == players
    assert sorted(record.outcome.ranks) == list(range(1, players + 1))
    left = 2 * players + loser
    assert [move.seat for move in record.moves if move.seat == loser] == [loser] * 2
    assert len(record.moves) > left
    for seat in set(range(players)) - {loser}:
        assert told(seats[seat], SeatLeft) == [SeatLeft(left, loser)]
        assert told(seats[seat], GameEnded) == [GameEnded(record.outcome)]
    verify(record)


async def test_who_is_out_hears_no_more() -> None:
    """After its verdict a player is told nothing: neither moves nor the result."""
    loser = until(2, out(), news=NewsWanted.AT_ONCE)
    await played([steady(), loser, steady()])
    assert isinstance(loser.heard[-1], GameEnded)
    assert all(event.turn <= 7 for event in told(loser, MoveApplied, TurnRequested))


async def test_eager_players_hear_of_a_leaving_at_once() -> None:
    """A player who wants news at once hears that somebody has left before the next move is made."""
    eager = steady(NewsWanted.AT_ONCE)
    await played([eager, until(1, out()), steady()])
    position = eager.heard.index(SeatLeft(4, 1))
    assert [event.turn for event in told(eager, MoveApplied) if eager.heard.index(event) < position] == [1, 2]


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_all_fail_but_one(players: int) -> None:
    """When all fail in turn, the last one has won without being asked, and the ranks follow the order of leaving."""
    seats = [until(0, out()) for _ in range(players)]
    record = await played(seats)
    assert [verdict.seat for verdict in record.verdicts] == list(range(players - 1))
    assert record.outcome is not None
    assert record.outcome.ranks == tuple(range(players, 0, -1))
    assert told(seats[-1], TurnRequested) == []
    assert told(seats[-1], GameEnded) == [GameEnded(record.outcome)]
    assert record.moves == ()
    verify(record)


async def test_two_leave_at_different_times() -> None:
    """Of those who left, who stayed longer ranks better."""
    seats = [steady(), until(5, out()), until(2, "e5>1"), steady()]
    record = await played(seats)
    assert [(verdict.seat, verdict.kind) for verdict in record.verdicts] == [
        (2, VerdictKind.ILLEGAL),
        (1, VerdictKind.DISCONNECTED),
    ]
    assert record.outcome is not None
    assert record.outcome.ranks[1:3] == (3, 4)
    verify(record)


# ── any mixture ─────────────────────────────────────────────────────────────────────────────────────────────────────


def shaky(rng: Random) -> Callable[[TurnRequested], Any]:
    """A random move, and now and then something worse."""

    def answer(turn: TurnRequested) -> Any:
        luck = rng.random()
        if luck < 0.03:
            return out()
        if luck < 0.06:
            return "e5>1"
        return rng.choice(turn.view.legal_moves())

    return answer


async def shaky_match(players: int, edition: str, seed: int) -> MatchRecord:
    seats = [
        ScriptedSeat(repeat(shaky(Random(seed + seat))), news=list(NewsWanted)[seat % 3]) for seat in range(players)
    ]
    return await play_match(spec_of(players, edition=edition, seed=seed), seats)


@given(st.sampled_from([2, 3, 4]), st.sampled_from(["en-2022", "en-revised", "it", "de"]), st.integers(0, 2**64 - 9))
@settings(max_examples=40, deadline=None)
async def test_every_record_can_be_replayed(players: int, edition: str, seed: int) -> None:
    """Whoever fails, whenever, the record replays by the rules, and leavers rank last in the order of leaving."""
    record = await shaky_match(players, edition, seed)
    verify(record)
    assert record.outcome is not None
    ranks = [record.outcome.ranks[verdict.seat] for verdict in record.verdicts]
    assert ranks == list(range(players, players - len(ranks), -1))


def test_every_verdict_is_documented() -> None:
    """The page of the referee lists every finding, and nothing that is none."""
    section = (ROOT / "arena" / "referee" / "README.md").read_text().split("\n## Verdicts\n")[1].split("\n## ")[0]
    assert re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE) == [kind.value for kind in VerdictKind]


async def test_a_lenient_match_goes_on() -> None:
    """A wrong, unreadable or late answer is made good by a random move, and the record says each of them."""
    spec = replace(spec_of(time=TimeControl(20, 0)), lenient=True)
    clumsy = ScriptedSeat([first, "e5>1", "nonsense", never, *repeat(first, 50)])
    record = await play_match(spec, [steady(), clumsy])
    assert record.verdicts == ()
    assert record.outcome is not None
    assert record.outcome.termination is Termination.COMPLETED
    kinds = [(pardon.seat, pardon.turn, pardon.kind) for pardon in record.pardons]
    expected = (VerdictKind.ILLEGAL, VerdictKind.UNREADABLE, VerdictKind.TIMED_OUT)
    assert kinds == [(1, turn, kind) for turn, kind in zip((3, 5, 7), expected, strict=True)]
    verify(record)


async def test_a_lenient_match_has_its_limits() -> None:
    """A bot that is gone is put out of a lenient match too."""
    record = await play_match(replace(spec_of(), lenient=True), [steady(), until(1, out())])
    assert [verdict.kind for verdict in record.verdicts] == [VerdictKind.DISCONNECTED]
    assert record.pardons == ()


async def test_an_excuse_makes_a_match_void() -> None:
    """When there is an excuse for a time-out, nobody is put out, and the record has the reason and no result."""
    asked: list[tuple[int, int]] = []

    def excuse(seat: int, limit_ns: int) -> str:
        asked.append((seat, limit_ns))
        return "The machine stood still."

    spec = spec_of(time=TimeControl(20, 0))
    record = await play_match(spec, [steady(), until(1, never)], excuse=excuse)
    assert (record.outcome, record.verdicts, record.void_reason) == (None, (), "The machine stood still.")
    assert asked == [(1, 20_000_000)]
    verify(record)


async def test_what_an_illegal_answer_was() -> None:
    """The verdict on an illegal move has the move."""
    record = await play_match(spec_of(), [steady(), until(1, "e5>1")])
    assert record.verdicts[0].answer == "e5>1"
