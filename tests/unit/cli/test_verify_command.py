"""`arena verify`: what it prints, and how it ends."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from arena import archive
from arena.store import open_store
from tests.ledgers import play_cup, register_bots
from tests.unit.cli.conftest import Arena
from tests.unit.cli.played import played, spec_of


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with open_store(tmp_path / ".arena" / "arena.db") as store:
        play_cup(store, register_bots(store, tmp_path, "ann", "bob"), blocks=2)
    return tmp_path / ".arena"


def tamper(home: Path, statement: str) -> None:
    with sqlite3.connect(home / "arena.db") as connection:
        assert connection.execute(statement).rowcount == 1
    connection.close()


def test_a_clean_arena(arena: Arena, home: Path) -> None:
    """When nothing differs, what was checked is counted, and the exit code is 0."""
    result = arena("verify")
    moves = sum(len(kept.record().moves) for kept in open_store(home / "arena.db").records())
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"4 matches replayed, {moves} moves; 2 versions, 2 with files; 1 page of ratings",
        "everything is as it should be",
    ]


def test_what_differs_is_printed(arena: Arena, home: Path) -> None:
    """Each difference is a line that names its place; the exit code is 4, in both forms."""
    tamper(home, "UPDATE ratings SET mu = 25.125 WHERE version_id = 1")
    result = arena("verify")
    assert result.exit_code == 4
    assert result.stdout.startswith("the ratings of shelfie after cup: ann@1: mu is 25.125, and the log gives ")
    assert result.stdout.endswith("\n1 difference\n")
    form = arena("verify", "--tournament", "cup", "--format", "json")
    report = json.loads(form.stdout)
    assert form.exit_code == 4
    assert not report["clean"]
    assert report["findings"][0]["place"] == "the ratings of shelfie after cup"


def test_files_need_no_arena(arena: Arena, three_matches: Path, tmp_path: Path) -> None:
    """Files are checked by themselves, and what is wrong in them is named by its number."""
    assert arena("verify", three_matches).stdout.endswith("everything is as it should be\n")
    record = played(spec_of())
    wrong = replace(record, moves=(*record.moves[:3], *record.moves[4:]))
    archive.write(tmp_path / "wrong.arena", [record, wrong])
    result = arena("verify", three_matches, "wrong.arena", "--jobs", "1")
    assert result.exit_code == 4
    assert result.stdout.startswith("wrong.arena, record 2: move 4 (seat 0, ")
    assert "5 matches replayed" in result.stdout
    assert not (tmp_path / ".arena").exists()


def test_the_rest_of_a_broken_file_is_missed(arena: Arena, three_matches: Path) -> None:
    """A file that breaks off is checked as far as it goes."""
    three_matches.write_bytes(three_matches.read_bytes()[:-9])
    result = arena("verify", three_matches)
    assert result.exit_code == 4
    assert "after record 2: " in result.stdout
    assert "the end of it is missing" in result.stdout


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ([], 5, "there is no arena at .arena/arena.db"),
        (["none.arena"], 4, "there is no file none.arena"),
        (["a.arena", "--tournament", "cup"], 2, "name files or a tournament, not both"),
    ],
)
def test_what_cannot_be_checked(arena: Arena, words: list[str], code: int, sentence: str) -> None:
    """Where there is nothing to check, one sentence says so."""
    result = arena("verify", *words)
    assert result.exit_code == code
    assert result.stderr.startswith(f"error: {sentence}")


def test_a_tournament_that_is_not_there(arena: Arena, home: Path) -> None:
    """A name that nobody knows is said to be one."""
    result = arena("verify", "--tournament", "pokal")
    assert result.exit_code == 2
    assert "there is no tournament named pokal" in result.stderr
