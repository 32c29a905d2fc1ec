"""What make says before anything is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tree import ROOT

TARGETS = {
    "help",
    "setup",
    "demo",
    "test",
    "siege",
    "soak",
    "lint",
    "format",
    "proto",
    "bench",
    "compile",
    "pure",
    "clean",
}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """As much of a fresh clone as set-up looks at, in a folder with a space in its name."""
    clone = tmp_path / "my arena"
    (clone / "sdk").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", "sdk/pyproject.toml"):
        shutil.copy(ROOT / name, clone / name)
    return clone


def make(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MAKELEVEL", "PYTHON"}}
    return subprocess.run(["make", *arguments], cwd=clone, env=clean, capture_output=True, text=True, check=False)


def pretend(path: Path, version: str) -> Path:
    """A program that gives that version and, asked whether it is new enough, says no."""
    path.write_text(f'#!/bin/sh\ncase "$2" in *exit*) exit 1 ;; *) echo {version} ;; esac\n')
    path.chmod(0o755)
    return path


def test_help_is_what_make_says_first(clone: Path) -> None:
    """`make` alone lists every target with a sentence."""
    lines = make(clone).stdout.splitlines()
    assert {line.split()[1] for line in lines} == TARGETS
    assert all(len(line.split()) > 3 for line in lines)


def test_old_python_gets_one_sentence(clone: Path) -> None:
    """Too old a Python is named, with what to do, and nothing is left behind."""
    done = make(clone, "demo", f"PYTHON={pretend(clone / 'python', '3.10')}")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "needs Python 3.11 or newer and found only 3.10" in done.stderr
    assert not (clone / ".venv").exists()


def test_no_python_gets_one_sentence(clone: Path) -> None:
    """A Python that is not there is no worse than an old one."""
    done = make(clone, "test", "PYTHON=no-such-python")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "found none" in done.stderr


def set_up(clone: Path, made_in: Path) -> None:
    """What a finished set-up leaves behind."""
    (clone / ".venv" / "bin").mkdir(parents=True)
    pretend(clone / ".venv" / "bin" / "python", "3.12")
    (clone / ".venv" / "ready").write_text(f"{made_in}\n")


def test_what_is_set_up_is_left_alone(clone: Path) -> None:
    """A second run looks for no Python and installs nothing."""
    set_up(clone, made_in=clone)
    done = make(clone, "setup")
    assert (done.returncode, done.stderr) == (0, "")
    assert "make demo" in done.stdout


@pytest.mark.parametrize("change", ["copied", "another Python", "interrupted"])
def test_what_is_not_set_up_is_noticed(clone: Path, change: str) -> None:
    """An environment of another folder or Python, or one that was never finished, is not used."""
    set_up(clone, made_in=clone.parent / "original" if change == "copied" else clone)
    if change == "interrupted":
        (clone / ".venv" / "ready").unlink()
    version = "3.9" if change == "another Python" else "3.12"
    done = make(clone, "setup", f"PYTHON={pretend(clone / 'python', version)}")
    assert done.returncode == 2
    assert f"found only {version}" in done.stderr


@pytest.mark.parametrize(
    "source", ["setup.py", "arena_rules/position.py", "arena_sdk/turn.py", "arena_sdk/codec/game.py"]
)
def test_nobody_runs_the_code_of_yesterday(clone: Path, source: str) -> None:
    """Compiled code is compiled again before it is used, when any of its sources is newer, and else left alone."""
    set_up(clone, made_in=clone)
    for time, path in enumerate([clone / "sdk" / source, clone / "sdk" / "arena_sdk__mypyc.some-python.so"], 1):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (time, time))
    assert "build_ext" not in make(clone, "--dry-run", "test").stdout
    os.utime(clone / "sdk" / source, (3, 3))
    assert "build_ext" in make(clone, "--dry-run", "test").stdout
