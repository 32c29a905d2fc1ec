"""`arena tournament`: play a tournament, or go on with one, and show its leaderboard."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from arena.cli.home import Home, home_options
from arena.cli.params import RuleOption, edition_names, game_names, rule_options

if TYPE_CHECKING:
    from arena.cli.cupplan import CupPlan, Wishes
    from arena.cli.stand import Scores
    from arena.store import Store
    from arena.tournament.definition import Definition
    from arena.tournament.schedule import Schedule
    from arena.tournament.systems import Setting
    from arena.tournament.worker import Contender


ENDLESS_SHOWN: Final = 100
"""Of how many games the cost is shown when there is no end to them."""


class Tournament(click.Command):
    """The command, with an option for each setting that any system has. They are looked up when they are needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        return [*own[:-1], *_system_options(), own[-1]]  # --help comes last


@cache
def _system_options() -> list[click.Option]:
    from arena.tournament.systems import SYSTEMS

    of_whom: dict[str, list[str]] = {}
    settings: dict[str, Setting] = {}
    for kind in SYSTEMS.values():
        for setting in kind.options.settings():
            settings.setdefault(setting.name, setting)
            of_whom.setdefault(setting.name, []).append(kind.name)
    return [
        _system_option(settings[name], whose if len(whose) < len(SYSTEMS) else []) for name, whose in of_whom.items()
    ]


def _system_option(setting: Setting, whose: list[str]) -> click.Option:
    who = f" ({', '.join(whose)})" if whose else ""
    how: dict[str, Any] = (
        {"is_flag": True, "default": None} if setting.kind is bool else {"metavar": _metavar(setting.kind)}
    )
    text = f"{setting.text[:1].upper()}{setting.text[1:]}{who}."
    return click.Option([f"--{setting.name.replace('_', '-')}", f"set_{setting.name}"], help=text, **how)


def _metavar(kind: Any) -> str:
    return {int: "N", float: "X", tuple: "BOT,BOT"}.get(kind, "WORD")


@click.command(
    "tournament",
    cls=Tournament,
    epilog="""\b
Examples:
  arena tournament bots/greedy bots/random bots/planner --game shelfie --rounds 10
  arena tournament bots/*/ --game codex --system swiss --rounds 5 --players 3 --name autumn
  arena tournament cup.toml --jobs 2
  arena tournament --resume autumn
  arena tournament --resume ladder bots/mcts""",
)
@click.argument("bots", nargs=-1, metavar="BOT BOT ... | CUP.TOML")
@click.option("--name", metavar="NAME", help="What to call it; made from what it is when left out.")
@click.option("--resume", metavar="NAME", help="Go on with one that was interrupted; bots that are named join it.")
@click.option(
    "--game",
    metavar="NAME",
    shell_complete=game_names,
    help="The game; may be left out when the bots share only one. See 'arena games'.",
)
@click.option("--edition", metavar="NAME", shell_complete=edition_names, help="The edition of the rules.")
@click.option(
    "--option",
    "rules",
    metavar="KEY=VALUE",
    multiple=True,
    type=RuleOption(),
    shell_complete=rule_options,
    help="A rule option that differs from the edition. Can be given more than once.",
)
@click.option("--players", metavar="2|3|4|mixed", help="How many sit at a table.  [default: 2]")
@click.option("--system", metavar="NAME", help="Who meets whom: see 'Systems' below.  [default: round-robin]")
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(0, 2**63 - 1),
    help="What schedule and deals are drawn from. Drawn by chance, and printed, when left out.",
)
@click.option(
    "--time",
    metavar="MOVE[+BANK]",
    help="Time for each move, and a bank for the game on top. 'none' for no limit.  [default: 1s+10s]",
)
@click.option(
    "--deals",
    type=click.Choice(["rotations", "permutations", "single"]),
    help="With which seat orders each deal is played.  [default: rotations]",
)
@click.option("--jobs", metavar="N", type=click.IntRange(min=1), help="How many referees.  [default: one per core]")
@click.option(
    "--in-flight",
    metavar="K",
    type=click.IntRange(min=1),
    help="How many games each referee plays at the same time, for bots that offer it.  [default: 1]",
)
@click.option(
    "--strikes",
    metavar="N",
    type=click.IntRange(min=0),
    help="Forfeits that take a bot out, if they are a fifth of its games; 0 for never.  [default: 10]",
)
@click.option("--lenient", is_flag=True, default=None, help="Random moves stand in for wrong and late answers.")
@click.option("--trust", is_flag=True, help="Submitted bots may run without a sandbox where there is none.")
@click.option("--dry-run", is_flag=True, help="Show what would be played, and play nothing.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@home_options
def command(
    bots: tuple[str, ...], home: Home, form: str, resume: str | None, *, dry_run: bool, trust: bool, **given: Any
) -> None:
    """Play a tournament between bots and show the leaderboard.

    A BOT is a folder with a bot.toml, or the name of a submitted bot: greedy, or greedy@3 for a certain version. All
    that is played is logged at once. After Ctrl-C, or whatever else stops it, the same command goes on where it was and
    comes to the same end. With further bots it goes on with them, where a system lets bots join.
    """
    words, wishes = _wishes(bots, given)
    if dry_run:
        _print_plan(words, wishes)
        return
    with home.open(create=True) as store:
        if resume:
            plan = _resumed(store, resume, words, home, wishes, trust=trust)
        else:
            plan = new_plan(store, words, home, wishes, trust=trust)
        schedule, scores = play(store, plan)
        _print_result(store, plan, schedule, scores, form)


def _wishes(bots: tuple[str, ...], given: dict[str, Any]) -> tuple[list[str], Wishes]:
    """What was asked for, by the file if there is one, and by the flags, which have the last word."""
    from arena.cli.cupfile import read_cup
    from arena.cli.cupplan import Wishes

    table: dict[str, Any] = {}
    words = list(bots)
    if len(bots) == 1 and bots[0].endswith(".toml"):
        table = read_cup(Path(bots[0]))
        words = table.pop("bots")
    options = {key.removeprefix("set_"): given.pop(key) for key in list(given) if key.startswith("set_")}
    flags = {key: value for key, value in given.items() if value is not None}
    flags["rules"] = {**table.get("rules", {}), **dict(given["rules"])}
    chosen = {key: value for key, value in options.items() if value is not None}
    return words, Wishes(**{**table, **flags, "options": {**table.get("options", {}), **chosen}})


def new_plan(store: Store, words: list[str], home: Home, wishes: Wishes, *, trust: bool) -> CupPlan:
    """The tournament that was asked for. Folders are registered. Raises UsageError."""
    from arena.cli.cupplan import CupPlan, definition_of
    from arena.errors import UsageError
    from arena.launch import read_manifest
    from arena.tournament import systems
    from arena.tournament.entry import enter, recall
    from arena.tournament.newcomers import continued

    if len(words) < 2:
        raise UsageError("a tournament needs two bots or more: name their folders, or a file such as cup.toml")
    contenders = enter(store, words, home.cache)
    games = {label: read_manifest(one.folder).games for label, one in contenders.items()}
    definition = continued(store, definition_of(wishes, games))
    contenders |= recall(store, [bot for bot in definition.entrants if bot not in contenders], home.cache)
    systems.of(definition)  # before anything is written: it may not suit
    return CupPlan(definition, _trusting(contenders, trust=trust), _jobs(wishes), wishes.in_flight or 1, home.flags)


def _trusting(contenders: dict[str, Contender], *, trust: bool) -> dict[str, Contender]:
    return {label: replace(one, trusted=one.trusted or trust) for label, one in contenders.items()}


def _resumed(store: Store, name: str, words: list[str], home: Home, wishes: Wishes, *, trust: bool) -> CupPlan:
    """The tournament of that name, with whoever is to join it. Raises Unknown and UsageError."""
    from arena.cli.cupplan import CupPlan, chosen_game
    from arena.launch import read_manifest
    from arena.tournament.definition import Definition
    from arena.tournament.entry import enter, recall
    from arena.tournament.newcomers import admitted

    definition = Definition.from_json(store.tournament(name).definition)
    newcomers = enter(store, words, home.cache)
    chosen_game(definition.game, {label: read_manifest(one.folder).games for label, one in newcomers.items()})
    definition = admitted(store, definition, list(newcomers))
    contenders = _trusting(recall(store, definition.entrants, home.cache), trust=trust)
    return CupPlan(definition, contenders, _jobs(wishes), wishes.in_flight or 1, home.flags)


def _jobs(wishes: Wishes) -> int:
    from arena.tournament.executor import cores

    return wishes.jobs or len(cores())


def play(store: Store, plan: CupPlan, *, rated: bool = True) -> tuple[Schedule, Scores]:
    """Play what has not been played yet."""
    from time import time_ns

    from arena.cli.stand import watching
    from arena.store import State
    from arena.tournament import cup, systems
    from arena.tournament.executor import LocalExecutor
    from arena.tournament.journal import StoreJournal
    from arena.tournament.runner import run
    from arena.tournament.schedule import Schedule

    definition = plan.definition
    store.open_tournament(definition.name, definition.game, definition.system, definition.as_json(), time_ns() // 1000)
    schedule = Schedule(definition, systems.of(definition))

    async def played(scores: Scores) -> None:
        async with LocalExecutor(plan.contenders, jobs=plan.jobs, in_flight=plan.in_flight) as executor:
            await cup.play(schedule, executor, StoreJournal(store, definition), scores)

    _notice_if_open()
    with watching(definition.name, lambda: _games(schedule)) as scores, _telling_how_to_go_on(plan):
        run(played(scores))
    store.finish(definition.name, State.FINISHED)
    return schedule, scores


def _notice_if_open() -> None:
    """Say once that bots run without a sandbox, if they do."""
    from arena.launch.probe import survey

    host = survey()
    if not host.tools and not host.switched_off:
        click.echo(f"notice: bots run without a sandbox, with all your rights: {host.obstacle}", err=True)


def _games(schedule: Schedule) -> int | None:
    """How many games there will be in all, if that is known."""
    blocks = schedule.system.length.exact
    return _games_of(schedule, blocks) if blocks and schedule.blocks else None


def _games_of(schedule: Schedule, blocks: int) -> int:
    """How many games so many blocks have, by those that were given out."""
    return round(blocks * schedule.given / schedule.blocks)


@contextmanager
def _telling_how_to_go_on(plan: CupPlan) -> Iterator[None]:
    try:
        yield
    except BaseException:
        click.echo(f"what was played is logged; go on with: {plan.resume()}", err=True)
        raise


def _print_plan(words: list[str], wishes: Wishes) -> None:
    """The plan and its cost. Nothing is registered, so bots have no versions here."""
    from arena.cli.cupplan import definition_of
    from arena.cli.screen import console
    from arena.config import write_time
    from arena.launch import read_manifest
    from arena.tournament import systems
    from arena.tournament.schedule import Block, Schedule

    manifests = [read_manifest(Path(word)) for word in words]
    definition = definition_of(wishes, {bot.name: bot.games for bot in manifests})
    schedule = Schedule(definition, systems.of(definition))
    out = console()
    tables = " or ".join(map(str, definition.players))
    out.print(f"{definition.name}: {definition.system} of {len(manifests)} bots in {definition.game}", style="bold")
    out.print(f"edition {definition.edition}, {tables} at a table, seed {definition.seed}, ", end="")
    out.print(f"time {write_time(definition.time)}, deals in {definition.deals.value}")
    first = [schedule.next() for _ in range(min(6, schedule.system.length.exact or 6))]
    blocks = [block for block in first if isinstance(block, Block)]
    for block in blocks:
        lineup = ", ".join(block.sitting.lineup)
        out.print(f"  block {block.number}: {lineup} ({len(block.specs)} games){_stage(block.sitting.stage)}")
    out.print(f"  ... {_extent(schedule)}")
    if not definition.time.unlimited:
        most = schedule.system.length.most
        games = _games_of(schedule, most) if most else ENDLESS_SHOWN
        out.print(_longest(games, definition, _jobs(wishes)))


def _stage(stage: str) -> str:
    return f", {stage}" if stage else ""


def _extent(schedule: Schedule) -> str:
    """How long it will be, as far as anybody can tell before the first game."""
    length = schedule.system.length
    if length.most is None:
        blocks = round(ENDLESS_SHOWN * schedule.blocks / schedule.given)
        return f"until it is stopped; {ENDLESS_SHOWN} games are about {blocks} blocks"
    most = _blocks_and_games(schedule, length.most)
    if length.exact is not None:
        return f"{most} in all"
    return f"at least {_blocks_and_games(schedule, length.fewest)}, and at most {most}: that depends on the results"


def _blocks_and_games(schedule: Schedule, blocks: int) -> str:
    return f"{blocks:,} {'block' if blocks == 1 else 'blocks'}, {_games_of(schedule, blocks):,} games"


def _longest(games: int, definition: Definition, jobs: int) -> str:
    """What so many games can take at most: nobody uses all the time that there is, but one should know."""
    seats = max(definition.players)
    moves = 21 * seats
    seconds = games * (moves * definition.time.move_ms + seats * definition.time.bank_ms) / 1000 / jobs
    hours = f"some {seconds / 3600:,.1f} hours with {jobs} referees"
    return f"if every bot used all its time, {games:,} games would take {hours}"


def _print_result(store: Store, plan: CupPlan, schedule: Schedule, scores: Scores, form: str) -> None:
    from arena.cli.boards import board_json, print_board
    from arena.cli.screen import console
    from arena.store import Pool
    from arena.tournament.board import board
    from arena.tournament.ledger import settle

    definition = plan.definition
    settle(store, Pool(definition.game))
    result = board(store, Pool(definition.game, tournament=definition.name))
    notes = list(_notes(schedule, scores))
    if form == "json":
        import json

        document = {
            "tournament": definition.as_json(),
            "games": scores.games,
            "notes": notes,
            "leaderboard": board_json(result),
            "command": plan.again(),
        }
        click.echo(json.dumps(document, indent=2))
        return
    out = console()
    out.print(f"{definition.name}: {definition.system}, {scores.games:,} games, seed {definition.seed}", style="bold")
    print_board(out, result)
    for note in notes:
        out.print(note)
    out.print(f"\nplay it again: {plan.again()}", soft_wrap=True)


def _notes(schedule: Schedule, scores: Scores) -> Iterator[str]:
    for bot in schedule.withdrawn:
        yield f"{bot} was taken out after {scores.forfeits[bot]} forfeits."
    if schedule.definition.lenient:
        yield "Played leniently: random moves stood in for wrong and late answers."
    yield from schedule.system.findings()
