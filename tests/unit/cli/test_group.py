"""The command as a whole: quick to start, one sentence for every error, help with examples."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from arena.cli import COMMANDS
from arena.errors import ArenaError, BadRecord, BotFailed
from arena_rules.errors import BadOptions
from tests.unit.cli.conftest import Arena

HEAVY = ("grpc", "pydantic", "rich", "sqlmodel", "sqlalchemy", "google.protobuf", "asyncio", "arena_rules")


@pytest.mark.parametrize("words", ["--version", "--help", "completion bash"])
def test_heavy_packages_are_left_alone(words: str) -> None:
    """What needs no game, record or table does not pay for them."""
    code = "import sys, atexit; atexit.register(lambda: sys.stderr.write(' '.join(sys.modules)))"
    code += f"; sys.argv = ['arena', *{words.split()!r}]; from arena.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "click" in done.stderr.split()
    assert set(done.stderr.split()) & set(HEAVY) == set()


def test_version(arena: Arena) -> None:
    """The version is that of the installed distribution."""
    result = arena("--version")
    assert result.output == f"arena {version('arena-platform')}\n"
    assert result.exit_code == 0


def test_without_words_there_is_help(arena: Arena) -> None:
    """Somebody who knows nothing yet is shown what there is."""
    result = arena()
    assert result.exit_code == 0
    assert all(f"\n  {name} " in result.output for name in COMMANDS)
    assert "Examples:" in result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_examples(name: str, arena: Arena) -> None:
    """The help of each command shows how it is used."""
    result = arena(name, "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.output
    assert f"    arena {name}" in result.output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["mtach"], f"there is no command 'mtach'; there are {', '.join(COMMANDS)}"),
        (["--frob"], "no such option '--frob' (see 'arena --help')"),
        (["match", "--frob"], "no such option '--frob' (see 'arena match --help')"),
        (["replay"], "missing argument 'FILE|ID' (see 'arena replay --help')"),
    ],
)
def test_misspelt_commands(words: list[str], sentence: str, arena: Arena) -> None:
    """A command line that makes no sense gets one line on standard error and exit code 2."""
    result = arena(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"error: {sentence}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "code"),
    [(ArenaError("it is so"), 1), (BotFailed("it is so"), 3), (BadRecord("it is so"), 4), (BadOptions("it is so"), 2)],
)
def test_errors_are_sentences(error: Exception, code: int, arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind of error has its exit code, and none shows a traceback."""
    monkeypatch.setattr("arena.archive.read", raising(error))
    result = arena("replay", "x.arena")
    assert (result.exit_code, result.stdout, result.stderr) == (code, "", "error: it is so\n")


def raising(error: BaseException):  # type: ignore[no-untyped-def]
    def fail(*_: object) -> None:
        raise error

    return fail


def test_interrupting(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends a command with one line and the exit code that shells expect."""
    monkeypatch.setattr("arena.archive.read", raising(KeyboardInterrupt()))
    result = arena("replay", "x.arena")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "interrupted\n")


def test_our_own_faults_keep_their_traceback(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug is not dressed up as a mistake of the person at the terminal."""
    monkeypatch.setattr("arena.archive.read", raising(ZeroDivisionError()))
    assert isinstance(arena("replay", "x.arena").exception, ZeroDivisionError)


def test_errors_do_not_steer_the_terminal(arena: Arena, tmp_path: Path) -> None:
    """A file name with escape codes in it is shown, not obeyed."""
    result = arena("replay", "\x1b]0;owned\x07.arena")
    assert "\x1b" not in result.stderr
    assert "owned" in result.stderr


def test_a_broken_pipe_is_quiet(one_match: Path) -> None:
    """When whoever reads the output has seen enough, nothing is said about it."""
    reader = subprocess.Popen(["head", "-c", "1"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    command = [sys.executable, "-m", "arena.cli", "replay", str(one_match), "--boards"]
    writer = subprocess.Popen(command, stdout=reader.stdin, stderr=subprocess.PIPE, text=True)
    assert reader.stdin is not None
    reader.stdin.close()
    assert writer.communicate(timeout=20)[1] == ""
    assert reader.wait(timeout=20) == 0
