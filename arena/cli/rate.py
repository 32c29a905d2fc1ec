"""`arena rate`: work out all ratings from the log once more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from arena.cli.home import Home, home_options
from arena.cli.params import game_names

if TYPE_CHECKING:
    from arena.tournament.reckoning import Reckoning

SHOWN = 20


@click.command(
    "rate",
    epilog="""\b
Examples:
  arena rate
  arena rate --game shelfie --format json""",
)
@click.option("--game", metavar="GAME", shell_complete=game_names, help="One game only.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@home_options
def command(home: Home, game: str | None, form: str) -> None:
    """Work out all ratings from the log, and say whether they were right.

    Ratings follow from the matches alone: from the same log they come out the same to the last bit. So nothing changes
    here, unless somebody has changed the ratings, or a new version of arena rates in another way.
    """
    from arena.cli.progress import progress
    from arena.errors import Unknown
    from arena.tournament.reckoning import pools_to_rate, reckon

    with home.open() as store:
        pools = pools_to_rate(store, game)
        if game is not None and not pools:
            raise Unknown(f"no game of {game} is rated in this arena")
        with progress("rating", len(pools)) as step:
            found = []
            for pool in pools:
                found.append(reckon(store, pool))
                step()
    if form == "json":
        click.echo(json.dumps({"pools": [_as_json(each) for each in found]}, indent=2))
    else:
        _print(found)


def _as_json(found: Reckoning) -> dict[str, object]:
    pool = found.pool
    return {
        "game": pool.game,
        "players": pool.players or None,
        "tournament": pool.tournament or None,
        "games": found.games,
        "bots": found.bots,
        "same": not found.changes,
        "changes": list(found.changes),
    }


def _print(found: list[Reckoning]) -> None:
    from arena.cli.boards import pool_words
    from arena.cli.screen import clean, console, plural
    from arena.cli.tables import plain_table

    out = console()
    if not found:
        out.print("No games to rate yet.")
        return
    table = plain_table("ratings", right=("games", "bots"))
    table.add_column("from the log")
    for each in found:
        verdict = (
            f"changed in {plural(len(each.changes), 'place', 'places')}" if each.changes else "the same to the last bit"
        )
        table.add_row(pool_words(each.pool), f"{each.games:,}", f"{each.bots:,}", verdict)
    out.print(table)
    changes = [(each, change) for each in found for change in each.changes]
    for each, change in changes[:SHOWN]:
        out.print(f"{pool_words(each.pool)}: {clean(change)}")
    if len(changes) > SHOWN:
        out.print(f"... and {len(changes) - SHOWN:,} more")
