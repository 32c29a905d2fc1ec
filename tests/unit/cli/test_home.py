"""Which arena a command is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.store import open_store
from tests.unit.cli.conftest import Arena


@pytest.mark.parametrize("words", [["bots"], ["db", "check"]])
def test_options_come_before_the_environment(
    words: list[str], arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command finds the arena of --home, whatever database the environment names; without --home it finds that."""
    open_store(tmp_path / "lab" / "arena.db").close()
    monkeypatch.setenv("ARENA_DB", str(tmp_path / "nowhere.db"))
    assert arena(*words, "--home", tmp_path / "lab").exit_code == 0
    elsewhere = arena(*words)
    assert elsewhere.exit_code == 5
    assert "nowhere.db" in elsewhere.stderr
