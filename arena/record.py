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


@dataclass(frozen=True, slots=True)
class Entrant:
    """One version of a bot."""

    name: str
    content_hash: str = ""
    """SHA-256 of its files in hexadecimal; empty for a bot that is not a folder."""


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
