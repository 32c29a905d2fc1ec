"""`arena matches`: what has been played, newest first, or all about one match."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from arena.cli.home import Home, home_options
from arena.cli.params import Since, game_names

if TYPE_CHECKING:
    from rich.console import Console

    from arena.record import MatchRecord
    from arena.store import Filter, MatchLine, Store


@click.command(
    "matches",
    epilog="""\b
Examples:
  arena matches
  arena matches --bot greedy --forfeits --since 1d
  arena matches --tournament cup --limit 100 --before cup/17
  arena matches cup/17""",
)
@click.argument("match", metavar="[ID]", required=False)
@click.option("--tournament", metavar="NAME", help="Matches of one tournament only.")
@click.option("--bot", metavar="BOT", help="Matches of a bot, or of one version such as greedy@3.")
@click.option("--game", metavar="GAME", shell_complete=game_names, help="Matches of one game only.")
@click.option("--players", type=click.IntRange(2, 4), help="Matches at tables of so many only.")
@click.option(
    "--since", metavar="TIME", type=Since(), help="Matches from 7d (30m, 12h, 2w) ago on, or from 2026-11-01 on."
)
@click.option(
    "--forfeits", is_flag=True, help="Matches in which somebody forfeited; with --bot, in which that bot did."
)
@click.option("--void", is_flag=True, help="Matches that do not count.")
@click.option(
    "--limit", metavar="N", type=click.IntRange(1, 10_000), default=20, show_default=True, help="So many at most."
)
@click.option("--before", metavar="ID", help="Only what comes after this match in the list: the next page.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@home_options
def command(
    home: Home,
    match: str | None,
    tournament: str | None,
    bot: str | None,
    game: str | None,
    players: int | None,
    since: int | None,
    limit: int,
    before: str | None,
    form: str,
    *,
    forfeits: bool,
    void: bool,
) -> None:
    """List what has been played, newest first, or show one match.

    A match is known by its ID, which is the tournament and a number: cup/17. An attempt that came out void, and was
    played again, has a suffix: cup/17~0.
    """
    with home.open() as store:
        if match is not None:
            _print_match(store, match, form)
            return
        from arena.store import Filter

        wanted = Filter(
            tournament=tournament,
            bot=bot,
            game=game,
            players=players,
            since_us=since,
            forfeits=forfeits or None,
            void=void or None,
            after=store.match(before).mark if before else None,
        )
        _print_list(store, wanted, limit, form)


def _print_list(store: Store, wanted: Filter, limit: int, form: str) -> None:
    from arena.cli.matchlist import match_json, match_table
    from arena.cli.screen import clean, console

    lines = store.matches(wanted, limit=limit + 1)
    shown, more = lines[:limit], len(lines) > limit
    last = shown[-1].name if more else None
    if form == "json":
        click.echo(json.dumps({"matches": [match_json(line) for line in shown], "before": last}, indent=2))
        return
    out = console()
    out.print(match_table(shown) if shown else "No such matches yet.")
    if last is not None:
        out.print(f"\nolder ones: --before {clean(last)}", style="dim")


def _print_match(store: Store, match: str, form: str) -> None:
    from arena.cli.screen import console

    line, record = store.match(match), store.record_of(match).record()
    if form == "json":
        from arena.archive import to_json
        from arena.cli.matchlist import match_json

        click.echo(json.dumps({**match_json(line), "record": to_json(record)}, indent=2))
    else:
        _print_page(console(), line, record)


def _print_page(out: Console, line: MatchLine, record: MatchRecord) -> None:
    from arena.cli.screen import clean, moment
    from arena.cli.story import ending, headline
    from arena.cli.tables import effort_table, score_sheet

    out.print(f"{clean(line.name)}: {headline(record)}", style="bold")
    out.print(f"block {line.block}, began {moment(line.started_us)} UTC{', lenient' if line.lenient else ''}\n")
    if record.outcome is not None:
        out.print(score_sheet(record, record.outcome))
        out.print()
    if record.efforts:
        out.print(effort_table(record))
        out.print()
    out.print(*ending(record), sep="\n")
    if record.void_reason:
        out.print(clean(record.void_reason))
    out.print(f"\nsee its moves: arena replay {clean(line.name)}", style="dim")
