"""The shape of the tables: migrations lead to it, and what has another shape is not touched."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from arena.errors import StoreError
from arena.store import Store, open_store
from arena.store.database import connect
from arena.store.schema import REVISIONS, upgrade
from arena.store.tables import Row


def test_migrations_lead_to_the_tables(nowhere: str) -> None:
    """A database that came up through all migrations has the very tables that the code expects."""
    with open_store(nowhere) as store, store.database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Row.metadata) == []


def test_all_migrations_are_listed() -> None:
    """What the code takes for the newest shape is what the migrations end with."""
    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    script = ScriptDirectory.from_config(config)
    assert [revision.revision for revision in script.walk_revisions()] == list(reversed(REVISIONS))


def stamp(store: Store, revision: str) -> None:
    with store.database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})


def test_a_newer_database_is_left_alone(place: str, store: Store) -> None:
    """What a newer arena made is not opened and not upgraded."""
    stamp(store, "9999")
    with pytest.raises(StoreError, match=r"made by a newer version of arena \(tables 9999\): install that one"):
        open_store(place)
    with connect(place, create=False) as database, pytest.raises(StoreError, match="made by a newer version"):
        upgrade(database)


def test_an_older_database_wants_an_upgrade(place: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an older arena made is not changed behind anybody's back."""
    monkeypatch.setattr("arena.store.schema.REVISIONS", (*REVISIONS, "9999"))
    with pytest.raises(StoreError, match="was made by an older version of arena: run 'arena db upgrade'"):
        open_store(place)


def test_upgrading_twice_changes_nothing(nowhere: str) -> None:
    """An upgrade says from where it came; a second one finds nothing to do."""
    open_store(nowhere).close()
    with connect(nowhere, create=False) as database:
        assert upgrade(database) == REVISIONS[-1]


def test_the_database_of_somebody_else(nowhere: str) -> None:
    """A database that holds other tables is not taken for an arena, nor changed."""
    with connect(nowhere, create=True) as database:
        if database.file:
            sqlite3.connect(database.file).execute("CREATE TABLE cats (name TEXT)").connection.close()
        else:
            with database.writing() as connection:
                connection.exec_driver_sql("CREATE TABLE cats (name TEXT)")
    before = Path(nowhere).read_bytes() if "://" not in nowhere else b""
    with pytest.raises(StoreError, match="is a database, but not that of an arena; name another one with --db"):
        open_store(nowhere)
    if before:
        assert Path(nowhere).read_bytes() == before
        assert sorted(path.name for path in Path(nowhere).parent.iterdir()) == ["arena.db"]


def test_an_empty_database_is_not_made_by_looking(nowhere: str) -> None:
    """Whoever only wants to look is told that there is nothing, and nothing is made."""
    with pytest.raises(StoreError, match="play a tournament first"):
        open_store(nowhere, create=False)
    assert "://" in nowhere or not Path(nowhere).parent.exists()
