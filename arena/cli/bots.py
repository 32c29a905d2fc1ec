"""`arena bots`: who has been entered here, with which versions, and where they stand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import click

from arena.cli.home import Home, home_options

if TYPE_CHECKING:
    from arena.cli.botpage import BotPage
    from arena.store import Pool, Store
    from arena.tournament.board import Place

LATEST: Final = 10


@click.command(
    "bots",
    epilog="""\b
Examples:
  arena bots
  arena bots greedy
  arena bots greedy@3 --format json
  arena bots --retire greedy@2""",
)
@click.argument("bot", required=False)
@click.option("--retire", metavar="BOT", help="Take a version out of play. What it has played stays.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@home_options
def command(home: Home, bot: str | None, retire: str | None, form: str) -> None:
    """List the bots of this arena, or show one.

    BOT is a name such as greedy, which means all its versions, or one version such as greedy@3. Shown are the versions
    and what they follow, their ratings wherever they were rated, and their latest matches.
    """
    from arena.errors import UsageError

    if bot and retire:
        raise UsageError("--retire takes the version itself: arena bots --retire NAME@N")
    with home.open() as store:
        if retire:
            _retire(store, retire)
        elif bot:
            _show(store, bot, form)
        else:
            _list(store, form)


def _retire(store: Store, label: str) -> None:
    from arena.errors import Unknown

    version = store.version(label)
    if version.retired_us is not None:
        click.echo(f"{version.label} was retired before")
        return
    store.retire(version.label)
    try:
        now = f"{version.name} means {store.version(version.name).label} now"
    except Unknown:
        now = f"{version.name} has no version left to play"
    click.echo(f"{version.label} is retired: {now}")


def _show(store: Store, bot: str, form: str) -> None:
    from arena.cli.botpage import page_json, page_parts
    from arena.cli.screen import console

    page = _page(store, bot)
    if form == "json":
        click.echo(json.dumps(page_json(page), indent=2))
        return
    out = console()
    for part in page_parts(page):
        out.print(part)


def _page(store: Store, bot: str) -> BotPage:
    from arena.cli.botpage import BotPage
    from arena.store import Filter
    from arena.tournament.board import places_of

    name, _, number = bot.partition("@")
    versions = [store.version(bot)] if number else store.lineage(name)
    labels = {version.label for version in versions}
    stands = [(pool, place) for pool, place in places_of(store, name) if place.bot in labels]
    return BotPage(versions, stands, store.matches(Filter(bot=bot), limit=LATEST))


def _list(store: Store, form: str) -> None:
    from arena.cli.botpage import list_json, list_table
    from arena.cli.screen import console
    from arena.store import Pool
    from arena.tournament.board import board, rated_games

    bots = store.bots()
    stands: dict[str, list[tuple[Pool, Place]]] = {}
    for pool in map(Pool, rated_games(store)):
        for place in board(store, pool).places:
            stands.setdefault(place.name, []).append((pool, place))
    if form == "json":
        click.echo(json.dumps({"bots": list_json(bots, stands)}, indent=2))
    else:
        console().print(list_table(bots, stands) if bots else "No bots yet.")
