"""What a bot in the sandbox sees of the host: programs and libraries, the arena's Python and the SDK, and no more."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

SHOW: Final = "ARENA_SANDBOX_SHOW"
"""The variable in which an organiser names further folders for bots to see, such as /opt/node, apart by colons."""

SYSTEM: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Links into /usr today, folders of their own on older systems."""

SETTINGS: Final = ("alternatives", "ld.so.cache", "localtime")
"""What programs under /usr need of /etc. Java has a folder there for every version."""


def system_places() -> list[tuple[str, str]]:
    """How the programs of the host are shown: pairs of a way of bubblewrap's and a path, and a link's target."""
    places = [("--ro-bind", "/usr")]
    for path in SYSTEM:
        if Path(path).is_symlink():
            places.append(("--symlink", path))
        elif Path(path).is_dir():
            places.append(("--ro-bind", path))
    etc = Path("/etc")
    settings = [*(etc / name for name in SETTINGS), *sorted(etc.glob("java-*"))]
    return [*places, *(("--ro-bind", str(path)) for path in settings if path.exists())]


def python_places() -> list[Path]:
    """Where the arena's Python lives with its packages, and the SDK if that is installed from its sources."""
    prefixes = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix]
    packages = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    python = [Path(path) for path in (*prefixes, *packages)] + [Path(sys.executable).resolve().parent.parent]
    return _outermost([*python, *_sdk(), *_named()])


def search_path() -> str:
    """The PATH of a bot: first the Python that runs the arena, then what is shown."""
    named = [str(path / "bin") for path in _named()]
    return os.pathsep.join([str(Path(sys.executable).parent), *named, "/usr/local/bin", "/usr/bin", "/bin"])


def _sdk() -> Iterable[Path]:
    for package in ("arena_sdk", "arena_rules"):
        spec = find_spec(package)
        if spec is not None and spec.origin is not None:
            yield Path(spec.origin).parent.parent


def _named() -> list[Path]:
    return [Path(path) for path in os.environ.get(SHOW, "").split(os.pathsep) if path.startswith("/")]


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Those that exist, without those that lie in another one, or in /usr."""
    found: list[Path] = []
    for path in sorted({Path(os.path.normpath(path)) for path in paths}, key=lambda path: len(path.parts)):
        if path.is_dir() and not any(path.is_relative_to(outer) for outer in (Path("/usr"), *found)):
            found.append(path)
    return found
