"""A database and its transactions: SQLite in a file, or PostgreSQL.

What a writing transaction has committed is on the disk. Several processes may use one database: whoever comes second
waits. On SQLite there is one writer at a time, from the first statement of its transaction on, so what it has read
cannot change under it. On PostgreSQL, transactions that get into each other's way are run again.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from arena.errors import StoreError, UsageError
from arena.store.faults import RETRIED, code_of, in_words

T = TypeVar("T")

PATIENCE_S: Final = 120
"""How long a process waits for its turn to write, before it says that something is wrong."""
_A_MOMENT_S: Final = 0.01
_ATTEMPTS: Final = 20
_READING: Final = "arena_reading"
_TURN: Final = 0x6172656E61  # a number that nobody else is likely to lock


class Database:
    """Connections to one database."""

    def __init__(self, url: URL, engine: Engine) -> None:
        self.url = url
        self.engine = engine
        self.place = _place(url)
        """What it is called in sentences."""

    @property
    def file(self) -> Path | None:
        """Where it lies, on SQLite."""
        return _file(self.url)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database and keeps nobody waiting."""
        with in_words(self.place), self.engine.connect() as connection:
            options: dict[str, Any] = {_READING: True}
            if connection.dialect.name == "postgresql":
                options["isolation_level"] = "REPEATABLE READ"
            yield connection.execution_options(**options)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is committed and durable when the block is left, or has never been."""
        with in_words(self.place), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        """A writing transaction beside which no other one of this kind runs, in any process."""
        with self.writing() as connection:
            _wait_for_turn(connection)
            yield connection

    @contextmanager
    def rebuilding(self) -> Iterator[Connection]:
        """A transaction like `alone` in which tables may be replaced by others of the same name."""
        with in_words(self.place), self.engine.connect() as connection:
            _heed_references(connection, heed=False)
            try:
                with connection.begin():
                    _wait_for_turn(connection)
                    yield connection
            finally:
                _heed_references(connection, heed=True)

    def write(self, work: Callable[[Connection], T]) -> T:
        """What `work` gives for a writing transaction. It is run again when another transaction got into its way."""
        for _ in range(_ATTEMPTS):
            try:
                with self.writing() as connection:
                    return work(connection)
            except DBAPIError as error:
                if code_of(error) not in RETRIED:
                    raise
        raise StoreError(f"{self.place} is too busy: give other processes time to finish and try again")

    def close(self) -> None:
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def connect(url_or_path: str | Path, *, create: bool) -> Database:
    """A database by URL or path; on SQLite the file is made when `create` says so. Raises StoreError, UsageError."""
    url = url_of(url_or_path)
    file = _file(url)
    if file is None:
        return Database(url, _postgres(url))
    try:
        _check_file(file, create=create)
        return Database(url, _sqlite(url, file))
    except OSError as error:
        raise StoreError(f"{file} cannot be reached: {error.strerror}") from None


def url_of(url_or_path: str | Path) -> URL:
    """The URL that was given, with our drivers, or that of the SQLite file at this path. Raises UsageError."""
    text = str(url_or_path)
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError:
        raise UsageError(
            f"'{text}' is not the URL of a database; write postgresql://USER@HOST/NAME, or a path"
        ) from None
    kind = url.drivername.partition("+")[0]
    if kind in {"postgresql", "postgres"}:
        return url.set(drivername="postgresql+psycopg")
    if kind != "sqlite" or not url.database or url.database == ":memory:":
        raise UsageError(f"'{_place(url)}' is no database for an arena; write postgresql://USER@HOST/NAME, or a path")
    return url.set(drivername="sqlite")


def _place(url: URL) -> str:
    if url.drivername.startswith("sqlite"):
        return str(url.database)
    return url.set(drivername=url.drivername.partition("+")[0]).render_as_string(hide_password=True)


def _file(url: URL) -> Path | None:
    return Path(str(url.database)) if url.drivername == "sqlite" else None


# ── SQLite ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _check_file(file: Path, *, create: bool) -> None:
    if file.is_dir():
        raise UsageError(f"{file} is a folder, not a database")
    if file.exists():
        return
    if not create:
        raise StoreError(
            f"there is no arena at {file}: play a tournament first, or say where it is with --home or --db"
        )
    file.parent.mkdir(parents=True, exist_ok=True)


def _sqlite(url: URL, file: Path) -> Engine:
    sealed = file.exists() and not _may_write(file)
    name = f"{file.absolute().as_uri()}?{_read_only(file)}" if sealed else str(file)

    def dial() -> sqlite3.Connection:
        # Transactions begin where we say, not where the driver guesses.
        connection = sqlite3.connect(
            name, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False, uri=sealed
        )
        _settle(connection, sealed=sealed)
        return connection

    engine = create_engine(url, creator=dial)
    event.listen(engine, "begin", _begin)
    return engine


def _settle(connection: sqlite3.Connection, *, sealed: bool) -> None:
    if not sealed and not _belongs_to_somebody_else(connection):
        _keep_a_journal(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA cache_size = -32768")


def _keep_a_journal(connection: sqlite3.Connection) -> None:
    # When several processes open a fresh file, SQLite refuses all but one of them at once instead of letting them wait.
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if code_of(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_A_MOMENT_S)
        else:
            return


def _belongs_to_somebody_else(connection: sqlite3.Connection) -> bool:
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return bool(tables) and "alembic_version" not in tables


def _begin(connection: Connection) -> None:
    # A transaction that reads first and writes later would be refused when another one has written in between.
    reading = connection.get_execution_options().get(_READING, False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _heed_references(connection: Connection, *, heed: bool) -> None:
    # SQLite changes a table by making another one and dropping the first, to which others still refer at that moment.
    if connection.dialect.name == "sqlite":
        driver: Any = connection.connection.driver_connection
        driver.execute(f"PRAGMA foreign_keys = {'ON' if heed else 'OFF'}")


def _may_write(file: Path) -> bool:
    # Beside its file SQLite keeps two others, so the folder counts too.
    mine = os.access in os.supports_effective_ids
    return all(os.access(path, os.W_OK, effective_ids=mine) for path in (file, file.absolute().parent))


def _read_only(file: Path) -> str:
    """How to open a file that we may not write: as one that nobody writes, unless a journal lies beside it."""
    journal = file.with_name(file.name + "-wal")
    return "mode=ro" if journal.exists() and journal.stat().st_size else "mode=ro&immutable=1"


# ── PostgreSQL ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _postgres(url: URL) -> Engine:
    try:
        engine = create_engine(url, pool_pre_ping=True)
    except ModuleNotFoundError:
        raise StoreError("PostgreSQL needs its driver: pip install 'arena-platform[postgres]'") from None
    event.listen(engine, "connect", _insist_on_the_disk)
    return engine


def _insist_on_the_disk(connection: Any, _: object) -> None:
    # A match is acknowledged when it is on the disk, also where the server is told to be quicker than that.
    connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )
    connection.commit()


def _wait_for_turn(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_TURN})")
