"""`arena rate`: the ratings from the log once more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.store import Pool, Store
from tests.unit.cli.conftest import Arena
from tests.unit.cli.logged import home_with, small_arena

POOL = Pool("shelfie")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with small_arena(tmp_path) as made:
        yield made


def test_nothing_changes(store: Store, arena: Arena) -> None:
    """Ratings that nobody has touched come out the same, for every pool that somebody has asked for."""
    before = arena("leaderboard", "--players", 2, "--format", "json").stdout
    result = arena("rate")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()[2:]
    assert [line.split("  ")[0] for line in lines] == [
        *("Codex Naturalis", "Codex Naturalis, 2 players", "My Shelfie", "My Shelfie, 2 players")
    ]
    assert all(line.rstrip().endswith("the same to the last bit") for line in lines)
    assert arena("leaderboard", "--players", 2, "--format", "json").stdout == before


def test_a_changed_rating_is_named(store: Store, arena: Arena) -> None:
    """Where somebody has changed a rating, the place is named and the leaderboard is right again."""
    before = arena("leaderboard", "--format", "json").stdout
    page = [rating for _, rating in store.ratings(POOL, "open")]
    with store.writing() as book:
        page[0] = replace(page[0], mu=page[0].mu + 1)
        book.save(POOL, "open", 30, page, dict(store.tallies(POOL, "open")))
    text = arena("rate", "--game", "shelfie").stdout
    assert "changed in 1 place" in text
    assert "My Shelfie: the rating of ada@1 after open was wrong" in text
    assert arena("leaderboard", "--format", "json").stdout == before
    (pool,) = json.loads(arena("rate", "--game", "shelfie", "--format", "json").stdout)["pools"]
    assert (pool["game"], pool["games"], pool["bots"], pool["same"], pool["changes"]) == ("shelfie", 108, 5, True, [])


def test_mistakes(store: Store, arena: Arena) -> None:
    """A game that nobody has played is refused."""
    result = arena("rate", "--game", "chess")
    assert (result.exit_code, result.stderr) == (2, "error: no game of chess is rated in this arena\n")


def test_nothing_to_rate(tmp_path: Path, arena: Arena) -> None:
    """An empty arena says so."""
    home_with(tmp_path).close()
    assert arena("rate").stdout == "No games to rate yet.\n"
