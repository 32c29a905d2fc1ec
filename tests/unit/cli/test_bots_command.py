"""`arena bots`: who is here, which versions, and where they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store import Standing, Store
from tests.unit.cli.conftest import Arena
from tests.unit.cli.logged import home_with, small_arena


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with small_arena(tmp_path) as made:
        yield made


def test_the_list(store: Store, arena: Arena) -> None:
    """One line per bot: its newest version, whether it may play, where its best version stands, how much it played."""
    store.judge("ada@1", Standing.QUALIFIED)
    lines = {line.split()[0]: line for line in arena("bots").stdout.splitlines()[2:]}
    assert list(lines) == ["ada@1", "bob@2", "cyd@1", "dan@1"]
    assert lines["ada@1"].split()[1] == "qualified"
    assert "codex 1-2, shelfie 1 " in lines["ada@1"]
    assert lines["ada@1"].split()[-2:] == ["96", "0"]
    assert lines["bob@2"].split()[-2:] == ["78", "2"]
    assert "shelfie not enough games" in lines["dan@1"]
    found = json.loads(arena("bots", "--format", "json").stdout)["bots"]
    assert [(bot["bot"], bot["version"]) for bot in found] == [("ada", 1), ("bob", 2), ("cyd", 1), ("dan", 1)]
    assert [(each["version"], each["games"]) for each in found[1]["ratings"]] == [(2, 30), (1, 48)]


def test_one_bot(store: Store, arena: Arena) -> None:
    """A bot is shown with its versions and what they follow, its ratings, and its latest matches."""
    arena("leaderboard", "--tournament", "open")
    text = arena("bots", "bob").stdout
    tables = text.split("\n\n")
    assert tables[0] == "bob, for shelfie"
    assert [line.split()[0] for line in tables[1].splitlines()[2:]] == ["bob@1", "bob@2"]
    assert "registered   @1 " in tables[1].splitlines()[3]
    assert [re.split(r" {2,}", line)[:2] for line in tables[2].splitlines()[2:]] == [
        ["bob@1", "My Shelfie"],
        ["bob@2", "My Shelfie"],
        ["bob@2", "My Shelfie, tournament open"],
    ]
    assert len(tables[3].splitlines()) == 2 + 10
    page = json.loads(arena("bots", "bob", "--format", "json").stdout)
    assert [version["follows"] for version in page["versions"]] == [None, 1]
    assert [(each["version"], each["tournament"]) for each in page["ratings"]] == [(1, None), (2, None), (2, "open")]
    assert all("bob" in {seat["bot"].split("@")[0] for seat in line["seats"]} for line in page["matches"])


def test_one_version(store: Store, arena: Arena) -> None:
    """With a version, only what concerns it is shown."""
    page = json.loads(arena("bots", "bob@2", "--format", "json").stdout)
    assert [version["version"] for version in page["versions"]] == [2]
    assert {each["version"] for each in page["ratings"]} == {2}
    assert {line["tournament"] for line in page["matches"]} == {"open"}


def test_retiring(store: Store, arena: Arena) -> None:
    """A retired version is not what its name means any more; what it played stays."""
    result = arena("bots", "--retire", "bob@2")
    assert (result.exit_code, result.stdout) == (0, "bob@2 is retired: bob means bob@1 now\n")
    assert store.version("bob").number == 1
    assert arena("bots", "--retire", "bob@2").stdout == "bob@2 was retired before\n"
    assert arena("bots", "--retire", "bob").stdout == "bob@1 is retired: bob has no version left to play\n"
    assert "retired" in arena("bots").stdout
    assert "bob@2" in arena("leaderboard", "--game", "shelfie").stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("bots zoe", "there is no bot named zoe in this arena"),
        ("bots bob@9", "there is no bot bob@9 to play here: its versions are bob@1, bob@2"),
        ("bots --retire bob@9", "there is no bot bob@9 to play here"),
        ("bots bob --retire bob@2", "--retire takes the version itself: arena bots --retire NAME@N"),
    ],
)
def test_mistakes(words: str, sentence: str, store: Store, arena: Arena) -> None:
    """What is not there is said in one sentence."""
    result = arena(*words.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {sentence}")


def test_nobody_and_newcomers(tmp_path: Path, arena: Arena) -> None:
    """An arena without bots says so, and so does a bot that has not played."""
    with home_with(tmp_path) as made:
        assert arena("bots").stdout == "No bots yet.\n"
        made.register("ann", "0f" * 32, {"games": ["codex"], "description": "Waits."}, trusted=True, source="x/ann")
    assert "x/ann" in arena("bots", "ann").stdout
    assert arena("bots", "ann").stdout.startswith("ann, for codex\nWaits.\n")
    assert arena("bots", "ann").stdout.endswith("\nIt has not played yet.\n")
    assert "ann@1" in arena("bots").stdout
