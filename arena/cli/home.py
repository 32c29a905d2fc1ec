"""Where an arena keeps its things: the options for it, and the way in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from arena.store import Store

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Home:
    """A folder, and the database in it or elsewhere."""

    folder: Path
    db: str | None

    @property
    def cache(self) -> Path:
        """Where the files of submitted bots are unpacked."""
        return self.folder / "versions"

    def open(self, *, create: bool = False) -> Store:
        """The store; made anew where there is none if ``create`` says so. Raises StoreError."""
        from arena.store import open_store

        if create and self.db is None:
            self.folder.mkdir(parents=True, exist_ok=True)
        return open_store(self.db or self.folder / "arena.db", create=create)


def home_options(command: F) -> F:
    """Give a command the options ``--home`` and ``--db``, and the argument ``home``."""

    def chosen(ctx: click.Context, param: click.Parameter, value: Path) -> Home:
        return Home(value, ctx.params.pop("db", None))

    folder = click.option(
        "--home",
        metavar="DIR",
        envvar="ARENA_HOME",
        type=click.Path(file_okay=False, path_type=Path),
        default=".arena",
        show_default=True,
        callback=chosen,
        help="The folder of the arena: log, ratings, submitted bots.",
    )
    database = click.option(
        "--db",
        metavar="URL",
        envvar="ARENA_DB",
        is_eager=True,  # before the folder, which takes it in
        help="A database elsewhere, such as postgresql://localhost/arena.",
    )
    return database(folder(command))
