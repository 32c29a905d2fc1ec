"""Copies of a store, and whether it is sound."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from arena.errors import UsageError
from arena.store import Store, open_store
from tests.unit.store.table import arena_of, match


@pytest.fixture
def log(store: Store) -> Store:
    """A store with three matches."""
    arena_of(store, "ann", "bob")
    store.record([match(index) for index in range(3)], through=3)
    return store


def test_a_sound_store(log: Store) -> None:
    """A store that nobody touched has no fault."""
    assert log.check() == []


def spoil(store: Store, statement: str) -> None:
    """Change something behind the store's back."""
    with store.database.rebuilding() as connection:
        connection.execute(text(statement))


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        (
            "UPDATE records SET sha256 = 'abc' WHERE \"index\" = 1",
            "the record of cup/1~0 was changed after it was written",
        ),
        ('DELETE FROM records WHERE "index" = 2', "match cup/2~0 has no record"),
        ('DELETE FROM seats WHERE "index" = 0 AND seat = 1', "match cup/0~0 has 1 seats instead of 2"),
        ("UPDATE tournaments SET system = 'cup'", "the definition of cup was changed"),
    ],
)
def test_faults_are_named(statement: str, fault: str, log: Store) -> None:
    """Each fault is told with the match or the tournament that has it, and nothing else is."""
    spoil(log, statement)
    (found,) = log.check()
    assert found.startswith(fault)


def test_a_copy_is_an_arena(log: Store, kind: str, tmp_path: Path) -> None:
    """A copy is one file that holds all of it, and is made while somebody else is writing."""
    if kind != "sqlite":
        with pytest.raises(UsageError, match="with the means of PostgreSQL: pg_dump"):
            log.backup(tmp_path / "copy.db")
        return
    with log.database.writing() as connection:
        connection.execute(text("UPDATE tournaments SET through = 99"))
        log.backup(tmp_path / "copy.db")
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]
    with open_store(tmp_path / "copy.db", create=False) as copy:
        assert list(copy.records()) == list(log.records())
        assert copy.tournament("cup").through == 3
        assert copy.check() == []


def test_a_copy_replaces_nothing(log: Store, kind: str, tmp_path: Path) -> None:
    """A file that is there is not overwritten."""
    (tmp_path / "copy.db").write_text("precious")
    with pytest.raises(UsageError):
        log.backup(tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "precious"
