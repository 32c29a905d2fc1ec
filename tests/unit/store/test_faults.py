"""When a database cannot be used: one sentence, and nothing is lost."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena.errors import StoreError, UsageError
from arena.store import Store, open_store
from arena.store.database import connect, url_of
from arena.store.upkeep import faults
from tests.postgres import Cluster
from tests.unit.store.table import arena_of, match


def test_not_a_database(tmp_path: Path) -> None:
    """A file of another kind is named and left as it is."""
    path = tmp_path / "arena.db"
    path.write_text("dear diary, " * 1_000)
    with pytest.raises(StoreError, match=f"{path} is not a database; move it away, or name another one"):
        open_store(path)
    assert path.read_text() == "dear diary, " * 1_000


def filled(path: Path, matches: int) -> None:
    with open_store(path) as store:
        arena_of(store, "ann", "bob")
        store.record([match(index) for index in range(matches)], through=matches)


def test_a_damaged_page(tmp_path: Path) -> None:
    """Where pages were overwritten, reading says that the file is damaged, and so does a check."""
    path = tmp_path / "arena.db"
    filled(path, 300)
    content = bytearray(path.read_bytes())
    content[40_960:-8_192] = b"\xa5" * len(content[40_960:-8_192])
    path.write_bytes(content)
    with (
        pytest.raises(StoreError, match=f"{path} is damaged .*: keep a copy, bring back a backup"),
        open_store(path) as store,
    ):
        list(store.records())
    with connect(path, create=False) as database:
        assert all(fault.startswith("the file is damaged: ") for fault in faults(database))
        assert list(faults(database))


@pytest.mark.parametrize("lost", [1, 4_096])
def test_a_file_that_was_cut_off(lost: int, tmp_path: Path) -> None:
    """A file whose end is missing is called damaged."""
    path = tmp_path / "arena.db"
    filled(path, 300)
    os.truncate(path, path.stat().st_size // 2 - lost)
    with pytest.raises(StoreError, match=f"{path} is damaged"), open_store(path) as store:
        list(store.records())


@pytest.mark.parametrize("kind", ["sqlite"])  # the disk of a server cannot be filled from here
def test_a_full_disk(store: Store) -> None:
    """When there is no room the batch is refused as a whole; with room again the same batch is taken."""
    arena_of(store, "ann", "bob")
    store.record([match(0)], through=1)
    with store.database.engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        pages = driver.execute("PRAGMA page_count").fetchone()[0]
        driver.execute(f"PRAGMA max_page_count = {pages}")
    batch = [match(index) for index in range(1, 400)]
    with pytest.raises(StoreError, match=r"there is no room left for .*arena.db: free some space and repeat"):
        store.record(batch, through=400)
    assert [kept.key.index for kept in store.records()] == [0]
    assert store.tournament("cup").through == 1
    with store.database.engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.execute("PRAGMA max_page_count = 1000000")
    store.record(batch, through=400)
    assert len(list(store.records())) == 400
    assert store.check() == []


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that others can reach, unlike those of pytest."""
    with TemporaryDirectory() as name:
        yield Path(name)
        Path(name).chmod(0o755)


@contextmanager
def nobody() -> Iterator[None]:
    """Be somebody to whom permissions mean something, which they do not to root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("sealed", ["file", "folder"])
def test_a_file_that_may_only_be_read(sealed: str, folder: Path) -> None:
    """Whoever may read an arena but not write it can look at all of it, and is told so when it should be changed."""
    path = folder / "arena.db"
    filled(path, 3)
    path.chmod(0o444 if sealed == "file" else 0o666)
    folder.chmod(0o555 if sealed == "folder" else 0o777)
    with nobody(), open_store(path, create=False) as store:
        assert [line.name for line in store.matches()] == ["cup/2", "cup/1", "cup/0"]
        assert len(list(store.records())) == 3
        with pytest.raises(StoreError) as caught:
            store.open_tournament("new", "shelfie", "swiss", {}, 1)
    assert str(caught.value) == f"{path} can only be read: give yourself the right to write it and its folder"
    assert [file.name for file in folder.iterdir()] == ["arena.db"]


def test_a_folder_that_cannot_be_reached(folder: Path, tmp_path: Path) -> None:
    """A home below a file, and one in somebody's private folder, are refused."""
    (tmp_path / "home").write_text("")
    with pytest.raises(StoreError, match=r"home/arena.db cannot be reached: (File exists|Not a directory)"):
        open_store(tmp_path / "home" / "arena.db")
    folder.chmod(0)
    with nobody(), pytest.raises(StoreError, match=r"arena.db cannot be reached: Permission denied"):
        open_store(folder / "arena.db")
    with pytest.raises(UsageError, match="is a folder, not a database"):
        open_store(tmp_path)


def test_no_server(tmp_path: Path) -> None:
    """A server that does not answer is named without the password."""
    with pytest.raises(StoreError) as caught:
        open_store(f"postgresql://me:secret@/arena?host={tmp_path}")
    assert str(caught.value).startswith("postgresql://me:***@/arena?host=")
    assert "cannot be reached: " in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_such_database(postgres: Cluster) -> None:
    """A database that the server does not have is named."""
    with pytest.raises(StoreError, match=r'postgresql://.*nothing.* cannot be reached: .*"nothing" does not exist'):
        open_store(postgres.url("nothing"))


@pytest.mark.parametrize("kind", ["postgresql"])
def test_a_server_that_only_reads(place: str) -> None:
    """A server that refuses to write is one that can only be read."""
    with open_store(f"{place}&options=-c%20default_transaction_read_only%3Don") as store:
        assert store.check() == []
        with pytest.raises(StoreError, match="can only be read: the server refuses to write"):
            store.open_tournament("cup", "shelfie", "swiss", {}, 1)


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "sqlite:///:memory:", "://"])
def test_urls_of_something_else(url: str) -> None:
    """What is no database for an arena is refused with an example of one that is."""
    with pytest.raises(UsageError, match="write postgresql://USER@HOST/NAME, or a path"):
        url_of(url)


def test_urls_and_paths(tmp_path: Path) -> None:
    """A path and the URL of SQLite are the same place; PostgreSQL is reached through the driver that we bring."""
    assert url_of(f"sqlite:///{tmp_path}/a.db") == url_of(tmp_path / "a.db")
    assert url_of("postgres://ann@host/arena") == url_of("postgresql://ann@host/arena")
    assert url_of("postgresql://ann@host/arena").drivername == "postgresql+psycopg"


def test_the_driver_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, PostgreSQL is refused with the command that installs it."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "psycopg"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'arena-platform\[postgres\]'"):
        open_store("postgresql://ann@host/arena")
