"""`arena games`: which games there are, and the rule options of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from arena.cli.params import game_names

if TYPE_CHECKING:
    from rich.console import Console

    from arena_rules import Game


@click.command(
    "games",
    epilog="""\b
Examples:
  arena games
  arena games shelfie
  arena games shelfie --format json""",
)
@click.argument("name", required=False, shell_complete=game_names)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def command(name: str | None, form: str) -> None:
    """List the games, or show the rules of one.

    With the NAME of a game: its editions, and its rule options with what each choice means.
    """
    from arena.cli.screen import console
    from arena_rules import game, games

    chosen = [game(name)] if name else list(games().values())
    if form == "json":
        _print_json(facts(chosen[0]) if name else [facts(each) for each in chosen])
    elif name:
        _print_rules(console(), chosen[0])
    else:
        _print_games(console(), chosen)


def facts(game: Game[Any]) -> dict[str, Any]:
    """What is fixed about a game, as plain values."""
    return {
        "name": game.name,
        "title": game.title,
        "players": list(game.players),
        "rules_version": game.rules_version,
        "default_edition": game.default_edition,
        "editions": {name: dict(options) for name, options in game.editions.items()},
        "options": {
            name: {"about": option.about, "default": option.default, "choices": dict(option.choices)}
            for name, option in game.options.items()
        },
    }


def _print_json(value: object) -> None:
    import json

    click.echo(json.dumps(value, indent=2))


def _print_games(console: Console, games: list[Game[Any]]) -> None:
    from arena.cli.tables import plain_table

    table = plain_table("game", "title", "players", "rules", "editions")
    for game in games:
        editions = (f"{name} (default)" if name == game.default_edition else name for name in game.editions)
        table.add_row(game.name, game.title, _players(game), game.rules_version, ", ".join(editions))
    console.print(table)


def _print_rules(console: Console, game: Game[Any]) -> None:
    console.print(f"{game.title}, {_players(game)} players, rules version {game.rules_version}", style="bold")
    console.print("\neditions", style="bold")
    for name in game.editions:
        default = " (default)" if name == game.default_edition else ""
        console.print(f"  {name}{default}: {_changes(game, name)}")
    for name, option in game.options.items():
        console.print(f"\noption {name}", style="bold")
        console.print(f"  {option.about}")
        width = max(map(len, option.choices))
        for choice, sentence in option.choices.items():
            default = " (default)" if choice == option.default else ""
            console.print(f"    {choice:{width}}  {sentence}{default}")


def _changes(game: Game[Any], edition: str) -> str:
    changed = [f"{key}={value}" for key, value in game.editions[edition].items() if value != game.options[key].default]
    return ", ".join(changed) or "every option at its default"


def _players(game: Game[Any]) -> str:
    return f"{game.players[0]} to {game.players[-1]}"
