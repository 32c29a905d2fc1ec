"""Replays: a true record is confirmed, and a false one is found out at the move where it is false."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.errors import BadRecord
from arena.record import MatchRecord, MatchSpec, PlayedMove
from arena.replay import positions, verify
from arena_rules import Score, Termination, game
from tests.unit.cli.played import played, spec_of, timed_out, void


@pytest.mark.parametrize("edition", ["en-2022", "en-revised", "it", "de"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_true_record_is_confirmed(edition: str, players: int) -> None:
    """Any number of players and any edition replays to the recorded result."""
    record = played(spec_of(*"abcd"[:players], edition=edition))
    path = verify(record)
    assert len(path) == len(record.moves) + 1
    assert path[-1].state.outcome() == record.outcome


def test_positions_follow_the_moves() -> None:
    """The first position is the deal, and each of the others is told with the move that led to it."""
    record = played(spec_of())
    path = verify(record)
    assert path[0].event is None
    assert str(path[0].state) == str(game("shelfie").deal(2, 7, game("shelfie").rules("en-2022")))
    assert [position.event for position in path[1:]] == list(record.moves)
    assert [position.turn for position in path] == list(range(len(record.moves) + 1))


def test_options_count() -> None:
    """A match with a rule option of its own is dealt again with that option."""
    record = played(replace(spec_of(), options={"common_goals": "1"}))
    assert "common_goals:1" in str(verify(record)[0].state)


def test_seats_leave_where_the_record_says() -> None:
    """A verdict takes the seat out of the game before the next move, and the others play on."""
    record = played(spec_of("ann", "bob", "cleo"), timed_out(1, 4))
    path = verify(record)
    assert path[5].event == record.verdicts[0]
    assert path[5].turn == 4
    assert path[4].state.left == ()
    assert {position.state.left for position in path[5:]} == {(1,)}


def test_seats_may_leave_one_after_the_other() -> None:
    """Two seats that fail before the first move leave in the order of the record."""
    record = played(spec_of("ann", "bob", "cleo"), timed_out(0, 0), timed_out(1, 0))
    assert [position.state.left for position in verify(record)] == [(), (0,), (0, 1)]
    assert record.outcome is not None
    assert record.outcome.ranks == (3, 2, 1)


def test_a_void_match_is_shown_as_far_as_it_went() -> None:
    """A match without a result has nothing to confirm, but its moves must still be legal."""
    whole = played(spec_of())
    record = void(replace(whole, moves=whole.moves[:5]))
    assert len(verify(record)) == 6


def test_positions_come_one_by_one() -> None:
    """What is true before the first false move can be looked at."""
    record = played(spec_of())
    walk = positions(replace(record, moves=(*record.moves[:3], PlayedMove(1, "a1>1", 0))))
    assert [next(walk).turn for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(BadRecord):
        next(walk)


def with_move(record: MatchRecord, index: int, **changes: object) -> MatchRecord:
    moves = list(record.moves)
    moves[index] = replace(moves[index], **changes)  # type: ignore[arg-type]
    return replace(record, moves=tuple(moves))


def with_spec(record: MatchRecord, **changes: object) -> MatchRecord:
    spec: MatchSpec = replace(record.spec, **changes)  # type: ignore[arg-type]
    return replace(record, spec=spec)


def with_outcome(record: MatchRecord, **changes: object) -> MatchRecord:
    assert record.outcome is not None
    return replace(record, outcome=replace(record.outcome, **changes))  # type: ignore[arg-type]


def better(record: MatchRecord) -> MatchRecord:
    assert record.outcome is not None
    first, *others = record.outcome.scores
    name, points = first.parts[0]
    return with_outcome(record, scores=(Score(((name, points + 8), *first.parts[1:])), *others))


FALSE: dict[str, tuple[Callable[[MatchRecord], MatchRecord], str]] = {
    "other rules": (
        lambda record: replace(record, rules_version="0"),
        "played with version 0 of the rules of shelfie, and installed is version .*; install",
    ),
    "no such game": (lambda record: with_spec(record, game="ludo"), "cannot be replayed: there is no game 'ludo'"),
    "no such edition": (lambda record: with_spec(record, edition="fr"), "cannot be dealt again: .* no edition 'fr'"),
    "too many bots": (lambda record: with_spec(record, lineup=tuple("abcde")), "cannot be dealt again: .* not by 5"),
    "another seat": (
        lambda record: with_move(record, 2, seat=1),
        r"move 3 \(seat 1, .*\) does not replay: it was the turn of seat 0",
    ),
    "an unreadable move": (
        lambda record: with_move(record, 2, notation="hello"),
        r"move 3 \(seat 0, hello\) does not replay: 'hello' is not a move",
    ),
    "an illegal move": (
        lambda record: with_move(record, 2, notation=record.moves[0].notation),
        r"move 3 \(seat 0, .*\) does not replay: .* there is no tile on",
    ),
    "a move too many": (
        lambda record: replace(record, moves=(*record.moves, record.moves[0])),
        r"move \d+ \(seat 0, .*\) does not replay: the game was over",
    ),
    "a move too few": (
        lambda record: replace(record, moves=record.moves[:-1]),
        r"the record has a result, but after its \d+ moves the game is not over",
    ),
    "other points": (better, r"seat 0 scored \d+ \(common goals 0, .*, and the record says \d+ \(common goals 8"),
    "other ranks": (
        lambda record: with_outcome(record, ranks=(2, 1)),
        "the ranks in seat order are 1 2, and the record says 2 1",
    ),
    "another ending": (
        lambda record: with_outcome(record, termination=Termination.ABANDONED),
        "the game was completed, and the record says abandoned",
    ),
    "a result for nobody": (
        lambda record: with_outcome(record, ranks=(1,), scores=()),
        "2 seats played, and the record has results for 1",
    ),
    "leaving after the end": (
        lambda record: replace(record, verdicts=(timed_out(1, len(record.moves)),)),
        r"seat 1 cannot have left after \d+ moves: the game was over",
    ),
    "leaving never": (
        lambda record: replace(record, verdicts=(timed_out(1, 999),)),
        r"seat 1 cannot have left after 999 moves: it is listed where \d+ were made",
    ),
    "leaving from nowhere": (
        lambda record: replace(record, verdicts=(timed_out(2, 3),)),
        "seat 2 cannot have left after 3 moves: it was not in the game",
    ),
}


@pytest.mark.parametrize("what", FALSE)
def test_a_false_record_is_refused(what: str) -> None:
    """The sentence says what differs and at which move."""
    change, sentence = FALSE[what]
    with pytest.raises(BadRecord, match=sentence) as caught:
        verify(change(played(spec_of())))
    assert "\n" not in str(caught.value)


def test_verdicts_out_of_order_are_refused() -> None:
    """Seats leave in the order in which they are listed."""
    record = played(spec_of("ann", "bob", "cleo", "dan"), timed_out(2, 5), timed_out(3, 6))
    with pytest.raises(BadRecord, match="seat 2 cannot have left after 5 moves: it is listed where 6 were made"):
        verify(replace(record, verdicts=record.verdicts[::-1]))
