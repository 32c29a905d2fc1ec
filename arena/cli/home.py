"""Where an arena keeps its things: the options for it, and the way in."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from arena.config import Location
    from arena.store import Store


@dataclass(frozen=True, slots=True)
class Home:
    """The arena that a command is about."""

    location: Location
    flags: tuple[str, ...] = ()
    """What was said on the command line, for commands that are printed to be typed."""

    @property
    def cache(self) -> Path:
        """Where the files of submitted bots are unpacked."""
        return self.location.home / "versions"

    def open(self, *, create: bool = False) -> Store:
        """The store; made anew where there is none if ``create`` says so. Raises StoreError."""
        from arena.store import open_store

        return open_store(self.location.database, create=create)


def home_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options ``--home`` and ``--db``, and what they mean as its argument ``home``."""

    @click.option("--home", metavar="DIR", help="The folder of the arena; also ARENA_HOME.  [default: .arena]")
    @click.option("--db", metavar="URL", help="The database of the arena, a path or postgresql://...; also ARENA_DB.")
    @functools.wraps(function)
    def at_home(*arguments: Any, home: str | None, db: str | None, **options: Any) -> Any:
        import os

        from arena.config import locate

        flags = [*(("--home", home) if home else ()), *(("--db", db) if db else ())]
        return function(*arguments, home=Home(locate(home, db, os.environ, Path()), tuple(flags)), **options)

    return at_home
