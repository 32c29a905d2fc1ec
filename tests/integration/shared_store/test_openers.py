"""Processes that come to a fresh store at the same moment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.store import open_store
from tests.postgres import Cluster
from tests.tree import ROOT

RACES = 8


def test_opening_at_once(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Whoever comes first makes the tables, and all get on with one version of a bot and one tournament."""
    places = [str(tmp_path / str(race) / "arena.db") for race in range(RACES)]
    if kind == "postgresql":
        server: Cluster = request.getfixturevalue("postgres")
        places = [server.fresh() for _ in range(RACES // 4)]
    command = [sys.executable, "-m", "tests.integration.shared_store.openers", *places]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
    for place in places:
        with open_store(place, create=False) as store:
            assert [version.label for version in store.lineage("ann")] == ["ann@1"]
            assert [tournament.name for tournament in store.tournaments()] == ["cup"]
