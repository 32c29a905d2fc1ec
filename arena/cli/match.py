"""`arena match`: play one or more games between bots and show the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.params import RuleOption, Time, edition_names, game_names, rule_options

if TYPE_CHECKING:
    from arena.cli.plan import Plan
    from arena.cli.summary import Summary
    from arena.record import MatchRecord


@click.command(
    "match",
    epilog="""\b
Examples:
  arena match bots/greedy bots/random --game shelfie
  arena match bots/greedy bots/random bots/random --game shelfie --edition it
  arena match bots/greedy bots/random --game codex --games 100 --in-flight 8 --time none
  arena match bots/greedy bots/random --game shelfie --seed 7 --format json --save game.arena""",
)
@click.argument("bots", nargs=-1, metavar="BOT BOT [BOT BOT]", type=click.Path(path_type=Path))
@click.option(
    "--game",
    metavar="NAME",
    shell_complete=game_names,
    help="The game; may be left out when the bots share only one. See 'arena games'.",
)
@click.option("--edition", metavar="NAME", shell_complete=edition_names, help="The edition of the rules.")
@click.option(
    "--option",
    "options",
    metavar="KEY=VALUE",
    multiple=True,
    type=RuleOption(),
    shell_complete=rule_options,
    help="A rule option that differs from the edition. Can be given more than once.",
)
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(0, 2**64 - 1),
    help="What the deals are drawn from. Drawn by chance, and printed, when left out.",
)
@click.option(
    "--time",
    metavar="MOVE[+BANK]",
    type=Time(),
    default="1s+10s",
    show_default=True,
    help="Time for each move, and a bank for the game on top. 'none' for no limit.",
)
@click.option(
    "--games",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many games to play: each deal is played with every rotation of the line-up.",
)
@click.option(
    "--in-flight",
    metavar="K",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many games to play at the same time.",
)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option(
    "--save",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append the record of each game to this .arena file as it ends.",
)
def command(bots: tuple[Path, ...], form: str, save: Path | None, **wishes: Any) -> None:
    """Play games between two to four bots.

    Each BOT is a folder with a bot.toml. The first one takes seat 0, which moves first. The same folder may be named
    more than once. A bot that breaks the rules or dies forfeits its game; that is a result like any other.
    """
    from arena.archive import append, check_appendable
    from arena.cli.plan import plan_of
    from arena.cli.summary import Summary

    plan = plan_of(bots, **wishes)
    if save is not None:
        check_appendable(save)
    summary = Summary()
    kept: list[MatchRecord] = []

    def take(record: MatchRecord) -> None:
        if save is not None:
            append(save, record)
        summary.add(record)
        if form == "json" or plan.games == 1:
            kept.append(record)

    _play(plan, take)
    if form == "json":
        _print_json(plan, summary, kept)
    else:
        _print_table(plan, summary, kept)


def _play(plan: Plan, take: Callable[[MatchRecord], None]) -> None:
    """Play all games and hand over their records in schedule order. Raises BotFailed when a bot does not start."""
    from arena.cli.progress import progress
    from arena.launch import Guard
    from arena.tournament.runner import play_matches, run

    async def play() -> None:
        guard = Guard(notice=lambda sentence: click.echo(f"notice: {sentence}", err=True))
        matches = play_matches(plan.specs(), plan.lineup.bots, in_flight=plan.in_flight, wrapper=guard)
        async with aclosing(matches) as records:
            async for record in records:
                take(record)
                step()

    with progress("playing", plan.games) as step:
        run(play())


def _print_json(plan: Plan, summary: Summary, records: list[MatchRecord]) -> None:
    import json

    from arena.archive import to_json

    document = {
        "command": plan.again(),
        "summary": [tally.as_json() for tally in summary.tallies()],
        "matches": [to_json(record) for record in records],
    }
    click.echo(json.dumps(document, indent=2))


def _print_table(plan: Plan, summary: Summary, kept: list[MatchRecord]) -> None:
    from arena.cli.screen import console
    from arena.cli.story import ending, headline
    from arena.cli.tables import score_sheet, standings

    out = console()
    if plan.games == 1:
        record = kept[0]
        out.print(headline(record), style="bold", end="\n\n")
        if record.outcome is not None:
            out.print(score_sheet(record, record.outcome))
            out.print()
        out.print(*ending(record), sep="\n")
    else:
        title = f"{plan.game.title}, edition {plan.edition}, {plan.games} games, seed {plan.seed}"
        out.print(title, style="bold", end="\n\n")
        out.print(standings(summary))
        for note in _notes(plan, summary):
            out.print(f"\n{note}")
    out.print(f"\nplay it again: {plan.again()}", soft_wrap=True)


def _notes(plan: Plan, summary: Summary) -> Iterator[str]:
    if summary.void:
        yield f"{summary.void} of the games were void and count for nobody."
    seats = len(plan.lineup.names)
    if plan.games % seats:
        yield f"{plan.games} games are not a multiple of {seats}, so the seats were not shared equally."
