"""`arena export`: take records, training rows or a whole tournament out of the arena."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from arena.cli.home import Home, home_options

if TYPE_CHECKING:
    from arena.store import Store
    from arena.tournament.outgoing import Choice

FORMS: Final = (".arena", ".jsonl", ".parquet", ".cup")


@click.command(
    "export",
    epilog="""\b
Examples:
  arena export --tournament cup --to cup.cup --with-bots
  arena export --bot greedy --to greedy.arena
  arena export --game shelfie --since 2025-01-31 --to games.jsonl
  arena export --tournament cup --to moves.parquet""",
)
@click.option(
    "--to",
    "path",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to make; its ending says what: .arena, .jsonl, .parquet or .cup.",
)
@click.option("--tournament", metavar="NAME", help="Only this tournament.")
@click.option("--bot", metavar="NAME", help="Only matches of this bot: greedy, or greedy@3.")
@click.option("--game", metavar="NAME", help="Only matches of this game.")
@click.option(
    "--since",
    metavar="DATE",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]),
    help="Only matches that began on this day (UTC) or later.",
)
@click.option("--void", is_flag=True, help="Void attempts too, which count for nobody.")
@click.option("--with-bots", is_flag=True, help="Put the files of the bots into a .cup too.")
@home_options
def command(
    path: Path,
    tournament: str | None,
    bot: str | None,
    game: str | None,
    since: datetime | None,
    home: Home,
    *,
    void: bool,
    with_bots: bool,
) -> None:
    """Write matches of the arena to a file.

    .arena and .jsonl hold records, one after the other; .parquet holds a row for every move, for training; .cup holds
    a whole tournament that others can verify and import.
    """
    from arena.errors import UsageError
    from arena.tournament.outgoing import Choice

    if path.suffix not in FORMS:
        raise UsageError(f"{path} has no ending that says what to write: {', '.join(FORMS)}")
    since_us = None if since is None else int(since.replace(tzinfo=UTC).timestamp() * 1_000_000)
    choice = Choice(tournament, bot, game, since_us, void)
    with home.open() as store:
        if path.suffix == ".cup":
            _write_cup(store, path, choice, with_bots=with_bots)
        elif with_bots:
            raise UsageError("only a .cup can hold the files of bots")
        else:
            _write(store, path, choice)


def _write_cup(store: Store, path: Path, choice: Choice, *, with_bots: bool) -> None:
    from arena.cli.progress import progress
    from arena.cli.screen import plural
    from arena.errors import UsageError
    from arena.tournament.outgoing import write_tournament

    name = choice.tournament
    if name is None or choice.bot or choice.game or choice.since_us is not None:
        raise UsageError("a .cup holds one whole tournament: name it with --tournament, and nothing else")
    with progress("exporting", store.audit().matches(name)) as step:
        head, seal = write_tournament(path, store, name, with_bots=with_bots, step=step)
    matches = plural(head.records, "match", "matches")
    click.echo(f"{path}: {name}, {matches}, {plural(len(head.bots), 'bot', 'bots')}")
    click.echo(f"seal: {seal}")


def _write(store: Store, path: Path, choice: Choice) -> None:
    from arena.cli.progress import progress
    from arena.cli.screen import plural
    from arena.tournament.dataset import write_parquet
    from arena.tournament.outgoing import selected, write_arena, write_lines

    with progress("exporting", store.audit().matches(choice.tournament)) as step:
        records = selected(store, choice, step)
        if path.suffix == ".parquet":
            count = write_parquet(path, (record for record, _ in records))
        else:
            count = (write_arena if path.suffix == ".arena" else write_lines)(path, records)
    click.echo(f"{path}: {plural(count, 'match', 'matches')}")
