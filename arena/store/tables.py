"""The tables of the store. What a match is known by, (tournament, index, attempt), is its key in every table.

Three habits hold for all of them. Times are microseconds since 1970 UTC. Texts by which something is ordered are
compared byte by byte, on every database alike. What is written about a match is never changed.

Lists of matches have to be quick with any filter, so the columns that are filtered by stand in the indices, and seats
repeat what they need of their match.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, cast

from sqlalchemy import JSON as JSON_TEXT
from sqlalchemy import (
    BigInteger,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

MATCH_KEY: Final = ("tournament_id", "index", "attempt")
NEWEST: Final = ("started_us", *MATCH_KEY)
"""The order of lists of matches, which does not depend on the order of writing."""

ORDERED_TEXT: Final = Text().with_variant(Text(collation="C"), "postgresql")


class Unsigned64(TypeDecorator[int]):
    """A number from 0 to 2**64 - 1 in the signed column that databases have: the upper half is stored as negative."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:
        return value if value is None or value < 1 << 63 else value - (1 << 64)

    def process_result_value(self, value: int | None, dialect: Dialect) -> int | None:
        return value if value is None or value >= 0 else value + (1 << 64)


class Row(SQLModel):
    """What all tables share. Names of constraints are spelt out, because a migration has to find them again."""

    metadata: ClassVar[MetaData] = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class Bot(Row, table=True):
    """A name under which versions are submitted."""

    __tablename__ = "bots"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=ORDERED_TEXT, unique=True)


class Version(Row, table=True):
    """One submission of a bot. Its content never changes; what the arena thinks of it may."""

    __tablename__ = "versions"
    __table_args__ = (UniqueConstraint("bot_id", "number"), UniqueConstraint("bot_id", "content_hash"))

    id: int | None = Field(default=None, primary_key=True)
    bot_id: int = Field(foreign_key="bots.id")
    number: int
    content_hash: str = Field(sa_type=Text)
    facts: dict[str, Any] = Field(sa_type=JSON_TEXT)
    source: str = Field(sa_type=Text)
    parent_id: int | None = Field(default=None, foreign_key="versions.id")
    submitted_us: int = Field(sa_type=BigInteger)
    standing: str = Field(sa_type=Text)
    retired_us: int | None = Field(default=None, sa_type=BigInteger)
    trusted: bool


class Pack(Row, table=True):
    """The packed files of a version; apart, so that looking through versions does not read them."""

    __tablename__ = "packs"

    version_id: int = Field(primary_key=True, foreign_key="versions.id")
    content: bytes = Field(sa_type=LargeBinary)


class Tournament(Row, table=True):
    __tablename__ = "tournaments"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=ORDERED_TEXT, unique=True)
    opened_us: int = Field(sa_type=BigInteger)
    game: str = Field(sa_type=Text)
    system: str = Field(sa_type=Text)
    definition: dict[str, Any] = Field(sa_type=JSON_TEXT)
    definition_sha256: str = Field(sa_type=Text)
    rated: bool
    state: str = Field(sa_type=Text)
    through: int = Field(sa_type=BigInteger)


class Match(Row, table=True):
    """One attempt at a match of a schedule. Of all attempts at an index at most one counts, the others are void."""

    __tablename__ = "matches"
    __table_args__ = (
        Index(
            "uq_matches_counting",
            *("tournament_id", "index"),
            unique=True,
            sqlite_where=text("void = 0"),
            postgresql_where=text("NOT void"),
        ),
        Index("ix_matches_newest", *NEWEST, "players", "forfeits", "void"),
        Index("ix_matches_game", "game", *NEWEST, "players", "forfeits", "void"),
        Index(
            "ix_matches_tournament", "tournament_id", "started_us", "index", "attempt", "players", "forfeits", "void"
        ),
        Index(
            "ix_matches_forfeited",
            *(*NEWEST, "game", "players", "forfeits"),
            sqlite_where=text("forfeits > 0"),
            postgresql_where=text("forfeits > 0"),
        ),
        Index(
            "ix_matches_void",
            *(*NEWEST, "game", "players", "void"),
            sqlite_where=text("void = 1"),
            postgresql_where=text("void"),
        ),
        {"sqlite_with_rowid": False},
    )

    tournament_id: int = Field(primary_key=True, foreign_key="tournaments.id")
    index: int = Field(primary_key=True, sa_type=BigInteger)
    attempt: int = Field(primary_key=True)
    block: int = Field(sa_type=BigInteger)
    game: str = Field(sa_type=Text)
    edition: str = Field(sa_type=Text)
    players: int
    seed: int = Field(sa_type=Unsigned64)
    started_us: int = Field(sa_type=BigInteger)
    elapsed_us: int = Field(sa_type=BigInteger)
    turns: int
    forfeits: int
    """How many seats forfeited; 0 in a void match, which nobody loses."""
    termination: str | None = Field(default=None, sa_type=Text)
    """Nothing in a void match."""
    void: bool
    void_reason: str = Field(sa_type=Text)
    lenient: bool


class Seat(Row, table=True):
    """What a match was for one of its bots."""

    __tablename__ = "seats"
    __table_args__ = (
        ForeignKeyConstraint(MATCH_KEY, [f"matches.{name}" for name in MATCH_KEY]),
        Index("ix_seats_bot", "bot_id", *NEWEST, "version_id", "players", "rank", "forfeit"),
        Index(
            "ix_seats_forfeited",
            *("bot_id", *NEWEST, "version_id", "players", "forfeit"),
            sqlite_where=text("forfeit IS NOT NULL"),
            postgresql_where=text("forfeit IS NOT NULL"),
        ),
        {"sqlite_with_rowid": False},
    )

    tournament_id: int = Field(primary_key=True)
    index: int = Field(primary_key=True, sa_type=BigInteger)
    attempt: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    bot_id: int = Field(foreign_key="bots.id")
    version_id: int = Field(foreign_key="versions.id")
    started_us: int = Field(sa_type=BigInteger)
    players: int
    rank: int | None
    """Nothing in a void match, like the score."""
    score: int | None
    forfeit: str | None = Field(default=None, sa_type=Text)
    """The kind of verdict by which the seat was put out."""
    think_us: int = Field(sa_type=BigInteger)
    cpu_us: int | None = Field(default=None, sa_type=BigInteger)
    """Nothing when it was not measured, like the memory."""
    peak_kb: int | None = Field(default=None, sa_type=BigInteger)


class Record(Row, table=True):
    """All that is known of a match: an `arena.v1.MatchRecord`, serialised and compressed with zlib."""

    __tablename__ = "records"
    __table_args__ = (ForeignKeyConstraint(MATCH_KEY, [f"matches.{name}" for name in MATCH_KEY]),)

    tournament_id: int = Field(primary_key=True)
    index: int = Field(primary_key=True, sa_type=BigInteger)
    attempt: int = Field(primary_key=True)
    sha256: str = Field(sa_type=Text)
    """Of the serialised message before it was compressed, in hexadecimal."""
    content: bytes = Field(sa_type=LargeBinary)


# ── the book of ratings, which can be worked out again from the tables above ─────────────────────────────────────────


class Pool(Row, table=True):
    """Which matches are rated together: those of a game, or of it those with so many players or of one tournament."""

    __tablename__ = "pools"
    __table_args__ = (UniqueConstraint("game", "players", "tournament"),)

    id: int | None = Field(default=None, primary_key=True)
    game: str = Field(sa_type=Text)
    players: int
    """0 for any number."""
    tournament: str = Field(sa_type=Text)
    """Empty for the whole log."""


class Fold(Row, table=True):
    """How far the matches of a tournament are in the ratings of a pool."""

    __tablename__ = "folds"
    __table_args__ = ({"sqlite_with_rowid": False},)

    pool_id: int = Field(primary_key=True, foreign_key="pools.id")
    tournament_id: int = Field(primary_key=True, foreign_key="tournaments.id")
    through: int = Field(sa_type=BigInteger)
    details: dict[str, Any] = Field(sa_type=JSON_TEXT)


class Rating(Row, table=True):
    """A version in one tournament: its rating after it, in the chain of all tournaments, and its counts in it alone."""

    __tablename__ = "ratings"
    __table_args__ = ({"sqlite_with_rowid": False},)

    pool_id: int = Field(primary_key=True, foreign_key="pools.id")
    tournament_id: int = Field(primary_key=True, foreign_key="tournaments.id")
    version_id: int = Field(primary_key=True, foreign_key="versions.id", index=True)
    mu: float
    sigma: float
    games: int
    wins: int
    draws: int
    losses: int
    rank_sum: int
    points: int
    forfeits: int
    details: dict[str, Any] = Field(sa_type=JSON_TEXT)


class Tally(Row, table=True):
    """Numbers that were counted in a tournament, such as those of a line-up. What they mean is for those who rate."""

    __tablename__ = "tallies"
    __table_args__ = ({"sqlite_with_rowid": False},)

    pool_id: int = Field(primary_key=True, foreign_key="pools.id")
    tournament_id: int = Field(primary_key=True, foreign_key="tournaments.id")
    key: str = Field(primary_key=True, sa_type=ORDERED_TEXT)
    numbers: str = Field(sa_type=Text)


class Fit(Row, table=True):
    """A fit to the whole history of a pool, kept until there are more matches."""

    __tablename__ = "fits"

    pool_id: int = Field(primary_key=True, foreign_key="pools.id")
    matches: int
    """How many it was made from."""
    document: dict[str, Any] = Field(sa_type=JSON_TEXT)


class Point(Row, table=True):
    """A rating at some match of the past; thinned, for pictures."""

    __tablename__ = "history"
    __table_args__ = ({"sqlite_with_rowid": False},)

    pool_id: int = Field(primary_key=True, foreign_key="pools.id")
    version_id: int = Field(primary_key=True, foreign_key="versions.id")
    tournament_id: int = Field(primary_key=True, foreign_key="tournaments.id")
    index: int = Field(primary_key=True, sa_type=BigInteger)
    mu: float
    sigma: float


def _core(model: type[Row]) -> Table:
    return cast("Table", vars(model)["__table__"])


BOTS: Final = _core(Bot)
VERSIONS: Final = _core(Version)
PACKS: Final = _core(Pack)
TOURNAMENTS: Final = _core(Tournament)
MATCHES: Final = _core(Match)
SEATS: Final = _core(Seat)
RECORDS: Final = _core(Record)
POOLS: Final = _core(Pool)
FOLDS: Final = _core(Fold)
RATINGS: Final = _core(Rating)
TALLIES: Final = _core(Tally)
FITS: Final = _core(Fit)
HISTORY: Final = _core(Point)
