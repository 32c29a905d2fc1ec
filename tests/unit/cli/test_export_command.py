"""`arena export` and `arena import`: what they print, and how they end."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena import archive
from arena.store import open_store
from tests.ledgers import play_cup, register_bots
from tests.unit.cli.conftest import Arena


@pytest.fixture(autouse=True)
def home(tmp_path: Path) -> Path:
    with open_store(tmp_path / ".arena" / "arena.db") as store:
        play_cup(store, register_bots(store, tmp_path, "ann", "bob"), blocks=2)
    return tmp_path / ".arena"


def test_a_tournament_there_and_back(arena: Arena) -> None:
    """The file of a tournament comes with a seal, is verified by it, and comes into another arena."""
    done = arena("export", "--tournament", "cup", "--to", "cup.cup", "--with-bots")
    first, second = done.stdout.splitlines()
    assert first == "cup.cup: cup, 4 matches, 2 bots"
    seal = second.removeprefix("seal: ")
    assert f"seal of cup.cup: {seal}" in arena("verify", "cup.cup").stdout
    brought = arena("import", "cup.cup", "--home", "there")
    assert brought.stdout.splitlines() == [
        "cup.cup: cup, 4 matches, verified",
        "  new here: ann@1",
        "  new here: bob@1",
    ]
    assert arena("import", "cup.cup", "--home", "there").stdout == "cup.cup: cup, 4 matches, verified\n"
    assert arena("verify", "--home", "there").exit_code == 0


@pytest.mark.parametrize("form", ["arena", "jsonl"])
def test_records(arena: Arena, tmp_path: Path, form: str) -> None:
    """Records of a bot go into a file that can be read, replayed and verified."""
    done = arena("export", "--bot", "ann@1", "--game", "shelfie", "--since", "1970-01-01", "--to", f"ann.{form}")
    assert done.stdout == f"ann.{form}: 4 matches\n"
    assert len(archive.read(tmp_path / f"ann.{form}")) == 4
    assert arena("verify", f"ann.{form}").exit_code == 0
    assert arena("import", f"ann.{form}", "--as", "games", "--rated", "--home", "there").exit_code == 0


def test_nothing_is_since_tomorrow(arena: Arena) -> None:
    """A filter that lets nothing through gives an empty file, and says so."""
    assert arena("export", "--since", "2999-01-01", "--to", "none.jsonl").stdout == "none.jsonl: 0 matches\n"


def test_parquet_without_pyarrow(arena: Arena, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where pyarrow is missing, one sentence says how to get it, and no file is left."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    failed = arena("export", "--to", "moves.parquet")
    assert failed.exit_code == 2
    assert "pip install 'arena-platform[export]'" in failed.stderr
    assert list(tmp_path.glob("moves*")) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["export", "--to", "games.txt"], "games.txt has no ending that says what to write: .arena, .jsonl"),
        (["export", "--to", "all.cup"], "a .cup holds one whole tournament"),
        (["export", "--to", "x.cup", "--tournament", "cup", "--bot", "ann"], "a .cup holds one whole tournament"),
        (["export", "--to", "x.arena", "--with-bots"], "only a .cup can hold the files of bots"),
        (["export", "--to", "x.arena", "--tournament", "pokal"], "there is no tournament named pokal"),
        (["export", "--to", "no/where.arena"], "no/where.arena cannot be written: No such file or directory"),
        (["import", "a.cup", "b.cup", "--as", "x"], "--as names one tournament: import the files one by one"),
    ],
)
def test_what_cannot_be_done(arena: Arena, words: list[str], sentence: str) -> None:
    """A command that makes no sense gets one sentence and exit code 2."""
    failed = arena(*words)
    assert failed.exit_code == 2
    assert failed.stderr.startswith(f"error: {sentence}")


def test_a_file_that_is_not_right(arena: Arena, tmp_path: Path) -> None:
    """What does not verify does not come in; the exit code is 4."""
    arena("export", "--to", "games.arena")
    content = (tmp_path / "games.arena").read_bytes()
    (tmp_path / "games.arena").write_bytes(content[:-10])
    failed = arena("import", "games.arena", "--as", "games", "--home", "there")
    assert failed.exit_code == 4
    assert "games.arena is not as it should be, so nothing of it was taken in:" in failed.stderr
    assert arena("import", "none.cup").exit_code == 4
