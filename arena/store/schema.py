"""Which shape the tables of a database have, and how they get the shape of this version of arena."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, inspect, select
from sqlalchemy import column as sql_column
from sqlalchemy import table as sql_table

from arena.errors import StoreError
from arena.store.database import Database

REVISIONS: Final = ("0001",)
"""All shapes there have been, oldest first. They stand here so that opening a store does not import Alembic."""

_STAMP: Final = "alembic_version"


def revision_of(connection: Connection, place: str) -> str | None:
    """The shape that a database has; None when it is empty. Raises StoreError when it belongs to something else."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    found = None
    if _STAMP in tables:
        found = connection.scalar(select(sql_column("version_num")).select_from(sql_table(_STAMP)))
    if found is None:
        raise StoreError(f"{place} is a database, but not that of an arena; name another one with --db")
    return str(found)


def prepare(database: Database, *, create: bool) -> None:
    """Make sure that the tables are there and have the right shape. Raises StoreError."""
    with database.reading() as connection:
        revision = revision_of(connection, database.place)
    if revision is None:
        if not create:
            raise StoreError(f"{database.place} is empty: play a tournament first, or name another one with --db")
        upgrade(database)
    elif revision != REVISIONS[-1]:
        raise StoreError(_mismatch(database.place, revision))


def upgrade(database: Database) -> str | None:
    """Bring the tables to the newest shape, all at once or not at all; gives the shape before. Raises StoreError."""
    with database.rebuilding() as connection:
        revision = revision_of(connection, database.place)
        if revision is not None and revision not in REVISIONS:
            raise StoreError(_mismatch(database.place, revision))
        if revision != REVISIONS[-1]:
            _migrate(connection)
    return revision


def _mismatch(place: str, revision: str) -> str:
    if revision in REVISIONS:
        return f"{place} was made by an older version of arena: run 'arena db upgrade', best after 'arena db backup'"
    return f"{place} was made by a newer version of arena (tables {revision}): install that one; nothing was changed"


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "arena.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
