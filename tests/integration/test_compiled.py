"""Compiled code plays the games that the same sources play in pure Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.compiled import HEADER, compiled, copy_of_the_sdk
from tests.tree import ROOT

GAMES = "3"

pytestmark = [
    pytest.mark.needs("gcc", "apt-get install build-essential"),
    pytest.mark.needs(HEADER, "apt-get install python3-dev"),
    pytest.mark.timeout(180),  # compiling comes first
]


def told_by(sdk: Path) -> list[str]:
    """What the code in that folder tells of many games, and between them in lines of their own what was compiled."""
    command = [sys.executable, "-m", "tests.integration.retold", GAMES]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(sdk)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.long
def test_both_play_the_same_games(tmp_path: Path) -> None:
    """Every state, legal move, view, sample, score and message comes out the same at every table, however it is run."""
    pure = told_by(copy_of_the_sdk(tmp_path / "pure"))
    fast = told_by(compiled(copy_of_the_sdk(tmp_path / "fast"), "0"))  # not optimised: half the time, the same games
    assert {line.split()[-1] for line in pure if line.startswith("code of")} == {"pure"}
    assert {line.split()[-1] for line in fast if line.startswith("code of")} == {"compiled"}
    pure, fast = ([line for line in lines if not line.startswith("code of")] for lines in (pure, fast))
    assert len(pure) > 1000
    assert next(((a, b) for a, b in zip(pure, fast, strict=True) if a != b), None) is None


def test_without_being_asked_nothing_is_compiled(tmp_path: Path) -> None:
    """A plain build needs no compiler, and its wheel is for every machine."""
    sdk = copy_of_the_sdk(tmp_path / "sdk")
    build = "import sys, backend; print(backend.build_wheel(sys.argv[1]))"
    plain = {name: value for name, value in os.environ.items() if name != "ARENA_COMPILE"} | {"CC": "no-such-compiler"}
    command = [sys.executable, "-c", build, str(tmp_path)]
    subprocess.run(command, cwd=sdk, env=plain, check=True, capture_output=True)
    assert [path.name.split("-")[-1] for path in tmp_path.glob("*.whl")] == ["any.whl"]
