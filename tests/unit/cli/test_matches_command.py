"""`arena matches`: the list and its filters, and the page of one match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.archive import to_json
from arena.record import Entrant
from arena.store import Store
from tests.unit.cli.conftest import Arena
from tests.unit.cli.logged import home_with, small_arena
from tests.unit.cli.played import played, spec_of, timed_out
from tests.unit.store.table import arena_of, entrant, match


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with small_arena(tmp_path) as made:
        yield made


def listed(arena: Arena, *words: object) -> dict[str, Any]:
    result = arena("matches", *words, "--format", "json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_newest_first(store: Store, arena: Arena) -> None:
    """One line per match, with who won, by how much, and who was put out."""
    lines = arena("matches", "--limit", 24, "--tournament", "cup").stdout.splitlines()
    assert lines[0].split() == ["match", "began", "(UTC)", "result", "moves", "time"]
    assert [line.split()[0] for line in lines[2:26]] == [f"cup/{index}" for index in range(71, 47, -1)]
    (seats,) = (line["seats"] for line in listed(arena, "--tournament", "cup", "--limit", 24)["matches"][22:23])
    loser = next(seat["bot"] for seat in seats if seat["forfeit"])
    assert f"1 ada@1 9, {loser} timed out" in lines[24]
    assert lines[-1] == "older ones: --before cup/48"


def test_pages_join(store: Store, arena: Arena) -> None:
    """Page after page, every match comes once; the last page says that it is the last."""
    everything = [line["match"] for line in listed(arena, "--limit", 1000)["matches"]]
    assert len(everything) == len(set(everything)) == 126
    found, before = [], None
    while True:
        page = listed(arena, "--limit", 25, *(["--before", before] if before else []))
        found += [line["match"] for line in page["matches"]]
        before = page["before"]
        if before is None:
            break
    assert found == everything
    assert "older ones" not in arena("matches", "--limit", 126).stdout


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (["--bot", "bob"], 78),
        (["--bot", "bob@2"], 30),
        (["--game", "codex"], 18),
        (["--players", 3], 30),
        (["--tournament", "open", "--since", "2026-11-02T12:00"], 6),
        (["--forfeits"], 3),
        (["--forfeits", "--bot", "cyd"], 1),
        (["--void"], 0),
    ],
)
def test_filters(words: list[object], count: int, store: Store, arena: Arena) -> None:
    """Only matches that are asked for are listed."""
    assert len(listed(arena, *words, "--limit", 1000)["matches"]) == count


def test_void_attempts(tmp_path: Path, arena: Arena) -> None:
    """A match that does not count is listed with its attempt and the reason."""
    with home_with(tmp_path) as made:
        arena_of(made, "ann", "bob")
        made.record([match(3, void="The machine stood still."), match(3, attempt=1)])
    lines = arena("matches").stdout.splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["cup/3", "cup/3~0"]
    assert "ann@1, bob@1: void. The machine stood still." in lines[3]
    (void,) = listed(arena, "--void")["matches"]
    assert (void["match"], void["void_reason"]) == ("cup/3~0", "The machine stood still.")
    page = arena("matches", "cup/3~0").stdout
    assert "void after 8 moves" in page
    assert "The machine stood still." in page


@pytest.fixture
def real(tmp_path: Path) -> Store:
    """An arena with one real game, in which the second seat ran out of time."""
    made = home_with(tmp_path)
    arena_of(made, "ann", "bob", "cyd")
    bots = ("ann", "bob", "cyd")
    record = played(replace(spec_of(*bots), tournament="cup", index=17, block=5), timed_out(1, 4))
    lineup = tuple(Entrant(name, entrant(name).content_hash, 1) for name in bots)
    made.record([replace(record, lineup=lineup)], through=18)
    return made


def test_the_page_of_a_match(real: Store, arena: Arena) -> None:
    """One match is shown with its score sheet, what the referee found, and how to see its moves."""
    result = arena("matches", "cup/17")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "cup/17: My Shelfie, edition en-2022, seed 7, time 1s+10s"
    assert lines[1] == "block 5, began 1970-01-01 00:00 UTC"
    assert any(line.startswith("bob") and line.endswith("timed out at move 5") for line in lines)
    assert "seat 1, bob: timed out at move 5. The bot did not answer in time: it took 1.2 s." in lines
    assert lines[-1] == "see its moves: arena replay cup/17"
    document = json.loads(arena("matches", "cup/17", "--format", "json").stdout)
    assert document["match"] == "cup/17"
    assert document["record"] == to_json(real.record_of("cup/17").record())


def test_replaying_a_match_of_the_log(real: Store, arena: Arena, tmp_path: Path) -> None:
    """A match is replayed by its ID as from a file; a file of that name comes first."""
    result = arena("replay", "cup/17")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[0] == "My Shelfie, edition en-2022, seed 7, time 1s+10s"
    assert result.stdout.rstrip().endswith("result confirmed")
    assert json.loads(arena("replay", "cup/17~0", "--format", "json").stdout)["matches"] == [
        to_json(real.record_of("cup/17").record())
    ]
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "17").write_text("hello")
    assert arena("replay", "cup/17").exit_code == 4


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ("matches cup", 2, "'cup' is not a match; write TOURNAMENT/INDEX as in cup/17"),
        ("matches cup/18", 2, "there is no match cup/18 in this arena"),
        ("matches --before cup/18", 2, "there is no match cup/18 in this arena"),
        ("matches --bot zoe", 2, "there is no bot named zoe in this arena"),
        ("matches --tournament cap", 2, "there is no tournament named"),
        ("matches --limit 0", 2, "invalid value for '--limit'"),
        ("replay cup/18", 2, "there is no match cup/18 in this arena"),
        ("replay cup/17~3", 2, "there is no match cup/17~3 that counts in this arena; there is cup/17~0"),
        ("replay cup/17 --match 2", 2, "there is no match 2 in cup/17: it holds 1 match"),
        ("replay cup/17 --home nowhere", 5, "there is no arena at nowhere/arena.db"),
        ("replay cup", 4, "there is no file cup"),
    ],
)
def test_mistakes(words: str, code: int, sentence: str, real: Store, arena: Arena) -> None:
    """What is not there is said in one sentence."""
    result = arena(*words.split())
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.startswith(f"error: {sentence}")
    assert result.stderr.count("\n") == 1


def test_lists_do_not_steer_the_terminal(tmp_path: Path, arena: Arena) -> None:
    """What a bot made of a void match is shown without control characters."""
    with home_with(tmp_path) as made:
        arena_of(made, "ann", "bob")
        made.record([match(0, void="Lost \x1b]0;owned\x07.")])
    assert "\x1b" not in arena("matches").stdout + arena("matches", "cup/0~0").stdout
