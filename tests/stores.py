"""Stores for tests, on SQLite and on a real PostgreSQL. A folder of tests has them when its conftest imports them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from arena.store import Store, open_store
from arena.store.schema import REVISIONS
from arena.store.tables import Row
from tests.postgres import Cluster, cluster


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A server of our own."""
    with cluster() as server:
        yield server


@pytest.fixture(scope="session")
def url(postgres: Cluster) -> str:
    """A database that has the tables."""
    url = postgres.fresh()
    open_store(url).close()
    return url


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that has the tables."""
    path = tmp_path_factory.mktemp("made") / "arena.db"
    open_store(path).close()
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def nowhere(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store may be made: a path at which there is nothing, or the URL of an empty database."""
    if kind == "sqlite":
        return str(tmp_path / "home" / "arena.db")
    server: Cluster = request.getfixturevalue("postgres")
    return server.fresh()


@pytest.fixture
def place(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a fresh store is. Copying a file, or emptying tables, is quicker than making them."""
    if kind == "sqlite":
        return str(shutil.copy(request.getfixturevalue("file"), tmp_path / "arena.db"))
    return emptied(request.getfixturevalue("url"))


def emptied(url: str) -> str:
    tables = sql.SQL(", ").join(map(sql.Identifier, Row.metadata.tables))
    with psycopg.connect(url, autocommit=True, options="-c lock_timeout=20s") as connection:
        connection.execute(sql.SQL("TRUNCATE {} RESTART IDENTITY").format(tables))
        connection.execute("UPDATE alembic_version SET version_num = %s", [REVISIONS[-1]])
    return url


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    """A fresh store, open."""
    with open_store(place) as opened:
        yield opened
