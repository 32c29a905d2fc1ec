"""`arena why`: the page, and the same as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena import archive
from arena.record import Effort, LogLine, Verdict, VerdictKind
from arena.store import open_store
from tests.ledgers import play_cup, register_bots
from tests.tree import ROOT
from tests.unit.cli.conftest import Arena
from tests.unit.cli.played import played, spec_of


@pytest.fixture
def crashed(tmp_path: Path) -> Path:
    """A file with two matches; in the second bob crashed, and wrote things that a terminal should not see."""
    log = (LogLine(1, "hm \x1b[31m"), LogLine(3, "Traceback"), LogLine(3, "KeyError: 'x'"))
    verdict = Verdict(
        1, VerdictKind.CRASHED, 3, "The bot's process ended in mid-game: it was killed.", signal=9, log_tail="KeyError"
    )
    second = replace(played(spec_of("ann", "bob"), verdict), efforts=(Effort(1, 1), Effort(2_500, 40_960, log)))
    archive.write(tmp_path / "games.arena", [played(spec_of("ann", "bob")), second])
    return Path("games.arena")


def test_the_page(arena: Arena, crashed: Path) -> None:
    """One page says it all: verdict, signal, last exchange, clock, log by move, effort, and the points."""
    result = arena("why", crashed)
    page = result.stdout
    assert result.exit_code == 0
    assert page.startswith("games.arena: bob, seat 1\nMy Shelfie, edition en-2022, seed 7, time 1s+10s\n")
    for part in (
        "Rank 2 of 2; the match was abandoned after 3 moves.",
        "It forfeited at move 4: crashed. The bot's process ended in mid-game: it was killed.",
        "Its process was ended by signal 9, SIGKILL.",
        "At move 4 it saw",
        "and gave no answer.",
        "2.00 ms for 1 move, 2.00 ms on average, the longest 2.00 ms at move 2; allowed: 1s+10s",
        "at move 4 it wrote\n  | Traceback\n  | KeyError: 'x'\n",
        "2.50 ms of processor time, 40.0 MB of memory at its peak",
    ):
        assert part in page
    row = next(line for line in page.splitlines() if line.startswith("   2 "))
    assert row.split()[:2] == ["2", "2.00"]
    assert "10.00 s" in row
    assert row.rstrip().endswith("hm \N{REPLACEMENT CHARACTER}[31m")
    assert "\x1b" not in page
    assert page.splitlines()[-1].startswith("total ")


def test_what_was_not_measured_is_said_to_be(arena: Arena, crashed: Path) -> None:
    """Where nobody measured, the page says so instead of showing zeros."""
    page = arena("why", crashed, "ann", "--match", "1").stdout
    assert "not measured: only matches of tournaments are" in page
    assert "It played to the end, with no verdict against it." in page


def test_a_match_of_the_arena(arena: Arena, tmp_path: Path) -> None:
    """A match is found by its name in the log."""
    with open_store(tmp_path / ".arena" / "arena.db") as store:
        play_cup(store, register_bots(store, tmp_path, "ann", "bob"), blocks=2)
    result = arena("why", "cup/1", "ann")
    assert result.stdout.startswith("cup/1: ann@1, seat ")
    for words, sentence in {
        ("why", "cup/9"): "there is no match cup/9 in this arena",
        ("why", "cup/1", "zoe"): "zoe did not play in this match; its bots were ",
    }.items():
        failed = arena(*words)
        assert failed.exit_code == 2
        assert sentence in failed.stderr


def test_json(arena: Arena, crashed: Path) -> None:
    """The same as data; what is not known is null."""
    found = json.loads(arena("why", crashed, "--format", "json").stdout)
    assert (found["bot"], found["seat"], found["rank"]) == ("bob", 1, 2)
    assert (found["verdict"]["kind"], found["verdict"]["signal"]) == ("crashed", 9)
    assert found["last_exchange"]["answer"] is None
    assert found["moves"][0]["log"] == ["hm \x1b[31m"]
    assert found["effort"] == {"cpu_us": 2_500, "peak_kb": 40_960}
    assert found["compared_with"]["bot"] == "ann"
    assert "reference" not in found


def test_the_reference(arena: Arena, crashed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On request the moves are shown that a search would rather have made."""
    monkeypatch.setattr("arena.tournament.reference.ROUNDS", 40)
    page = arena("why", crashed, "ann", "--match", "1", "--reference").stdout
    assert "Where the search of the SDK would have moved otherwise" in page
    found = json.loads(arena("why", crashed, "bob", "--reference", "--format", "json").stdout)
    assert all(one["cost"] <= found["reference"][0]["cost"] for one in found["reference"])


def test_a_bot_as_the_reference(arena: Arena, crashed: Path) -> None:
    """A bot in a folder can be asked too: it is started and shown what the seat saw."""
    words = ("why", crashed, "ann", "--match", "1", "--format", "json")
    found = json.loads(arena(*words, "--reference", ROOT / "bots" / "greedy").stdout)
    assert len(found["reference"]) > 3
    failed = arena(*words, "--reference", ROOT / "tests" / "rogues" / "raises")
    assert failed.exit_code == 3
    assert "raises, as the reference, failed at move " in failed.stderr
