"""What the store takes and gives: plain values, the same on every database."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from arena.errors import UsageError
from arena.record import MatchRecord

NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
_MATCH: Final = re.compile(r"(?P<tournament>[^/~]+)/(?P<index>\d+)(?:~(?P<attempt>\d+))?", re.ASCII)


class Standing(Enum):
    """What the arena thinks of a version."""

    REGISTERED = "registered"
    """It has come in; nobody has tried it."""
    QUALIFIED = "qualified"
    REJECTED = "rejected"


class State(Enum):
    """How far a tournament is."""

    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Version:
    """One immutable submission of a bot."""

    name: str
    number: int
    """Versions of a name count from 1."""
    content_hash: str
    facts: Mapping[str, Any]
    """What its manifest says: games, command, build, description."""
    source: str
    """Where it came from, in words; empty when nobody said."""
    parent: int | None
    """The number of the version that it follows."""
    submitted_us: int
    standing: Standing
    retired_us: int | None
    """When it was retired, if it was."""
    trusted: bool
    packed: bool
    """Whether its files are in the store."""

    @property
    def label(self) -> str:
        return f"{self.name}@{self.number}"


@dataclass(frozen=True, slots=True)
class Tournament:
    name: str
    game: str
    system: str
    definition: Mapping[str, Any]
    opened_us: int
    rated: bool
    state: State
    through: int
    """How many indices of the schedule, from 0 on, are settled."""


@dataclass(frozen=True, slots=True, order=True)
class MatchKey:
    """What a match is known by. People write ``cup/17``, and ``cup/17~0`` for an attempt that came out void."""

    tournament: str
    index: int
    attempt: int

    def __str__(self) -> str:
        return f"{self.tournament}/{self.index}~{self.attempt}"

    @classmethod
    def parse(cls, text: str) -> tuple[str, int, int | None]:
        """Tournament, index and, where it is given, the attempt. Raises UsageError."""
        match = _MATCH.fullmatch(text)
        if match is None:
            raise UsageError(
                f"'{text}' is not a match; write TOURNAMENT/INDEX as in cup/17, or cup/17~0 for a void attempt"
            )
        attempt = match["attempt"]
        return match["tournament"], int(match["index"]), None if attempt is None else int(attempt)


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One seat in a list of matches."""

    bot: str
    """A label such as ``greedy@3``."""
    rank: int | None
    """Nothing in a void match, like the score."""
    score: int | None
    forfeit: str | None
    """The kind of verdict by which it was put out, if it was."""
    think_us: int
    cpu_us: int | None
    """Nothing when nobody measured, like the memory."""
    peak_kb: int | None


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One match in a list."""

    key: MatchKey
    block: int
    game: str
    edition: str
    seed: int
    started_us: int
    elapsed_us: int
    turns: int
    termination: str | None
    """Nothing in a void match."""
    void_reason: str | None
    """Why it is void; nothing when it counts."""
    lenient: bool
    seats: tuple[SeatLine, ...]

    @property
    def name(self) -> str:
        """What people call it."""
        suffix = "" if self.void_reason is None else f"~{self.key.attempt}"
        return f"{self.key.tournament}/{self.key.index}{suffix}"

    @property
    def mark(self) -> Mark:
        """Where a list goes on after this match."""
        return Mark(self.started_us, self.key)


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the list of all matches, newest first."""

    started_us: int
    key: MatchKey


@dataclass(frozen=True, slots=True)
class Kept:
    """A record as it lies in the store."""

    key: MatchKey
    sha256: str
    message: bytes
    """A serialised `arena.v1.MatchRecord`."""

    def record(self) -> MatchRecord:
        """Raises BadRecord."""
        from google.protobuf.message import DecodeError

        from arena.archive import from_wire
        from arena.errors import BadRecord
        from arena_sdk.v1.record_pb2 import MatchRecord as Message

        try:
            return from_wire(Message.FromString(self.message))
        except DecodeError:
            raise BadRecord(f"the record of {self.key} cannot be read") from None


# ── the book of ratings ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Pool:
    """Matches that are rated together: those of a game, or of it those with so many players or of one tournament."""

    game: str
    players: int = 0
    """0 for any number."""
    tournament: str = ""
    """Empty for the whole log."""


@dataclass(frozen=True, slots=True)
class Fold:
    """A tournament of a pool and how far it is in the ratings."""

    tournament: str
    opened_us: int
    folded: int
    """So many indices of its schedule, from 0 on, are in the ratings."""
    through: int
    """So many are settled."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What whoever rates wanted to remember of it."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A version in a pool: its rating, and its counts in one tournament or in all of them."""

    bot: str
    """A label such as ``greedy@3``."""
    mu: float
    sigma: float
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    rank_sum: int = 0
    points: int = 0
    forfeits: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fit:
    """A fit to the whole history of a pool."""

    matches: int
    """How many it was made from."""
    document: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Point:
    """The rating of a version after a match of the past."""

    bot: str
    tournament: str
    index: int
    mu: float
    sigma: float
