"""Bots that join a ladder: by name, by the same command with one more bot, and killed at any moment."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arena.store import State, open_store
from tests.e2e.test_cli import arena
from tests.e2e.test_tournament import BOTS, five, killed_at, logged, records, the_end, timeless

FIXED = ["--game", "shelfie", "--seed", "7", "--time", "none", "--name", "cup", "--in-flight", "2"]


def ladder(home: Path, *more: str, blocks: int = 18) -> list[str]:
    """A ladder of greedy and random, and whoever else."""
    return ["tournament", *BOTS[1:], *more, *FIXED, "--system", "ladder", "--blocks", str(blocks), "--home", str(home)]


def resumed(home: Path, *more: str) -> list[str]:
    return ["tournament", "--resume", "cup", *more, "--in-flight", "2", "--home", str(home)]


def reach(home: Path) -> int:
    """The number behind the last match in the log; matches before it may be missing."""
    with open_store(home / "arena.db", create=False) as store:
        return store.reach("cup")


def joins(home: Path) -> list[tuple[str, int]]:
    """Who has joined, and behind how many matches."""
    with open_store(home / "arena.db", create=False) as store:
        return [(join["bot"], join["after"]) for join in store.tournament("cup").definition.get("joins", [])]


@pytest.mark.long
@pytest.mark.timeout(120)
def test_joined_and_killed(tmp_path: Path) -> None:
    """A ladder that was joined, killed with -9 and resumed comes to the same table as one that was not killed.

    What the newcomer changes comes after all that was played without it, and the audit draws it all up again.
    """
    whole, home = tmp_path / "whole", tmp_path / "home"
    newcomer = five(tmp_path)[-1]
    assert killed_at(ladder(whole), whole, 6)
    before, played = reach(whole), logged(whole)
    shutil.copytree(whole, home)
    expected = the_end(resumed(whole, newcomer), whole)
    assert joins(whole) == [("second-random@1", before)]
    assert killed_at(resumed(home, newcomer), home, played + 1)
    assert joins(home) == joins(whole)
    assert killed_at(ladder(home), home, played + 9), "the command that opened it goes on with all who joined"
    assert the_end(ladder(home, newcomer), home) == expected
    assert logged(home) == logged(whole) == 36
    assert list(map(timeless, records(home))) == list(map(timeless, records(whole)))
    seen = [record.spec.index for record in records(home) if "second-random@1" in record.spec.lineup]
    assert before <= seen[0] < before + 6
    assert arena("verify", "--home", home).returncode == 0


@pytest.mark.timeout(60)
def test_who_cannot_join(tmp_path: Path) -> None:
    """One who takes part already, one who comes to a ladder that is over or to a round robin: each gets a sentence."""
    done = arena(*ladder(tmp_path, blocks=1))
    assert done.returncode == 0, done.stderr
    late = arena(*resumed(tmp_path, BOTS[0]))
    assert (late.returncode, late.stderr) == (
        2,
        "error: cup is over, so planner@1 cannot join it: open another tournament\n",
    )
    with open_store(tmp_path / "arena.db", create=False) as store:
        store.finish("cup", State.STOPPED)
    twice = arena(*resumed(tmp_path, BOTS[1]))
    assert (twice.returncode, twice.stderr) == (2, "error: greedy@1 takes part in cup already: a bot joins once\n")
    closed = ["tournament", *BOTS[1:], *FIXED[:-4], "--name", "league", "--home", str(tmp_path)]
    assert arena(*closed).returncode == 0
    with open_store(tmp_path / "arena.db", create=False) as store:
        store.finish("league", State.STOPPED)
    refused = arena("tournament", "--resume", "league", BOTS[0], "--home", tmp_path)
    assert (refused.returncode, "nobody can join" in refused.stderr) == (2, True)
    assert joins(tmp_path) == []
