"""`arena db`: look after the database of an arena."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.home import Home, home_options


@click.group(
    "db",
    epilog="""\b
Examples:
  arena db check
  arena db backup arena-monday.db
  arena db upgrade --db postgresql://arena@localhost/arena""",
)
def command() -> None:
    """Look after the database: check it, copy it, bring it up to date.

    The database is .arena/arena.db in the current folder, unless --home, --db or the environment say otherwise.
    """


@command.command(
    "upgrade",
    epilog="""\b
Examples:
  arena db upgrade""",
)
@home_options
def upgrade(home: Home) -> None:
    """Bring a database of an older version of arena up to date, all at once or not at all."""
    from arena.store import schema
    from arena.store.database import connect

    with connect(home.location.database, create=False) as database:
        before = schema.upgrade(database)
    now = schema.REVISIONS[-1]
    click.echo(f"{database.place} is up to date" + ("" if before == now else f": tables {before or 'none'} -> {now}"))


@command.command(
    "backup",
    epilog="""\b
Examples:
  arena db backup arena-monday.db""",
)
@click.argument("file", type=click.Path(path_type=Path))
@home_options
def backup(file: Path, home: Home) -> None:
    """Copy the database to FILE while others may use it. The copy is an arena like any other (see --db)."""
    from arena.store.database import connect
    from arena.store.upkeep import backup as copy

    with connect(home.location.database, create=False) as database:
        copy(database, file)
    click.echo(f"{database.place} is copied to {file}")


@command.command(
    "check",
    epilog="""\b
Examples:
  arena db check""",
)
@home_options
def check(home: Home) -> None:
    """Look for damage: pages, references, lost rows, and records whose hash is wrong.

    Faults are printed one by one and give exit code 5.
    """
    from arena.errors import StoreError
    from arena.store.database import connect
    from arena.store.upkeep import faults

    found = 0
    with connect(home.location.database, create=False) as database:
        for fault in faults(database):
            found += 1
            click.echo(fault)
    if found:
        number = "a fault" if found == 1 else f"{found} faults"
        raise StoreError(f"{database.place} has {number}: bring back a backup, or export what can still be read")
    click.echo(f"{database.place} is sound")
