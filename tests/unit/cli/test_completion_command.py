"""`arena completion`, and what the shell is offered."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from arena.cli import COMMANDS, cli
from tests.unit.cli.conftest import Arena


def offered(*words: str) -> list[str]:
    """What completes the last word."""
    shell = ShellComplete(cli, {}, "arena", "_ARENA_COMPLETE")
    return [item.value for item in shell.get_completions(list(words[:-1]), words[-1])]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["m"], ["matches", "match"]),
        ([""], list(COMMANDS)),
        (["match", "a", "b", "--game", "sh"], ["shelfie"]),
        (["match", "a", "b", "--edition", "en"], ["en-2022", "en-revised"]),
        (["match", "a", "b", "--game", "shelfie", "--edition", "i"], ["it"]),
        (["match", "a", "b", "--option", "common_goals="], ["common_goals=1", "common_goals=2"]),
        (["match", "a", "b", "--format", ""], ["table", "json"]),
        (["match", "a", "b", "--in"], ["--in-flight"]),
        (["games", "she"], ["shelfie"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
    ],
)
def test_what_is_offered(words: list[str], wanted: list[str]) -> None:
    """Commands, options, games, editions and rule options are completed."""
    assert offered(*words) == wanted


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script(shell: str, arena: Arena) -> None:
    """Each shell gets a script that asks arena."""
    result = arena("completion", shell)
    assert result.exit_code == 0
    assert f"_ARENA_COMPLETE={shell}_complete" in result.stdout


@pytest.mark.needs("bash", "apt-get install bash")
def test_the_script_works_in_bash(tmp_path: Path) -> None:
    """A real shell that has read the script completes the name of a game."""
    bash = shutil.which("bash")
    assert bash is not None
    arena = tmp_path / "arena"
    arena.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m arena.cli "$@"\n')
    arena.chmod(0o755)
    script = f"""
        PATH={tmp_path}:$PATH
        eval "$(arena completion bash)"
        COMP_WORDS=(arena games she) COMP_CWORD=2
        _arena_completion arena
        echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run([bash, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "shelfie"


def test_an_unknown_shell(arena: Arena) -> None:
    """A shell without a script is refused with those that have one."""
    result = arena("completion", "tcsh")
    assert result.exit_code == 2
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in result.stderr
