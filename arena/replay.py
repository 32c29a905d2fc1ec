"""Playing a record again by the rules. Whoever looks at every position of a record has proved it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from arena.errors import BadRecord
from arena.record import MatchRecord, PlayedMove, Verdict
from arena_rules import Game, Outcome, RulesError, Score, State, game


class Position(NamedTuple):
    """A state of the game and how it came about."""

    turn: int
    """How many moves have been made."""
    event: PlayedMove | Verdict | None
    """What led here: a move, a seat's leaving, or nothing for the deal."""
    state: State[Any]


def verify(record: MatchRecord) -> list[Position]:
    """Every position of the match. Raises BadRecord, saying what differs and where, unless all of it replays."""
    return list(positions(record))


def positions(record: MatchRecord) -> Iterator[Position]:
    """The positions from the deal to the end, made anew by the rules.

    Raises BadRecord where the record and the rules part: before the deal when the rules are not those it was played
    with, at a move that another seat had or that is not legal, and after the last one when the result is another one.
    """
    rules = _rules_of(record)
    state = _dealt(rules, record)
    leaving = deque(record.verdicts)
    yield Position(0, None, state)
    for turn, move in enumerate(record.moves):
        while leaving and leaving[0].turn <= turn:
            state = _retired(state, leaving[0], turn)
            yield Position(turn, leaving.popleft(), state)
        state = _moved(rules, state, move, turn)
        yield Position(turn + 1, move, state)
    for verdict in leaving:
        state = _retired(state, verdict, len(record.moves))
        yield Position(len(record.moves), verdict, state)
    _check_result(record, state)


def _rules_of(record: MatchRecord) -> Game[Any]:
    try:
        rules = game(record.spec.game)
    except RulesError as error:
        raise BadRecord(f"the match cannot be replayed: {error}") from None
    if record.rules_version != rules.rules_version:
        raise BadRecord(
            f"the match was played with version {record.rules_version} of the rules of {rules.name}, and installed is "
            f"version {rules.rules_version}; install the arena-sdk it was played with"
        )
    return rules


def _dealt(rules: Game[Any], record: MatchRecord) -> State[Any]:
    spec = record.spec
    try:
        return rules.deal(len(spec.lineup), spec.seed, rules.rules(spec.edition, spec.options))
    except RulesError as error:
        raise BadRecord(f"the match cannot be dealt again: {error}") from None


def _retired(state: State[Any], verdict: Verdict, turn: int) -> State[Any]:
    seat = verdict.seat
    if verdict.turn != turn:
        raise BadRecord(f"seat {seat} cannot have left after {verdict.turn} moves: it is listed where {turn} were made")
    if state.to_move < 0:
        raise BadRecord(f"seat {seat} cannot have left after {turn} moves: the game was over")
    if seat >= state.players or seat in state.left:
        raise BadRecord(f"seat {seat} cannot have left after {turn} moves: it was not in the game")
    return state.retire(seat)


def _moved(rules: Game[Any], state: State[Any], move: PlayedMove, turn: int) -> State[Any]:
    where = f"move {turn + 1} (seat {move.seat}, {move.notation[:40]})"
    if state.to_move < 0:
        raise BadRecord(f"{where} does not replay: the game was over")
    if move.seat != state.to_move:
        raise BadRecord(f"{where} does not replay: it was the turn of seat {state.to_move}")
    try:
        return state.apply(rules.read_move(move.notation))
    except RulesError as error:
        raise BadRecord(f"{where} does not replay: {error}") from None


def _check_result(record: MatchRecord, state: State[Any]) -> None:
    recorded, replayed = record.outcome, state.outcome()
    if recorded is None:
        return
    if replayed is None:
        raise BadRecord(f"the record has a result, but after its {len(record.moves)} moves the game is not over")
    if recorded != replayed:
        raise BadRecord(f"the result does not replay: {_difference(recorded, replayed)}")


def _difference(recorded: Outcome, replayed: Outcome) -> str:
    if recorded.termination != replayed.termination:
        return f"the game was {replayed.termination.value}, and the record says {recorded.termination.value}"
    if len(recorded.ranks) != len(replayed.ranks):
        return f"{len(replayed.ranks)} seats played, and the record has results for {len(recorded.ranks)}"
    for seat, (said, found) in enumerate(zip(recorded.scores, replayed.scores, strict=True)):
        if said != found:
            return f"seat {seat} scored {_sheet(found)}, and the record says {_sheet(said)}"
    ranks = " ".join(map(str, replayed.ranks))
    return f"the ranks in seat order are {ranks}, and the record says {' '.join(map(str, recorded.ranks))}"


def _sheet(score: Score) -> str:
    return f"{score.total} ({', '.join(f'{name} {points}' for name, points in score.parts)})"
