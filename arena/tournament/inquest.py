"""How a bot came to its result in one match: all that the record tells of a seat, put together for its author."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arena.errors import BadRecord, UsageError
from arena.record import Effort, LogLine, MatchRecord, PlayedMove, Verdict
from arena.referee.clock import Clock
from arena.replay import positions, verify
from arena.tournament.audit.games import misshapen
from arena_rules import Picture, Score, State, View
from arena_sdk.events import TimeControl


@dataclass(frozen=True, slots=True)
class Step:
    """A move of the seat."""

    turn: int
    """How many moves had been made before it."""
    move: str
    think_us: int
    bank_us: int | None
    """What was left in the bank after it; nothing where there is no limit."""
    log: tuple[str, ...]
    """What the bot wrote while it thought about it, as far as that is known."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """The last thing that a bot was asked, and what it said."""

    turn: int
    """How many moves had been made before."""
    view: View[Any]
    """What it was shown."""
    answer: str
    """Its move, or the answer that it was put out for; empty when there was none."""


@dataclass(frozen=True, slots=True)
class Inquest:
    """All that is known of one seat."""

    seat: int
    bot: str
    rank: int | None
    """Nothing in a void match, like the scores."""
    verdict: Verdict | None
    """Why it was put out, if it was."""
    pardons: tuple[Verdict, ...]
    """Its failures that a random move made good, in a lenient match."""
    last: Exchange | None
    """Nothing when it was never asked."""
    steps: tuple[Step, ...]
    late_log: tuple[LogLine, ...]
    """What it wrote at a turn that led to no move."""
    effort: Effort | None
    """Nothing when nobody measured."""
    score: Score | None
    winner: int | None
    """The seat to compare with: the best of the others."""

    @property
    def think_us(self) -> int:
        return sum(step.think_us for step in self.steps)


def check(record: MatchRecord) -> None:
    """Raises BadRecord unless the record replays and speaks of the seats that its table has."""
    if problem := misshapen(record):
        raise BadRecord(f"the record cannot be explained: {problem}")
    verify(record)


def chosen_seat(record: MatchRecord, bot: str | None) -> int:
    """The seat that is meant by a name, a label or the number of a seat. Raises UsageError.

    Nobody being named, it is the first that was put out, else the one that came last. So it is if a name fits several.
    """
    names = record.spec.lineup
    seats = range(len(names))
    fitting = [seat for seat in seats if bot in {None, names[seat], names[seat].partition("@")[0], str(seat)}]
    if not fitting:
        raise UsageError(f"{bot} did not play in this match; its bots were {', '.join(names)}")
    for verdict in record.verdicts:
        if verdict.seat in fitting:
            return verdict.seat
    ranks = record.outcome.ranks if record.outcome is not None else [0] * len(names)
    return max(fitting, key=lambda seat: (ranks[seat], seat))


def inquest(record: MatchRecord, seat: int) -> Inquest:
    """Look into one seat of a record that was checked."""
    outcome = record.outcome
    verdict = next((one for one in record.verdicts if one.seat == seat), None)
    measured = record.efforts[seat] if record.efforts and record.efforts[seat] != Effort() else None
    steps = tuple(_steps(record, seat, measured))
    return Inquest(
        seat=seat,
        bot=record.spec.lineup[seat],
        rank=None if outcome is None else outcome.ranks[seat],
        verdict=verdict,
        pardons=tuple(one for one in record.pardons if one.seat == seat),
        last=_last_exchange(record, seat, verdict),
        steps=steps,
        late_log=_late(measured, steps),
        effort=measured,
        score=None if outcome is None else outcome.scores[seat],
        winner=None if outcome is None else _best_other(outcome.ranks, seat),
    )


def seen(view: View[Any]) -> Picture:
    """What a seat saw, drawn with gaps where it did not know; in notation for a game that cannot do that."""
    public = getattr(view, "public", None)
    return public.picture() if isinstance(public, State) else [[(str(view), "")]]


def _steps(record: MatchRecord, seat: int, measured: Effort | None) -> Iterator[Step]:
    control = record.spec.time
    clock = Clock(control)
    lines = measured.log if measured is not None else ()
    for turn, move in enumerate(record.moves):
        if move.seat == seat:
            log = tuple(line.text for line in lines if line.turn == turn)
            yield Step(turn, move.notation, move.think_us, _bank_us(clock, control, move), log)


def _bank_us(clock: Clock, control: TimeControl, move: PlayedMove) -> int | None:
    """Charge the clock with a move, as the referee did."""
    if control.unlimited:
        return None
    # A random move that stood in for a late answer may have taken longer than the clock allows.
    clock.charge(min(move.think_us * 1000, clock.limit_ns))
    return max(0, clock.limit_ns // 1000 - control.move_ms * 1000)


def _late(measured: Effort | None, steps: Sequence[Step]) -> tuple[LogLine, ...]:
    if measured is None:
        return ()
    turns = {step.turn for step in steps}
    return tuple(line for line in measured.log if line.turn not in turns)


def _last_exchange(record: MatchRecord, seat: int, verdict: Verdict | None) -> Exchange | None:
    last: Exchange | None = None
    for position in positions(record):
        state = position.state
        if state.to_move != seat:
            continue
        if verdict is not None and position.turn == verdict.turn:
            last = Exchange(position.turn, state.view(seat), verdict.answer)
        elif position.turn < len(record.moves):
            last = Exchange(position.turn, state.view(seat), record.moves[position.turn].notation)
    return last


def _best_other(ranks: Sequence[int], seat: int) -> int:
    return min((other for other in range(len(ranks)) if other != seat), key=lambda other: (ranks[other], other))
