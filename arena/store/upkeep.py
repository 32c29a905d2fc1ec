"""Looking after a database: copies of it, and whether it is sound. It need not be one that can be opened as a store."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from sqlalchemy import ColumnElement, Connection, Table, and_, func, select
from sqlalchemy.exc import DBAPIError

from arena.errors import StoreError, UsageError
from arena.store import schema
from arena.store.database import Database
from arena.store.faults import in_words
from arena.store.reading import contents, kept
from arena.store.tables import MATCH_KEY, MATCHES, RECORDS, SEATS, TOURNAMENTS
from arena.store.tournaments import definition_digest
from arena.store.values import MatchKey

_ENOUGH: Final = 20
"""How many faults of one kind are told; whoever has more needs a backup, not a list."""


def backup(database: Database, path: Path) -> None:
    """Copy a database to a file, while others may use it. The file is there when it is whole. Raises UsageError."""
    source = database.file
    if source is None:
        raise UsageError(f"copy {database.place} with the means of PostgreSQL: pg_dump -Fc -f {path} {database.place}")
    if path.exists():
        raise UsageError(f"{path} is there already: choose another name for the copy")
    unfinished = path.with_name(path.name + ".part")
    try:
        with in_words(str(path)):
            _copy(database, unfinished)
        _keep(unfinished)
        unfinished.rename(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _copy(database: Database, path: Path) -> None:
    with database.engine.connect() as connection, closing(sqlite3.connect(path)) as copy:
        driver: sqlite3.Connection = connection.connection.driver_connection  # type: ignore[assignment]
        driver.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # a copy is one file


def _keep(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def faults(database: Database) -> Iterator[str]:
    """What is wrong with a database, in sentences. Raises StoreError when it is none of this version of arena."""
    broken = False
    for fault in _faults_of_the_file(database):
        broken = True
        yield fault
    if not broken:  # tables that cannot be trusted to be read are not compared
        schema.prepare(database, create=False)
        yield from _faults_of_the_tables(database)
        yield from _faults_of_the_records(database)


def _faults_of_the_file(database: Database) -> Iterator[str]:
    if database.file is None:
        return  # PostgreSQL keeps its references itself; its pages are a matter for pg_amcheck
    try:
        with database.engine.connect() as connection:
            found = connection.exec_driver_sql(f"PRAGMA integrity_check({_ENOUGH})").scalars().all()
            yield from (f"the file is damaged: {fault}" for fault in found if fault != "ok")
            if found == ["ok"]:
                for table, _, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(_ENOUGH):
                    yield f"a row of {table} refers to a row of {parent} that is not there"
    except DBAPIError as error:
        yield f"the file is damaged: {error.orig}"


def _faults_of_the_tables(database: Database) -> Iterator[str]:
    with database.reading() as connection:
        for key in _without_record(connection):
            yield f"match {key} has no record"
        for key, players, seats in _with_wrong_seats(connection):
            yield f"match {key} has {seats} seats instead of {players}"
        for row in connection.execute(select(TOURNAMENTS)):
            if definition_digest(row.game, row.system, row.definition, rated=bool(row.rated)) != row.definition_sha256:
                yield f"the definition of {row.name} was changed: its hash is not {row.definition_sha256[:12]}"


def _without_record(connection: Connection) -> list[MatchKey]:
    lost = (
        select(TOURNAMENTS.c.name, MATCHES.c.index, MATCHES.c.attempt)
        .select_from(MATCHES)
        .join(TOURNAMENTS)
        .outerjoin(RECORDS, _same(RECORDS))
        .where(RECORDS.c.sha256.is_(None))
        .limit(_ENOUGH)
    )
    return [MatchKey(*row) for row in connection.execute(lost)]


def _with_wrong_seats(connection: Connection) -> list[tuple[MatchKey, int, int]]:
    count = func.count(SEATS.c.seat)
    key = (TOURNAMENTS.c.name, MATCHES.c.index, MATCHES.c.attempt, MATCHES.c.players)
    wrong = (
        select(*key, count)
        .select_from(MATCHES)
        .join(TOURNAMENTS)
        .outerjoin(SEATS, _same(SEATS))
        .group_by(*key)
        .having(count != MATCHES.c.players)
        .limit(_ENOUGH)
    )
    return [(MatchKey(*found), players, seats) for *found, players, seats in connection.execute(wrong)]


def _same(table: Table) -> ColumnElement[bool]:
    return and_(*(table.c[name] == MATCHES.c[name] for name in MATCH_KEY))


def _faults_of_the_records(database: Database) -> Iterator[str]:
    for content in contents(database, tournament=None, start=0, stop=None):
        try:
            kept(*content)
        except StoreError as error:
            yield str(error)
