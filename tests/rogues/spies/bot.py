"""Looks for secrets wherever there might be some, tells what it found, and plays on."""

import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from arena_sdk import Bot, Turn, run

PLACES = ("/etc/shadow", "/proc/1/environ", "/proc/1/mem", "/root", "/home", "/var", "/sys/fs/cgroup")


def read(path: Path) -> None:
    found = path.read_bytes() if path.is_file() else str(list(path.iterdir()))
    assert len(found) > 60, "nothing of interest"


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


def attempts() -> dict[str, Callable[[], None]]:
    return {
        **{f"read {path}": lambda path=path: read(Path(path)) for path in PLACES},  # type: ignore[misc]
        "write to its own code": lambda: write("bot.py"),
        "write to /etc": lambda: write("/etc/motd"),
        "dial TCP": lambda: dial(socket.AF_INET, socket.SOCK_STREAM, ("1.1.1.1", 53)),
        "dial UDP": lambda: dial(socket.AF_INET, socket.SOCK_DGRAM, ("1.1.1.1", 53)),
        "find a neighbour": lambda: sys.exit(0) if list(neighbours()) else read(Path("/nowhere")),
        "signal others": lambda: os.kill(-1, 0) if os.getuid() == 0 else read(Path("/nowhere")),
    }


for name, attempt in attempts().items():
    try:
        attempt()
    except BaseException as error:  # noqa: BLE001 - whatever stops it
        sys.stderr.write(f"could not {name}: {type(error).__name__}\n")
    else:
        sys.stderr.write(f"DID {name}\n")


class Spies(Bot):
    def choose(self, turn: Turn) -> object:
        return turn.legal[0]


run(Spies())
