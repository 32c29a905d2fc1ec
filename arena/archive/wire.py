"""Match records as protobuf messages. The generated code is imported when it is first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arena.archive.sheet import check_totals
from arena.errors import BadRecord
from arena.record import Effort, Entrant, LogLine, MatchRecord, MatchSpec, PlayedMove, Verdict, VerdictKind
from arena_rules import Outcome, Score, Termination
from arena_sdk.events import TimeControl

if TYPE_CHECKING:
    from arena_sdk.v1 import record_pb2 as wire
    from arena_sdk.v1.game_pb2 import Outcome as WireOutcome


class Sealed(NamedTuple):
    """A record with the bytes that it is kept as. They are made once, and travel along with it."""

    record: MatchRecord
    message: bytes


def seal(record: MatchRecord) -> Sealed:
    """The same record always has the same bytes."""
    return Sealed(record, to_wire(record).SerializeToString(deterministic=True))


def to_wire(record: MatchRecord) -> wire.MatchRecord:
    from arena_sdk.v1 import record_pb2 as wire

    return wire.MatchRecord(
        spec=spec_to_wire(record.spec),
        rules_version=record.rules_version,
        lineup=map(_entrant_to_wire, record.lineup),
        moves=[wire.PlayedMove(seat=m.seat, notation=m.notation, think_us=m.think_us) for m in record.moves],
        outcome=None if record.outcome is None else _outcome_to_wire(record.outcome),
        verdicts=map(_verdict_to_wire, record.verdicts),
        started_us=record.started_us,
        elapsed_us=record.elapsed_us,
        in_flight=record.in_flight,
        void_reason=record.void_reason,
        efforts=map(_effort_to_wire, record.efforts),
        pardons=map(_verdict_to_wire, record.pardons),
    )


def parse(content: bytes) -> MatchRecord:
    """The record in a serialised message. Raises BadRecord."""
    from google.protobuf.message import DecodeError

    from arena_sdk.v1 import record_pb2 as wire

    try:
        return from_wire(wire.MatchRecord.FromString(content))
    except DecodeError:
        raise BadRecord("it is not a match record") from None


def from_wire(message: wire.MatchRecord) -> MatchRecord:
    """The record in a message. Raises BadRecord."""
    if not message.spec.game or len(message.lineup) != len(message.spec.lineup):
        raise BadRecord("it does not say what was played and by whom")
    return MatchRecord(
        spec=spec_from_wire(message.spec),
        rules_version=message.rules_version,
        lineup=tuple(Entrant(bot.name, bot.content_hash, bot.version, bot.confinement) for bot in message.lineup),
        moves=tuple(PlayedMove(move.seat, move.notation, move.think_us) for move in message.moves),
        outcome=_outcome_from_wire(message.outcome) if message.HasField("outcome") else None,
        verdicts=tuple(map(_verdict_from_wire, message.verdicts)),
        started_us=message.started_us,
        elapsed_us=message.elapsed_us,
        in_flight=message.in_flight,
        void_reason=message.void_reason,
        efforts=tuple(map(_effort_from_wire, message.efforts)),
        pardons=tuple(map(_verdict_from_wire, message.pardons)),
    )


def spec_to_wire(spec: MatchSpec) -> wire.MatchSpec:
    from arena_sdk.v1 import record_pb2 as wire
    from arena_sdk.v1.referee_pb2 import TimeControl as WireTime

    return wire.MatchSpec(
        index=spec.index,
        game=spec.game,
        edition=spec.edition,
        options=spec.options,
        lineup=spec.lineup,
        seed=spec.seed,
        time=WireTime(move_ms=spec.time.move_ms, bank_ms=spec.time.bank_ms),
        tournament=spec.tournament,
        block=spec.block,
        attempt=spec.attempt,
        lenient=spec.lenient,
    )


def spec_from_wire(spec: wire.MatchSpec) -> MatchSpec:
    return MatchSpec(
        index=spec.index,
        game=spec.game,
        edition=spec.edition,
        lineup=tuple(spec.lineup),
        seed=spec.seed,
        time=TimeControl(spec.time.move_ms, spec.time.bank_ms),
        options=dict(spec.options),
        tournament=spec.tournament,
        block=spec.block,
        attempt=spec.attempt,
        lenient=spec.lenient,
    )


def _entrant_to_wire(bot: Entrant) -> wire.Entrant:
    from arena_sdk.v1 import record_pb2 as wire

    return wire.Entrant(name=bot.name, content_hash=bot.content_hash, version=bot.version, confinement=bot.confinement)


def _effort_to_wire(effort: Effort) -> wire.Effort:
    from arena_sdk.v1 import record_pb2 as wire

    log = [wire.LogLine(turn=line.turn, text=line.text) for line in effort.log]
    return wire.Effort(cpu_us=effort.cpu_us, peak_kb=effort.peak_kb, log=log)


def _effort_from_wire(effort: wire.Effort) -> Effort:
    return Effort(effort.cpu_us, effort.peak_kb, tuple(LogLine(line.turn, line.text) for line in effort.log))


def _outcome_to_wire(outcome: Outcome) -> WireOutcome:
    from arena_sdk.v1 import game_pb2 as wire

    seats = [
        wire.SeatResult(
            rank=rank,
            score=score.total,
            parts=[wire.ScorePart(name=name, points=points) for name, points in score.parts],
        )
        for rank, score in zip(outcome.ranks, outcome.scores, strict=True)
    ]
    return wire.Outcome(seats=seats, termination=wire.Termination.Value(f"TERMINATION_{outcome.termination.name}"))


def _outcome_from_wire(outcome: WireOutcome) -> Outcome:
    from arena_sdk.v1.game_pb2 import Termination as WireTermination

    scores = tuple(Score(tuple((part.name, part.points) for part in seat.parts)) for seat in outcome.seats)
    check_totals([seat.score for seat in outcome.seats], scores)
    word = _enum_word(WireTermination, outcome.termination, "TERMINATION_")
    return Outcome(tuple(seat.rank for seat in outcome.seats), scores, Termination[word])


def _verdict_to_wire(verdict: Verdict) -> wire.Verdict:
    from arena_sdk.v1 import record_pb2 as wire

    return wire.Verdict(
        seat=verdict.seat,
        kind=wire.VerdictKind.Value(f"VERDICT_KIND_{verdict.kind.name}"),
        turn=verdict.turn,
        detail=verdict.detail,
        exit_status=verdict.exit_status,
        signal=verdict.signal,
        log_tail=verdict.log_tail,
        answer=verdict.answer,
    )


def _verdict_from_wire(verdict: wire.Verdict) -> Verdict:
    from arena_sdk.v1.record_pb2 import VerdictKind as WireKind

    return Verdict(
        seat=verdict.seat,
        kind=VerdictKind[_enum_word(WireKind, verdict.kind, "VERDICT_KIND_")],
        turn=verdict.turn,
        detail=verdict.detail,
        exit_status=verdict.exit_status if verdict.HasField("exit_status") else None,
        signal=verdict.signal,
        log_tail=verdict.log_tail,
        answer=verdict.answer,
    )


def _enum_word(enum: Any, value: int, prefix: str) -> str:
    """The name of an enum value in our own enums, which are spelt like those on the wire. Raises BadRecord."""
    if value == 0 or value not in enum.values():
        raise BadRecord(f"it holds {prefix}{value}, which this version of arena does not know; a newer one may read it")
    return str(enum.Name(value)).removeprefix(prefix)
