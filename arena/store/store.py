"""The store as the other rooms see it: methods that take and give values, each a transaction of its own."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from arena.archive import Sealed
from arena.record import MatchRecord, Result
from arena.store import book, listing, log, reading, schema, tournaments, upkeep, versions
from arena.store.audit import Audit
from arena.store.book import Book
from arena.store.database import Database, connect
from arena.store.keys import Keys
from arena.store.listing import NO_FILTER, Filter
from arena.store.values import Fit, Fold, Kept, MatchLine, Point, Pool, Rating, Standing, State, Tournament, Version


def open_store(url_or_path: str | Path, *, create: bool = True) -> Store:
    """The store at a path or URL; a fresh one is made where there is none, unless `create` forbids it.

    Raises StoreError when there is something that cannot be used, with a sentence that says what to do.
    """
    database = connect(url_or_path, create=create)
    try:
        schema.prepare(database, create=create)
    except BaseException:
        database.close()
        raise
    return Store(database)


class Store:
    """An open store. Threads may share it; processes open one each. Everything may raise StoreError."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._keys = Keys()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.database.close()

    def backup(self, path: Path) -> None:
        """Copy the store to a file, while others may use it; SQLite only. Raises UsageError."""
        upkeep.backup(self.database, path)

    def check(self) -> list[str]:
        """What is wrong with the store, in sentences: damaged pages, lost rows, records that were changed."""
        return list(upkeep.faults(self.database))

    # ── bots ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def register(
        self,
        name: str,
        content_hash: str,
        facts: Mapping[str, Any],
        pack: bytes | None = None,
        *,
        trusted: bool,
        source: str = "",
        parent: int | None = None,
        submitted_us: int | None = None,
    ) -> Version:
        """The version of this name with this content, new or as it is known. It follows `parent`, or the newest.

        What is known stays as it is; only files that were missing are added.
        """
        return self.database.write(
            lambda connection: versions.register(
                connection,
                name,
                content_hash,
                facts,
                pack=pack,
                trusted=trusted,
                source=source,
                parent=parent,
                submitted_us=_now_us() if submitted_us is None else submitted_us,
            )
        )

    def version(self, label: str) -> Version:
        """``greedy@3``, or by ``greedy`` its newest version that is neither retired nor rejected. Raises Unknown."""
        with self.database.reading() as connection:
            return versions.version(connection, label)

    def lineage(self, name: str) -> list[Version]:
        """All versions of a bot, oldest first. Raises Unknown."""
        with self.database.reading() as connection:
            return versions.lineage(connection, name)

    def bots(self) -> list[Version]:
        """The newest version of every bot, by name."""
        with self.database.reading() as connection:
            return versions.newest(connection)

    def pack(self, label: str) -> bytes | None:
        """The packed files of a version, if the store has them. Raises Unknown."""
        with self.database.reading() as connection:
            return versions.pack_of(connection, label)

    def judge(self, label: str, standing: Standing) -> None:
        """Say what the arena thinks of a version. Raises Unknown."""
        self.database.write(lambda connection: versions.change(connection, label, standing=standing.value))

    def retire(self, label: str, retired_us: int | None = None) -> None:
        """Take a version out of play; what it played stays. Raises Unknown."""
        when = _now_us() if retired_us is None else retired_us
        self.database.write(lambda connection: versions.change(connection, label, retired_us=when))

    # ── tournaments ─────────────────────────────────────────────────────────────────────────────────────────────────

    def open_tournament(
        self,
        name: str,
        game: str,
        system: str,
        definition: Mapping[str, Any],
        opened_us: int,
        *,
        rated: bool = True,
    ) -> Tournament:
        """The tournament of this name, new or to be continued. Raises Conflict when it was opened as another one.

        A definition may grow, by further bots that join behind all that is in the log.
        """
        return self.database.write(
            lambda connection: tournaments.open_tournament(
                connection, name, game, system, definition, opened_us=opened_us, rated=rated
            )
        )

    def tournament(self, name: str) -> Tournament:
        """Raises Unknown."""
        with self.database.reading() as connection:
            return tournaments.tournament(connection, name)

    def tournaments(self, game: str | None = None) -> list[Tournament]:
        """In schedule order."""
        with self.database.reading() as connection:
            return tournaments.tournaments(connection, game)

    def reach(self, name: str) -> int:
        """The first match number of a tournament behind all that are in its log, void ones too."""
        with self.database.reading() as connection:
            return tournaments.reach(connection, name)

    def finish(self, name: str, state: State = State.FINISHED) -> None:
        """Say that a tournament has ended or was stopped. Raises Unknown."""
        self.database.write(lambda connection: tournaments.close(connection, name, state))

    # ── the log ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def record(self, batch: Sequence[MatchRecord | Sealed], through: int | None = None) -> None:
        """Write matches, all or none of them. When this returns they are on the disk.

        `through` says how many indices of the schedule of the tournament, from 0 on, are settled now; it never goes
        back. What is in the log already is left alone, so whoever is not sure may write again. Raises Conflict when the
        log has another content in the same place, and Unknown for a tournament that was not opened or a version that
        was not registered.
        """
        entries = list(map(log.Entry.of, batch))
        self.database.write(lambda connection: log.write(connection, self._keys, entries, through))

    def results(
        self,
        game: str,
        *,
        tournament: str | None = None,
        players: int | None = None,
        since_us: int | None = None,
        start: int = 0,
        stop: int | None = None,
        unsettled: bool = False,
    ) -> Iterator[Result]:
        """The matches that count, in schedule order: by opening and name of their tournament, then by index.

        They come from all rated tournaments of the game, or from the one that is named. Of each only the settled
        matches are given, unless `unsettled` ones are wanted too; `start` and `stop` bound their indices.
        """
        return reading.results(
            self.database,
            self._keys,
            game,
            tournament=tournament,
            players=players,
            since_us=since_us,
            start=start,
            stop=stop,
            unsettled=unsettled,
        )

    def voids(self, tournament: str) -> dict[int, int]:
        """How many attempts came out void, by index, for all matches that have any."""
        with self.database.reading() as connection:
            return reading.voids(connection, tournament)

    def records(self, tournament: str | None = None, *, start: int = 0, stop: int | None = None) -> Iterator[Kept]:
        """All records, void attempts too, in schedule order. Raises StoreError for one that was tampered with."""
        for content in reading.contents(self.database, tournament=tournament, start=start, stop=stop):
            yield reading.kept(*content)

    def audit(self) -> Audit:
        """The log as it lies in the tables, for those who check it."""
        return Audit(self.database, self._keys)

    def matches(self, wanted: Filter = NO_FILTER, *, limit: int = 20) -> list[MatchLine]:
        """The newest matches that the filter lets through; `Filter.after` takes the mark of the last one to go on.

        Raises Unknown for a tournament or a bot that is not there.
        """
        with self.database.reading() as connection:
            return listing.matches(connection, self._keys, wanted, limit)

    def match(self, name: str) -> MatchLine:
        """The match that people call ``cup/17``, or the void attempt ``cup/17~0``. Raises Unknown, UsageError."""
        with self.database.reading() as connection:
            return listing.match(connection, self._keys, name)

    def record_of(self, name: str) -> Kept:
        """The record of the match of this name. Raises Unknown, UsageError."""
        with self.database.reading() as connection:
            return listing.record_of(connection, self._keys, name)

    # ── the book of ratings ─────────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def writing(self) -> Iterator[Book]:
        """The book of ratings for one transaction, in which no other process can write in it. All or nothing is kept.

        On SQLite nobody can write anything meanwhile, so take the matches in portions of a second or so.
        """
        with self.database.alone() as connection:
            yield Book(connection)

    def pools(self) -> list[Pool]:
        """All pools that have ratings."""
        with self.database.reading() as connection:
            return book.pools(connection)

    def folds(self, pool: Pool) -> list[Fold]:
        """The tournaments of a pool in schedule order, and how far they are in the ratings."""
        with self.database.reading() as connection:
            return book.folds(connection, pool)

    def leaderboard_rows(self, pool: Pool) -> list[Rating]:
        """Everybody's last rating with the counts of the whole pool; the best by mu - 3 sigma first."""
        with self.database.reading() as connection:
            return book.leaderboard(connection, pool)

    def ratings(self, pool: Pool, tournament: str | None = None) -> list[tuple[str, Rating]]:
        """All pages of the book for a pool, or one: the tournament, and a rating after it with the counts in it."""
        with self.database.reading() as connection:
            return book.ratings(connection, pool, tournament)

    def bot_ratings(self, name: str) -> list[tuple[Pool, Rating]]:
        """Where the versions of a bot stand in every pool in which they were rated."""
        with self.database.reading() as connection:
            return book.bot_ratings(connection, name)

    def ratings_before(self, pool: Pool, tournament: str) -> dict[str, tuple[float, float]]:
        """By label: the last mu and sigma of everybody who played in tournaments before this one. Raises Unknown."""
        with self.database.reading() as connection:
            return Book(connection).ratings_before(pool, tournament)

    def tallies(self, pool: Pool, tournament: str | None = None) -> list[tuple[str, str]]:
        """All that was counted in a pool, or in one tournament of it; a key comes once for every tournament."""
        with self.database.reading() as connection:
            return book.tallies(connection, pool, tournament)

    def history(self, pool: Pool) -> list[Point]:
        """Ratings of the past in schedule order."""
        with self.database.reading() as connection:
            return book.history(connection, pool)

    def fit(self, pool: Pool) -> Fit | None:
        """The fit that was kept last, if there is one."""
        with self.database.reading() as connection:
            return book.fit(connection, pool)


def _now_us() -> int:
    return time.time_ns() // 1_000
