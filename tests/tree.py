"""The files of the repository, for tests about the repository itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

_OURS_THOUGH_HIDDEN = {".ci", ".gitignore"}
_GENERATED = {"__pycache__", "build", "dist"}


def files(folder: Path = ROOT) -> Iterator[Path]:
    """Every file that belongs to the repository: no environments, caches or builds."""
    for path in sorted(folder.iterdir()):
        if not belongs(path):
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def pages() -> list[Path]:
    """Every page of documentation."""
    return [path for path in files() if path.suffix == ".md"]


def belongs(path: Path) -> bool:
    """Whether a path, going by its own name, is part of the repository."""
    hidden = path.name.startswith(".") and path.name not in _OURS_THOUGH_HIDDEN
    return not (hidden or path.name in _GENERATED or path.suffix in {".egg-info", ".so"} or path.is_symlink())
