"""`arena db`: check, copy and upgrade."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from arena.store import open_store
from tests.unit.cli.conftest import Arena
from tests.unit.store.table import arena_of, match


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An arena with two matches, where commands look for one."""
    with open_store(tmp_path / ".arena" / "arena.db") as store:
        arena_of(store, "ann", "bob")
        store.record([match(0), match(1)])
    return tmp_path / ".arena"


def test_a_sound_arena(arena: Arena, home: Path) -> None:
    """Checking says so, wherever the arena is said to be."""
    for words in ([], ["--home", home], ["--db", home / "arena.db"]):
        result = arena("db", "check", *words)
        assert result.exit_code == 0
        assert result.output.endswith("arena.db is sound\n")


def test_faults_are_listed(arena: Arena, home: Path) -> None:
    """Each fault is a line, and the exit code tells programs."""
    with open_store(home / "arena.db") as store, store.database.writing() as connection:
        connection.execute(text("UPDATE records SET sha256 = 'abc'"))
    result = arena("db", "check")
    assert result.exit_code == 5
    assert [line.partition(" was changed")[0] for line in result.stdout.splitlines()] == [
        "the record of cup/0~0",
        "the record of cup/1~0",
    ]
    assert result.stderr.startswith("error: .arena/arena.db has 2 faults: bring back a backup")
    assert result.stderr.count("\n") == 1


def test_a_damaged_file(arena: Arena, home: Path) -> None:
    """A file that is no database any more is a fault, not a traceback."""
    (home / "arena.db").write_bytes(b"x" * 10_000)
    result = arena("db", "check")
    assert (result.exit_code, result.stdout) == (5, "the file is damaged: file is not a database\n")


def test_a_copy(arena: Arena, home: Path) -> None:
    """A copy is an arena of its own, and nothing is overwritten by one."""
    assert arena("db", "backup", "copy.db").output == ".arena/arena.db is copied to copy.db\n"
    assert arena("db", "check", "--db", "copy.db").output == "copy.db is sound\n"
    again = arena("db", "backup", "copy.db")
    assert (again.exit_code, again.stdout) == (2, "")
    assert again.stderr == "error: copy.db is there already: choose another name for the copy\n"
    nowhere = arena("db", "backup", "no/such/folder/copy.db")
    assert nowhere.exit_code == 5
    assert nowhere.stderr.startswith("error: no/such/folder/copy.db cannot be opened")


def test_upgrading(arena: Arena, home: Path) -> None:
    """An arena that is up to date stays as it is; one of a newer version is refused."""
    assert arena("db", "upgrade").output == ".arena/arena.db is up to date\n"
    with open_store(home / "arena.db") as store, store.database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for word in ("upgrade", "check"):
        result = arena("db", word)
        assert result.exit_code == 5
        assert result.stderr.startswith("error: .arena/arena.db was made by a newer version of arena (tables 9999)")


@pytest.mark.parametrize("words", [["check"], ["upgrade"], ["backup", "copy.db"]])
def test_where_there_is_no_arena(words: list[str], arena: Arena, tmp_path: Path) -> None:
    """Looking after nothing is an error, and makes nothing."""
    result = arena("db", *words)
    assert (result.exit_code, result.stdout) == (5, "")
    assert result.stderr.startswith("error: there is no arena at .arena/arena.db: play a tournament first")
    assert list(tmp_path.iterdir()) == []
