"""Which games there are: ours, and those that other distributions register under the entry point ``arena.games``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import Enum
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from arena_rules.errors import UnknownGame
from arena_rules.game import Game

GROUP = "arena.games"


@cache
def games() -> dict[str, Game[Any]]:
    """All registered games by name, in alphabetical order."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    return {name: found[name].load() for name in sorted(found)}


def game(name: str) -> Game[Any]:
    """The game of that name. Raises UnknownGame."""
    try:
        return games()[name]
    except KeyError:
        raise UnknownGame(f"there is no game '{name}'; there are {', '.join(games())}") from None


class Build(Enum):
    """In which form code is run."""

    PURE = "pure"
    COMPILED = "compiled"
    STALE = "stale"
    """Compiled from sources that have changed since."""


def build_of(module: str) -> Build:
    """How the package of an imported module was loaded. A compiled one has extension modules in it."""
    compiled = [path for path in _files(module) if path.name.endswith(tuple(EXTENSION_SUFFIXES))]
    if not compiled:
        return Build.PURE
    return Build.STALE if any(map(_outdated, compiled)) else Build.COMPILED


def _files(module: str) -> Iterator[Path]:
    package = sys.modules[module].__package__
    for name, loaded in list(sys.modules.items()):
        if name == package or name.startswith(f"{package}."):
            yield Path(loaded.__file__ or "")


def _outdated(compiled: Path) -> bool:
    source = compiled.with_name(f"{compiled.name.partition('.')[0]}.py")
    return source.exists() and source.stat().st_mtime > compiled.stat().st_mtime
