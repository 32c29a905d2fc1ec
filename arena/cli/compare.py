"""`arena compare`: is a bot better than another, or than it was?"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

import click

from arena.cli.home import Home, home_options
from arena.cli.params import edition_names, game_names

if TYPE_CHECKING:
    from arena.cli.cupplan import CupPlan
    from arena.tournament.systems.duel import Duel

BETTER, NOT_BETTER, UNDECIDED = 0, 10, 11
EXIT_CODES: Final = {"better": BETTER, "not better": NOT_BETTER, "undecided": UNDECIDED}


@click.command(
    "compare",
    epilog="""\b
Examples:
  arena compare my-bot my-bot@2 --game shelfie
  arena compare bots/planner bots/greedy --game codex --margin 0.1 --time none
  arena compare new old --field bots/greedy --field bots/random --players 4 --game shelfie || echo not yet""",
)
@click.argument("new", metavar="NEW")
@click.argument("old", metavar="OLD")
@click.option(
    "--field", "others", metavar="BOT", multiple=True, help="Who else sits at tables of 3 or 4; else copies of OLD."
)
@click.option("--game", metavar="NAME", shell_complete=game_names, help="The game, if the bots share several.")
@click.option("--edition", metavar="NAME", shell_complete=edition_names, help="The edition of the rules.")
@click.option("--players", metavar="2|3|4", help="How many sit at a table.  [default: 2]")
@click.option("--margin", metavar="X", help="How much more than 1/2 per block NEW is to score.  [default: 0.05]")
@click.option("--alpha", metavar="X", help="How often 'better' may be said wrongly.  [default: 0.05]")
@click.option("--beta", metavar="X", help="How often 'not better' may be said wrongly.  [default: 0.05]")
@click.option("--most", metavar="N", help="After how many blocks to end undecided.  [default: 2000]")
@click.option("--seed", metavar="N", type=click.IntRange(0, 2**63 - 1), help="What the deals are drawn from.")
@click.option("--time", metavar="MOVE[+BANK]", help="Time for each move and a bank, or 'none'.  [default: 1s+10s]")
@click.option("--jobs", metavar="N", type=click.IntRange(min=1), help="How many referees.  [default: one per core]")
@click.option("--in-flight", metavar="K", type=click.IntRange(min=1), help="Games at once per referee.  [default: 1]")
@click.option("--name", metavar="NAME", help="What to call it in the log; made from what it is when left out.")
@click.option("--trust", is_flag=True, help="Submitted bots may run without a sandbox.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@home_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    new: str,
    old: str,
    others: tuple[str, ...],
    home: Home,
    form: str,
    *,
    trust: bool,
    **given: Any,
) -> None:
    """Find out whether NEW is better than OLD, with as few games as it takes.

    Both are folders, or names of submitted bots such as greedy@2. They meet in duplicate deals until the question is
    decided either way: a sequential test on the scores of whole blocks, right at any moment at which it stops. Exit
    code 0 says better, 10 not better, 11 undecided. The same command goes on where it was interrupted.
    """
    from arena.cli.cupplan import Wishes
    from arena.cli.tournament import new_plan, play

    options = {key: given.pop(key) for key in ("margin", "alpha", "beta", "most")}
    wishes = Wishes(**{key: value for key, value in given.items() if value is not None}, system="duel", options=options)
    with home.open(create=True) as store:
        plan = new_plan(store, [new, old, *others], home, wishes, trust=trust)
        schedule, _ = play(store, plan, rated=False)
    duel: Duel = schedule.system  # type: ignore[assignment]  # it is the one that was asked for
    _tell(duel, _again(plan), form)
    ctx.exit(EXIT_CODES[duel.test.decision.value])


def _again(plan: CupPlan) -> str:
    """The command that asks the same again."""
    from arena.config import write_time

    definition = plan.definition
    new, old, *field = plan.folders()
    words = ["arena", "compare", new, old, *(word for bot in field for word in ("--field", bot))]
    words += ["--game", definition.game, "--edition", definition.edition, "--players", str(definition.players[0])]
    words += [word for key, value in definition.settings.items() for word in (f"--{key}", str(value))]
    words += [
        "--seed",
        str(definition.seed),
        "--time",
        write_time(definition.time),
        "--name",
        definition.name,
        *plan.at,
    ]
    return shlex.join(words)


def _tell(duel: Duel, again: str, form: str) -> None:
    import json

    from arena.cli.screen import console

    if form == "json":
        effect = duel.test.effect()
        document = {
            "new": duel.new,
            "old": duel.old,
            "decision": duel.test.decision.value,
            "reason": duel.test.reason,
            "blocks": duel.test.blocks,
            "score": effect.estimate,
            "interval": [effect.low, effect.high],
            "command": again,
        }
        click.echo(json.dumps(document, indent=2))
        return
    out = console()
    out.print(*duel.findings(), sep="\n", soft_wrap=True)
    out.print(f"\nplay it again: {again}", soft_wrap=True)
