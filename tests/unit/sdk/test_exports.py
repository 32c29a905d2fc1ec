"""The names that authors import. Whoever changes these lists changes the programs of others."""

from __future__ import annotations

import subprocess
import sys

import pytest

import arena_rules
import arena_sdk

SDK = {"BatchBot", "Bot", "Exit", "GameEnded", "GameStarted", "MoveApplied", "News", "SeatLeft", "Table"}
SDK |= {"TimeControl", "Turn", "run"}

RULES = {"BadOptions", "Game", "IllegalMove", "NotationError", "Option", "Options", "Outcome", "Picture"}
RULES |= {"RulesError", "Score", "State", "Termination", "UnknownGame", "View", "game", "games"}


@pytest.mark.parametrize(("package", "names"), [(arena_sdk, SDK), (arena_rules, RULES)])
def test_exported_names(package: object, names: set[str]) -> None:
    """Every promised name is there, and none is promised by accident."""
    assert set(package.__all__) == names  # type: ignore[attr-defined]
    assert all(getattr(package, name) is not None for name in names)


def test_a_name_that_is_not_there() -> None:
    """A misspelt name is an AttributeError, as of any module."""
    with pytest.raises(AttributeError, match=r"arena_sdk.*'Bott'"):
        arena_sdk.Bott  # noqa: B018 - looking is the test


@pytest.mark.parametrize("module", ["arena_rules", "arena_sdk", "arena_sdk.testing"])
def test_grpc_comes_in_only_to_connect(module: str) -> None:
    """Who only plays in this process does not wait for grpc to be loaded."""
    code = f"import sys, {module}; sys.exit('grpc' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
