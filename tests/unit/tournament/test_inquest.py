"""What a record tells of one seat."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.record import Effort, LogLine, MatchRecord, Verdict, VerdictKind
from arena.replay import verify
from arena.tournament.inquest import chosen_seat, inquest, seen
from arena.tournament.reference import answers, compare, decisions
from arena_rules import game
from arena_sdk.events import TimeControl
from tests.unit.cli.played import played, spec_of, timed_out, void


def cheated() -> MatchRecord:
    """A match of three in which seat 1 is put out for a move that it was not allowed."""
    verdict = Verdict(1, VerdictKind.ILLEGAL, 4, "The bot made a move that the rules forbid.", answer="a1>1")
    record = played(spec_of("ann@1", "bob@2", "cleo@1"), verdict)
    log = (LogLine(1, "first"), LogLine(4, "now I cheat"), LogLine(4, "haha"))
    return replace(record, efforts=(Effort(7, 8), Effort(9, 10, log), Effort()))


@pytest.mark.parametrize(("bot", "seat"), [(None, 1), ("bob", 1), ("bob@2", 1), ("cleo@1", 2), ("0", 0), ("2", 2)])
def test_who_is_meant(bot: str | None, seat: int) -> None:
    """A bot is meant by name, label or seat; by default it is the one that was put out."""
    assert chosen_seat(cheated(), bot) == seat


def test_whoever_came_last_is_meant() -> None:
    """When all have played to the end, the last one wants to know why; of two of a name, the worse one."""
    record = played(spec_of("ann@1", "ann@1", "cleo@1"))
    assert record.outcome is not None
    ranks = record.outcome.ranks
    assert ranks[chosen_seat(record, None)] == max(ranks)
    assert ranks[chosen_seat(record, "ann")] == max(ranks[:2])
    with pytest.raises(UsageError, match="dora did not play in this match; its bots were ann@1, ann@1, cleo@1"):
        chosen_seat(record, "dora")


def test_the_last_exchange_of_one_who_was_put_out() -> None:
    """It is the turn of the verdict: what the seat was shown, nothing more, and what it said."""
    record = cheated()
    found = inquest(record, 1)
    state = next(position.state for position in verify(record) if position.turn == 4)
    assert found.last is not None
    assert (found.last.turn, found.last.answer) == (4, "a1>1")
    assert str(found.last.view) == str(state.view(1))
    drawing = "\n".join("".join(text for text, _ in line) for line in seen(found.last.view))
    assert drawing.count("goal ?") == 2


def test_the_last_exchange_of_one_who_finished() -> None:
    """It is its last move."""
    record = played(spec_of("ann@1", "bob@1"))
    last = max(turn for turn, move in enumerate(record.moves) if move.seat == 0)
    found = inquest(record, 0)
    assert found.last is not None
    assert (found.last.turn, found.last.answer) == (last, record.moves[last].notation)


def test_one_who_never_started() -> None:
    """A seat that was never asked has no exchange, no move, and nothing that was measured."""
    verdict = Verdict(0, VerdictKind.FAILED_TO_START, 0, "The bot could not be started.")
    record = replace(
        played(spec_of("ann@1", "bob@1", "cleo@1"), verdict), efforts=(Effort(), Effort(1, 1), Effort(1, 1))
    )
    found = inquest(record, 0)
    assert found.steps == ()
    assert found.effort is None
    assert found.rank == 3


def test_log_lines_stand_by_their_moves() -> None:
    """What a bot wrote while it thought about a move stands by that move; the rest is not lost."""
    found = inquest(cheated(), 1)
    assert [(step.turn, step.log) for step in found.steps] == [(1, ("first",))]
    assert [line.text for line in found.late_log] == ["now I cheat", "haha"]
    assert found.effort == cheated().efforts[1]
    assert inquest(cheated(), 2).effort is None


def test_a_void_match() -> None:
    """Nobody has a rank or points in a void match, but what was played is there."""
    found = inquest(void(played(spec_of("ann@1", "bob@1"))), 1)
    assert (found.rank, found.score, found.winner) == (None, None, None)
    assert found.steps


@settings(max_examples=50)
@given(move_ms=st.integers(0, 50), bank_ms=st.integers(0, 400))
def test_the_bank_is_what_the_clock_left(move_ms: int, bank_ms: int) -> None:
    """The bank pays for what goes beyond the time of a move, and never grows."""
    record = replace(BASE, spec=replace(BASE.spec, time=TimeControl(move_ms, bank_ms)))
    steps = inquest(record, 0).steps
    left = bank_ms * 1000
    for step in steps:
        if not (move_ms or bank_ms):
            assert step.bank_us is None
            continue
        left = max(0, left - max(0, step.think_us - move_ms * 1000))
        assert step.bank_us == left


BASE = played(spec_of("ann@1", "bob@1"))


def test_the_best_of_the_others_is_compared_with() -> None:
    """The one to learn from is the winner, or for the winner the runner-up."""
    record = played(spec_of("ann@1", "bob@1", "cleo@1"), timed_out(2, 5))
    assert record.outcome is not None
    first = record.outcome.ranks.index(1)
    assert inquest(record, 2).winner == first
    assert inquest(record, first).winner == record.outcome.ranks.index(2)


def test_the_reference_finds_a_better_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random moves are bettered by a search, the costliest first, and the same way every time."""
    monkeypatch.setattr("arena.tournament.reference.ROUNDS", 40)
    found = compare(BASE, 0, playouts=10)
    assert found == compare(BASE, 0, playouts=10)
    assert found[0].cost > 0.05
    assert [one.cost for one in found] == sorted((one.cost for one in found), reverse=True)
    assert all(one.played == BASE.moves[one.turn].notation != one.better for one in found)


def test_a_reference_that_agrees_has_nothing_to_say() -> None:
    """Where the reference would have made the same move there is nothing to compare."""
    same = {position.turn: BASE.moves[position.turn].notation for position in decisions(BASE, 1)}
    assert compare(BASE, 1, answers(same, "shelfie")) == []
    turn, position = list(same)[3], decisions(BASE, 1)[3]
    legal = [str(move) for move in position.state.legal_moves()]
    same[turn] = next(move for move in legal if move != same[turn])
    (other,) = compare(BASE, 1, answers(same, "shelfie"), playouts=3)
    assert (other.turn, other.better) == (turn, same[turn])


def test_both_games_can_be_compared() -> None:
    """The reference knows both games."""
    record = played(replace(spec_of("ann@1", "bob@1", edition=game("codex").default_edition), game="codex"))
    assert compare(record, 0, lambda view, rng: view.sample(Random(0)).legal_moves()[0], playouts=2)


def test_who_made_no_move_cannot_be_compared() -> None:
    """Without a move there is nothing that could have been better."""
    verdict = Verdict(0, VerdictKind.FAILED_TO_START, 0, "The bot could not be started.")
    with pytest.raises(UsageError, match="seat 0 made no move"):
        compare(played(spec_of("ann@1", "bob@1"), verdict), 0)
