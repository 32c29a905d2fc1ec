"""`arena import`: bring records or tournaments of another arena into this one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.home import Home, home_options

if TYPE_CHECKING:
    from arena.tournament.incoming import Arrival


@click.command(
    "import",
    epilog="""\b
Examples:
  arena import autumn.cup
  arena import autumn.cup --as autumn-2
  arena import games.arena --as friendly""",
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--as", "name", metavar="NAME", help="What to call the tournament here.")
@click.option("--rated", is_flag=True, help="Let the single records of a file count for the ratings.")
@home_options
def command(files: tuple[Path, ...], name: str | None, home: Home, *, rated: bool) -> None:
    """Bring in what another arena has exported.

    Every FILE is verified first: all its games are played again, and where anything does not fit, nothing is written.
    What is here already is left alone, so a file may be imported twice. Bots are known by their content; where a
    version has another number here, that is said.
    """
    from arena.cli.progress import cores
    from arena.errors import UsageError
    from arena.tournament.incoming import bring_in

    if name is not None and len(files) > 1:
        raise UsageError("--as names one tournament: import the files one by one")
    with home.open(create=True) as store:
        for file in files:
            _print(file, bring_in(store, file, name, rated=rated, jobs=cores()))


def _print(file: Path, arrival: Arrival) -> None:
    from arena.cli.screen import clean, plural

    click.echo(f"{file}: {clean(arrival.tournament)}, {plural(arrival.matches, 'match', 'matches')}, verified")
    for label in arrival.new_bots:
        click.echo(f"  new here: {clean(label)}")
    for there, here in arrival.renamed.items():
        click.echo(f"  {clean(there)} there is {clean(here)} here")
