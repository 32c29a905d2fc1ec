"""What is executed for a bot, and what the bot finds around it: the command line and the environment."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir

from arena.errors import ArenaError, BotFailed
from arena.launch.manifest import Manifest, shown

Wrapper = Callable[[Manifest, Sequence[str]], Sequence[str]]
"""Turns a bot's command into the command that is executed in its place: the place for a sandbox.

It is called for the `command` and for the `build` of a bot. What it returns runs in the bot's folder, with the bot's
environment, as the leader of the bot's own session, on the leash, and must end when its group gets a SIGTERM.
"""

_LEASH = str(Path(__file__).with_name("leash.py"))


class StartFailed(BotFailed):
    """The process of a bot could not be started, or its build failed."""

    def __init__(self, message: str, log_tail: str = "") -> None:
        super().__init__(message)
        self.log_tail = log_tail
        """The last that the build printed; empty when there was none."""


def bare(manifest: Manifest, command: Sequence[str]) -> Sequence[str]:
    """The wrapper that wraps nothing: the bot runs with all the rights of the arena."""
    return command


def on_leash(command: Sequence[str]) -> list[str]:
    """The command line that runs the command and ends it when this process dies (on Linux)."""
    if sys.platform != "linux":
        return list(command)
    return [sys.executable, "-I", "-S", _LEASH, str(os.getpid()), *command]


def surroundings(environment: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of a bot: nothing is inherited from the arena's own but the PATH."""
    return {
        # First the Python that runs the arena, so that `python` in a bot.toml is one that has the SDK.
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "HOME": _home(),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "GRPC_ENABLE_FORK_SUPPORT": "0",
        **environment,
    }


def _home() -> str:
    """One private folder for the bots of each person who runs arenas on this machine.

    Not the person's own home, whose settings would change how bots play; not the bot's folder, where what a library
    writes would change the content hash; and not /tmp itself, where others could leave files that run at start-up.
    """
    home = Path(gettempdir(), f"arena-home-{os.getuid()}")
    with suppress(FileExistsError):
        home.mkdir(mode=0o700)
    found = home.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise ArenaError(
            f"{shown(str(home))} is not a folder of yours alone; remove it, or set TMPDIR to another place"
        )
    return str(home)


def check_program(manifest: Manifest, program: str, path: str) -> None:
    """Raise `StartFailed` when the program cannot be executed in the bot's folder with this PATH."""
    if os.sep not in program:
        if shutil.which(program, path=path) is None:
            raise cannot_start(manifest, _not_on_path(manifest, program))
    elif not (manifest.folder / program).is_file():
        raise cannot_start(manifest, f"its command {shown(program)} does not exist")
    elif not os.access(manifest.folder / program, os.X_OK):
        hint = "make it so with chmod +x, or put its interpreter before it"
        raise cannot_start(manifest, f"its command {shown(program)} is not executable; {hint}")


def _not_on_path(manifest: Manifest, program: str) -> str:
    name = shown(program)
    if (manifest.folder / program).is_file():
        return f"its command {name} is not on the PATH; for the file in its own folder write ./{name}"
    return f"its command {name} was not found on the PATH"


def cannot_start(manifest: Manifest, problem: str) -> StartFailed:
    """The error that says so in one sentence."""
    return StartFailed(f"{manifest.name} cannot be started: {problem} (see {shown(str(manifest.folder))}/bot.toml)")


def line(command: Sequence[str]) -> str:
    """A command as a person would type it."""
    return shown(shlex.join(command))
