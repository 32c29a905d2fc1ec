"""Copies of bot folders: where bots are built in a sandbox, so that their own folders stay as they are.

A copy is kept under the content hash of the bot, so that it is built once on a machine and not once in every arena. A
build is a program of the bot's author: what it leaves is looked at, but no link in it is ever followed.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

from arena.launch.manifest import Manifest, content_hash


def finished_copy(manifest: Manifest) -> Path:
    """Where the copy of this bot is kept once it is complete."""
    return _shelf() / content_hash(manifest.folder)


@contextmanager
def copy_in_progress(manifest: Manifest) -> Iterator[Path]:
    """A copy to work in; what has not been kept at the end is thrown away."""
    shelf = _shelf()
    shelf.mkdir(parents=True, exist_ok=True)
    place = Path(mkdtemp(prefix="making-", dir=shelf))
    try:
        shutil.copytree(manifest.folder, place / "bot", symlinks=True, ignore=_ignored)
        open_up(place / "bot")
        yield place / "bot"
    finally:
        shutil.rmtree(place, ignore_errors=True)


def keep(copy: Path, kept: Path) -> None:
    """Put a copy where it is found again. Two arenas may do so at the same time; the first one counts."""
    open_up(copy)
    with suppress(OSError):
        copy.rename(kept)


def weight(folder: Path) -> int:
    """The bytes that a folder takes."""
    return sum(path.lstat().st_blocks * 512 for path in _all(folder))


def open_to_all(folder: Path) -> bool:
    """Whether every user could read all of it."""
    return all(_readable(path.lstat().st_mode) for path in _all(folder))


def open_up(folder: Path) -> None:
    """Let every user read all of it, and make it ours again."""
    for path in _all(folder):
        mode = path.lstat().st_mode
        if os.getuid() == 0:
            os.lchown(path, 0, 0)
        if not stat.S_ISLNK(mode):
            for_all = 0o555 if stat.S_ISDIR(mode) or mode & stat.S_IXUSR else 0o444
            path.chmod(stat.S_IMODE(mode) & 0o755 | for_all | 0o200)


def _readable(mode: int) -> bool:
    needed = 0o005 if stat.S_ISDIR(mode) else 0o004
    return stat.S_ISLNK(mode) or mode & needed == needed


def _all(folder: Path) -> Iterator[Path]:
    """The folder and everything in it; what vanishes meanwhile is left out."""
    yield folder
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(place, name)
            if os.path.lexists(path):
                yield path


def _ignored(place: str, names: list[str]) -> list[str]:
    """Pipes and sockets cannot be copied."""
    kinds = {name: Path(place, name).lstat().st_mode for name in names}
    return [
        name for name, mode in kinds.items() if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))
    ]


def _shelf() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if cache.startswith("/") else Path.home() / ".cache") / "arena" / "bots"
