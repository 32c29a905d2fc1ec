"""What to play (`MatchSpec`) and what happened (`MatchRecord`): frozen values that every room shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from arena_rules import Outcome
from arena_sdk.events import TimeControl

NO_OPTIONS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """What to play. With deterministic bots the same spec gives the same record, times aside."""

    index: int
    """The place in the schedule that it comes from."""
    game: str
    edition: str
    lineup: tuple[str, ...]
    """The names of the bots in seat order."""
    seed: int
    time: TimeControl = TimeControl()
    options: Mapping[str, str] = field(default_factory=dict)
    """The rule options that differ from the edition's."""
    tournament: str = ""
    """The name of the tournament it belongs to; empty for none."""
    block: int = 0
    """The number of its duplicate-deal block in the schedule."""
    attempt: int = 0
    """How often it was played before and came out void."""
    lenient: bool = False
    """Whether a random move stands in for an answer that is wrong or late, instead of a forfeit."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """One version of a bot."""

    name: str
    content_hash: str = ""
    """SHA-256 of its files in hexadecimal; empty for a bot that is not a folder."""
    version: int = 0
    """The number of the version under that name in the arena where it played; 0 for a bot that is not registered."""
    confinement: str = ""
    """What kept its process from the machine, in words; empty when that is not known."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One move as it was made."""

    seat: int
    notation: str
    think_us: int
    """How long the bot took, on the referee's clock."""


class VerdictKind(Enum):
    """Why a seat was put out of a game."""

    FAILED_TO_START = "failed to start"
    NEVER_JOINED = "never joined"
    CRASHED = "crashed"
    DISCONNECTED = "disconnected"
    TIMED_OUT = "timed out"
    ILLEGAL = "illegal move"
    UNREADABLE = "unreadable answer"
    OUT_OF_TURN = "out of turn"
    STALLED = "stalled"
    TOO_LARGE = "message too large"
    FLOODED = "flood"
    MEMORY_LIMIT = "out of memory"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's finding on a seat that was put out of a game."""

    seat: int
    kind: VerdictKind
    turn: int
    """How many moves had been made."""
    detail: str
    """What happened, in a sentence for the bot's author."""
    exit_status: int | None = None
    """The exit status of the process, when it ended by itself."""
    signal: int = 0
    """The signal that ended the process, 0 for none."""
    log_tail: str = ""
    """The last lines that the bot wrote to its log."""
    answer: str = ""
    """The answer that it was given for, as far as there was one, shortened."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """Something that a bot wrote to its log during a match."""

    turn: int
    """How many moves had been made when the bot was last asked."""
    text: str


@dataclass(frozen=True, slots=True)
class Effort:
    """What the process of a seat used and wrote while the match was played."""

    cpu_us: int = 0
    """Processor time of all its threads and of the children it has waited for."""
    peak_kb: int = 0
    """The most memory it had at once since it was started."""
    log: tuple[LogLine, ...] = ()
    """The last lines of its log."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """All that is known of one match: enough to play it again move by move and check the result."""

    spec: MatchSpec
    rules_version: str
    lineup: tuple[Entrant, ...]
    moves: tuple[PlayedMove, ...]
    outcome: Outcome | None
    """None when the match is void."""
    verdicts: tuple[Verdict, ...]
    """In the order of leaving."""
    started_us: int
    """Microseconds since 1970 UTC."""
    elapsed_us: int
    in_flight: int = 1
    """How many games the bots had in flight at most while this one was played."""
    void_reason: str = ""
    """Why the match is void, in a sentence; empty when it is not."""
    efforts: tuple[Effort, ...] = ()
    """In seat order; empty when nobody measured."""
    pardons: tuple[Verdict, ...] = ()
    """In a lenient match, the failures that a random move made good."""


@dataclass(frozen=True, slots=True)
class Result:
    """What standings and ratings see of one match that counts."""

    tournament: str
    index: int
    block: int
    game: str
    bots: tuple[str, ...]
    """Labels such as ``greedy@3``, in seat order."""
    ranks: tuple[int, ...]
    """1 is best, and those who tie share a rank; who forfeits ranks below all who finished, in order of leaving."""
    scores: tuple[int, ...]
    """The totals of the score sheets."""
    forfeits: tuple[bool, ...]
    """Which seats forfeited."""

    @classmethod
    def of(cls, record: MatchRecord) -> Result:
        """The result in a record of a match that is not void."""
        spec, outcome = record.spec, record.outcome
        assert outcome is not None, "a void match has no result"
        left = {verdict.seat for verdict in record.verdicts}
        return cls(
            tournament=spec.tournament,
            index=spec.index,
            block=spec.block,
            game=spec.game,
            bots=spec.lineup,
            ranks=outcome.ranks,
            scores=tuple(score.total for score in outcome.scores),
            forfeits=tuple(seat in left for seat in range(len(spec.lineup))),
        )
