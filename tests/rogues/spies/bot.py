"""Looks for secrets wherever there might be some, tells what it found, and plays on."""

import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from arena_sdk import Bot, Turn, run

PLACES = ("/etc/shadow", "/proc/1/environ", "/proc/1/mem", "/root", "/home", "/var", "/sys/fs/cgroup")
OURS = {"ARENA_ADDRESS", "ARENA_TOKEN", "GRPC_ENABLE_FORK_SUPPORT", "GRPC_EXPERIMENTS", "GRPC_VERBOSITY"}
COMMON = {"HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "PWD", "PYTHONUNBUFFERED", "TMPDIR"}


def want(found: object) -> None:
    assert found, "nothing of interest"


def read(path: Path) -> None:
    found = path.read_bytes() if path.is_file() else str(list(path.iterdir()))
    want(len(found) > 60)


def write(path: str) -> None:
    Path(path).write_text("I was here")


def dial(family: socket.AddressFamily, kind: socket.SocketKind, address: object) -> None:
    with socket.socket(family, kind) as line:
        line.settimeout(1)
        line.connect(address)  # type: ignore[arg-type]  # which depends on the family
        line.send(b"hello")


def neighbours() -> Iterator[Path]:
    """Doors of other seats: the folders beside that of one's own."""
    own = Path(os.environ["ARENA_ADDRESS"].removeprefix("unix:")).parent
    return (path for path in own.parent.iterdir() if path != own)


def tokens() -> Iterator[str]:
    """Those of other bots, if their processes can be seen."""
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            words = path.read_text().split("\0")
        except OSError:
            continue
        yield from (word for word in words if word.startswith("ARENA_TOKEN=") and os.environ["ARENA_TOKEN"] not in word)


def files(name: str) -> Iterator[Path]:
    """All files of this name in sight, but for the bot's own."""
    for place, folders, names in os.walk("/"):
        folders[:] = [folder for folder in folders if Path(place, folder).as_posix() not in {"/usr", "/proc", "/bot"}]
        yield from (Path(place, found) for found in names if found == name)


def attempts() -> dict[str, Callable[[], None]]:
    return {
        **{f"read {path}": lambda path=path: read(Path(path)) for path in PLACES},  # type: ignore[misc]
        "learn from its environment": lambda: want(os.environ.keys() - OURS - COMMON),
        "find the database": lambda: want(list(files("arena.db"))),
        "find another bot": lambda: want(list(files("bot.toml"))),
        "steal a token": lambda: want(list(tokens())),
        "find a neighbour": lambda: want(list(neighbours())),
        "write to its own code": lambda: write("bot.py"),
        "write to /etc": lambda: write("/etc/motd"),
        "dial TCP": lambda: dial(socket.AF_INET, socket.SOCK_STREAM, ("1.1.1.1", 53)),
        "dial UDP": lambda: dial(socket.AF_INET, socket.SOCK_DGRAM, ("1.1.1.1", 53)),
        "dial a name that is no file": lambda: dial(socket.AF_UNIX, socket.SOCK_STREAM, "\0arena-abuse"),
        "be somebody": lambda: want(os.getuid() == 0 or os.getgroups()),
    }


def try_all() -> None:
    for name, attempt in attempts().items():
        try:
            attempt()
        except (OSError, AssertionError) as error:
            sys.stderr.write(f"could not {name}: {type(error).__name__}\n")
        else:
            sys.stderr.write(f"DID {name}\n")


class Spies(Bot):
    def choose(self, turn: Turn) -> object:
        if turn.number < 2:
            try_all()
        return turn.legal[0]


run(Spies())
