"""`arena doctor`."""

from __future__ import annotations

import json
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from arena.cli.doctor import PACKAGES, SECTIONS
from arena.launch import probe
from arena.launch.probe import WALLS
from arena.launch.sandbox import Tools
from arena.referee.transport import GRPC_ENVIRONMENT
from arena_rules import games
from arena_rules.shelfie import shelf
from arena_sdk import turn
from tests.unit.cli.conftest import Arena


def found(arena: Arena) -> dict[str, Any]:
    findings: dict[str, Any] = json.loads(arena("doctor", "--format", "json").stdout)
    return findings


def test_the_table_has_every_finding(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """People see, section by section, all that programs get."""
    monkeypatch.setenv("COLUMNS", "400")
    text = arena("doctor").stdout
    findings = found(arena)
    assert list(findings) == list(SECTIONS)
    for section, lines in findings.items():
        assert f"\n{section} " in text
        for name, value in lines.items():
            (row,) = [line for line in text.splitlines() if f" {name} " in line]
            words = value.values() if isinstance(value, dict) else [value]
            assert all(str(word) in row for word in words)


def test_versions_are_those_installed(arena: Arena) -> None:
    """A report of a fault can be completed from it: Python, our distributions and those that carry the wire."""
    findings = found(arena)
    assert findings["host"]["python"].endswith(sys.version.split()[0])
    assert {name: findings["versions"][name] for name in PACKAGES} == {name: version(name) for name in PACKAGES}


def test_without_uvloop_it_is_asyncio(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop that is named is the one that matches run on."""
    assert found(arena)["versions"]["event loop"].startswith("uvloop ")
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert found(arena)["versions"]["event loop"] == "asyncio"


def test_grpc_settings_are_those_in_force(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who has set a variable of gRPC sees that value, not ours."""
    monkeypatch.setenv("GRPC_VERBOSITY", "DEBUG")
    assert found(arena)["grpc"] == {**GRPC_ENVIRONMENT, "GRPC_VERBOSITY": "DEBUG"}


def test_every_game_is_listed(arena: Arena) -> None:
    """Each game has the version of its rules and the form in which they run."""
    listed = found(arena)["games"]
    assert {name: game["rules_version"] for name, game in listed.items()} == {
        name: game.rules_version for name, game in games().items()
    }
    assert {game["code"] for game in listed.values()} <= {"pure", "compiled", "stale"}


@pytest.mark.parametrize(("newer", "code"), [("extension", "compiled"), ("source", "stale")])
@pytest.mark.parametrize(("module", "section", "name"), [(shelf, "games", "shelfie"), (turn, "wire", "arena_sdk")])
def test_compiled_code_is_noticed(
    module: ModuleType,
    section: str,
    name: str,
    newer: str,
    code: str,
    arena: Arena,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Code that was compiled is said to be, and what is old comes with the advice to compile it again."""
    source, extension = tmp_path / "shelf.py", tmp_path / f"shelf{EXTENSION_SUFFIXES[0]}"
    for path, time in ((source, 2), (extension, 1 if newer == "source" else 3)):
        path.touch()
        os.utime(path, (time, time))
    monkeypatch.setattr(module, "__file__", str(extension))
    finding = found(arena)[section][name]
    assert finding["code"] == code
    assert ("make compile" in finding.get("advice", "")) == (code == "stale")


def test_what_bots_are_held_by(arena: Arena) -> None:
    """An organiser sees every wall of the sandbox, and how far this host puts it up."""
    walls = found(arena)["sandbox"]
    assert list(walls) == ["bubblewrap", *WALLS]
    assert all(walls.values())


def test_without_bubblewrap_there_is_advice(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no sandbox, the command that installs one is shown."""
    monkeypatch.setattr(probe, "found", lambda: probe.Host(None, f"bubblewrap is not installed; {probe.INSTALL}"))
    assert "apt-get install bubblewrap" in found(arena)["sandbox"]["bubblewrap"]["advice"]
    assert "apt-get install bubblewrap" in " ".join(arena("doctor").stdout.split())


def test_without_groups_there_is_advice() -> None:
    """Limits that hold for each process alone are said to, with how to get more."""
    tools = Tools("/usr/bin/bwrap", closes_namespaces=True, prlimit=None, groups=None, system_calls=None, root=False)
    walls = {ability.name: ability for ability in probe.abilities(lambda: probe.Host(tools))}
    assert "each process" in walls["memory"].enforced
    assert "systemd-run" in walls["memory"].advice
    assert "prlimit" in walls["processes"].advice
