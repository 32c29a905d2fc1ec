"""`arena check`: try out a bot, or this installation, step by step."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.params import Time

if TYPE_CHECKING:
    from arena.tournament.check import Step

_LOG_LINES = 20


@click.command(
    "check",
    epilog="""\b
Examples:
  arena check my-bot
  arena check my-bot --time 200ms --format json
  arena check --arena""",
)
@click.argument("bot", required=False, type=click.Path(path_type=Path))
@click.option("--arena", "itself", is_flag=True, help="Try out this installation with bots that misbehave.")
@click.option(
    "--time",
    metavar="MOVE[+BANK]",
    type=Time(),
    default="1s+10s",
    show_default=True,
    help="The time that the bot has, of which a move may take half.",
)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def command(bot: Path | None, itself: bool, time: Any, form: str) -> None:
    """Try out a bot before it plays for anything.

    BOT is a folder with a bot.toml. The bot is started, plays all its games at all numbers of players against itself,
    and meets a referee that behaves oddly. Each step that it does not pass shows the reason and what the bot printed.
    The exit code is 3 when there is one.
    """
    from arena.errors import UsageError
    from arena.tournament.check import check_arena, check_bot

    if itself == (bot is not None):
        raise UsageError("name a bot to try out, as in 'arena check my-bot', or say --arena for this installation")
    if bot is not None:
        _report(check_bot(bot, time), form)
    else:
        _report(check_arena(_companion()), form)


def _companion() -> Path:
    from arena.errors import UsageError

    folder = Path(__file__).parents[2] / "bots" / "random"
    if not folder.is_dir():
        raise UsageError("the bots for this come with the sources of arena; run it from a clone")
    return folder


def _report(steps: AsyncIterator[Step], form: str) -> None:
    from arena.tournament.runner import run

    async def gather() -> list[Step]:
        found = []
        async for step in steps:
            found.append(step)
            if form == "table":
                _print(len(found), step)
        return found

    found = run(gather())
    failed = sum(not step.passed for step in found)
    if form == "json":
        _print_json(found)
    else:
        click.echo(f"\n{failed} of {len(found)} steps failed" if failed else f"\nall {len(found)} steps passed")
    if failed:
        click.get_current_context().exit(3)


def _print(number: int, step: Step) -> None:
    from arena.cli.screen import clean

    mark = click.style("ok  ", fg="green") if step.passed else click.style("FAIL", fg="red")
    click.echo(f"{number:2}  {mark}  {clean(step.name)}: {clean(step.finding)}")
    for line in step.log.splitlines()[-_LOG_LINES:]:
        click.echo(f"          | {clean(line)}")


def _print_json(steps: list[Step]) -> None:
    import json
    from dataclasses import asdict

    document = {"passed": all(step.passed for step in steps), "steps": [asdict(step) for step in steps]}
    click.echo(json.dumps(document, indent=2))
