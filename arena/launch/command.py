"""What is executed for a bot, and what the bot finds around it: the command line and the environment."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from typing import Protocol

from arena.errors import ArenaError, BotFailed
from arena.launch.cgroup import Group
from arena.launch.manifest import Manifest, shown

NOT_CONFINED = "none"
"""The word in a record for a bot that ran with all the rights of the arena."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be started for a bot."""

    manifest: Manifest
    command: tuple[str, ...]
    """Its `command`, or its `build`."""
    environment: Mapping[str, str]
    """What it shall find there beyond the usual."""
    folder: Path
    """Where it runs: the bot's folder, or a copy of it in which it was built."""
    building: bool = False
    """Whether this is the build, which may write to the folder."""


@dataclass(frozen=True, slots=True)
class Launch:
    """What is executed for an order: as the leader of a session of its own, and ended by its group."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    settings: tuple[str, ...] = ()
    """For the leash."""
    files: tuple[int, ...] = ()
    """File descriptors that it inherits. They are closed on our side once it is started."""
    group: Group | None = None
    """The control group that it enters; removed when it has ended."""
    confinement: str = NOT_CONFINED
    """What keeps it from the machine, in words."""


class Wrapper(Protocol):
    """Says how an order is carried out: the place for a sandbox. It is asked for builds as well."""

    def apart(self, manifest: Manifest) -> bool:
        """Whether the bot is built, and run, in a copy of its folder."""

    def __call__(self, order: Order) -> Launch:
        """Raises `StartFailed`."""


_LEASH = str(Path(__file__).with_name("leash.py"))


class StartFailed(BotFailed):
    """The process of a bot could not be started, or its build failed."""

    def __init__(self, message: str, log_tail: str = "") -> None:
        super().__init__(message)
        self.log_tail = log_tail
        """The last that the build printed; empty when there was none."""


class Bare:
    """The wrapper that wraps nothing: the bot runs with all the rights of the arena."""

    def apart(self, manifest: Manifest) -> bool:
        return False

    def __call__(self, order: Order) -> Launch:
        # A build has the home of whoever runs the arena: there compilers keep themselves and their caches.
        home = str(Path.home()) if order.building else _home()
        environment = surroundings(order.environment, path=_path(), home=home)
        check_program(order, environment["PATH"])
        return Launch(order.command, environment, order.folder)


bare = Bare()


def on_leash(launch: Launch) -> list[str]:
    """The command line that runs the command and ends it when this process dies (on Linux)."""
    if sys.platform != "linux":
        return list(launch.command)
    return [sys.executable, "-I", "-S", _LEASH, str(os.getpid()), *launch.settings, "--", *launch.command]


def surroundings(environment: Mapping[str, str], *, path: str, home: str) -> dict[str, str]:
    """The whole environment of a bot: nothing is inherited from the arena's own."""
    return {
        "PATH": path,
        "HOME": home,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "GRPC_ENABLE_FORK_SUPPORT": "0",
        **environment,
    }


def _path() -> str:
    """First the Python that runs the arena, so that `python` in a bot.toml is one that has the SDK."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])


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


def check_program(order: Order, path: str) -> None:
    """Raise `StartFailed` when the program cannot be executed in the bot's folder with this PATH."""
    program, file = order.command[0], order.folder / order.command[0]
    if os.sep not in program:
        if shutil.which(program, path=path) is None:
            raise cannot_start(order.manifest, _not_on_path(file))
    elif not file.is_file():
        raise cannot_start(order.manifest, f"its command {shown(program)} does not exist")
    elif not os.access(file, os.X_OK):
        hint = "make it so with chmod +x, or put its interpreter before it"
        raise cannot_start(order.manifest, f"its command {shown(program)} is not executable; {hint}")


def _not_on_path(file: Path) -> str:
    name = shown(file.name)
    if file.is_file():
        return f"its command {name} is not on the PATH; for the file in its own folder write ./{name}"
    return f"its command {name} was not found on the PATH"


def cannot_start(manifest: Manifest, problem: str) -> StartFailed:
    """The error that says so in one sentence."""
    return StartFailed(f"{manifest.name} cannot be started: {problem} (see {shown(str(manifest.folder))}/bot.toml)")


def line(command: Sequence[str]) -> str:
    """A command as a person would type it."""
    return shown(shlex.join(command))
