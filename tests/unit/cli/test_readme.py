"""The page about the command line leaves nothing out."""

from __future__ import annotations

import re

import click
import pytest

from arena import errors
from arena.cli import COMMANDS, cli
from tests.tree import ROOT

PAGE = (ROOT / "arena" / "cli" / "README.md").read_text()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name: str) -> None:
    """Each command has its row in the table, and each of its options is mentioned."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert f"| `arena {name} " in PAGE
    options = {word for param in command.params if isinstance(param, click.Option) for word in param.opts}
    assert {option for option in options if not re.search(rf"`[^`]*{option}\b", PAGE)} == set()


def test_no_other_options_are_explained() -> None:
    """What the page mentions exists."""
    commands = [cli.get_command(click.Context(cli), name) for name in COMMANDS]
    known = {word for command in commands if command is not None for param in command.params for word in param.opts}
    assert set(re.findall(r"--[a-z][a-z-]*", PAGE)) - known == {"--help", "--version"}


def test_every_exit_code_is_explained() -> None:
    """The table of exit codes holds that of each kind of error."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.ArenaError)]
    assert len(kinds) >= 5
    assert {kind.exit_code for kind in kinds} <= set(map(int, re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)))
