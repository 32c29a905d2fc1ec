"""`arena why`: one page on how a bot came to its result."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from arena.cli.home import Home, home_options

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from arena.record import MatchRecord
    from arena.tournament.inquest import Inquest
    from arena.tournament.reference import Comparison

BUILT_IN: Final = "search"
_BAR: Final = 20
_COMPARED: Final = 3


@click.command(
    "why",
    epilog="""\b
Examples:
  arena why cup/17
  arena why cup/17 greedy
  arena why games.arena greedy --match 3
  arena why cup/17 greedy --reference
  arena why cup/17 greedy --reference bots/planner""",
)
@click.argument("match", metavar="MATCH|FILE")
@click.argument("bot", required=False)
@click.option("--match", "number", metavar="N", type=int, help="Which match of a file, from 1; the last when left out.")
@click.option(
    "--reference",
    metavar="[BOT]",
    is_flag=False,
    flag_value=BUILT_IN,
    help="Show where a stronger player would have moved otherwise: the search of the SDK, or the bot in a folder.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@home_options
def command(match: str, bot: str | None, number: int | None, reference: str | None, form: str, home: Home) -> None:
    """Explain how a bot came to its result in a match.

    MATCH is a match of the arena, such as cup/17; a FILE of records will do as well. BOT is a name, a label such as
    greedy@3, or the number of a seat; without it, it is the bot that was put out, or the one that came last.
    """
    import json

    from arena.cli.source import match_of
    from arena.tournament.inquest import check, chosen_seat, inquest

    record = match_of(match, number, home)
    check(record)
    found = inquest(record, chosen_seat(record, bot))
    compared = None if reference is None else _compared(record, found.seat, reference)
    if form == "json":
        click.echo(json.dumps(_as_json(match, record, found, compared), indent=2))
    else:
        _print(match, record, found)
        if compared is not None and reference is not None:
            _print_comparison(compared, reference)


def _compared(record: MatchRecord, seat: int, reference: str) -> list[Comparison]:
    from arena.launch import read_manifest
    from arena.tournament.reference import answers, compare
    from arena.tournament.runner import run
    from arena.tournament.shadow import shadow

    if reference == BUILT_IN:
        return compare(record, seat)
    moves = run(shadow(record, seat, read_manifest(Path(reference))))
    return compare(record, seat, answers(moves, record.spec.game))


# ── the page ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _print(name: str, record: MatchRecord, found: Inquest) -> None:
    from arena.cli.screen import clean, console
    from arena.cli.story import headline

    out = console()
    out.print(clean(f"{name}: {found.bot}, seat {found.seat}"), style="bold")
    out.print(headline(record), end="\n\n")
    out.print(*map(clean, _result(record, found)), sep="\n", soft_wrap=True)
    _print_exchange(out, found)
    _print_clock(out, record, found)
    _print_effort(out, record, found)
    _print_scores(out, record, found)


def _result(record: MatchRecord, found: Inquest) -> Iterator[str]:
    from arena.cli.screen import plural

    verdict = found.verdict
    if record.outcome is None:
        yield f"The match is void and counts for nobody. {record.void_reason}".rstrip()
    else:
        after = f"{record.outcome.termination.value} after {plural(len(record.moves), 'move', 'moves')}"
        yield f"Rank {found.rank} of {len(record.lineup)}; the match was {after}."
    if verdict is not None:
        yield f"It forfeited at move {verdict.turn + 1}: {verdict.kind.value}. {verdict.detail}".rstrip()
        if verdict.signal:
            yield f"Its process was ended by {_signal(verdict.signal)}."
        elif verdict.exit_status is not None and f"status {verdict.exit_status}" not in verdict.detail:
            yield f"Its process exited with status {verdict.exit_status}."
    elif record.outcome is not None:
        yield "It played to the end, with no verdict against it."
    for pardon in found.pardons:
        yield f"A random move stood in for it at move {pardon.turn + 1}: {pardon.kind.value}. {pardon.detail}".rstrip()


def _signal(number: int) -> str:
    import signal

    try:
        return f"signal {number}, {signal.Signals(number).name}"
    except ValueError:
        return f"signal {number}"


def _print_exchange(out: Console, found: Inquest) -> None:
    from arena.cli.palette import drawn
    from arena.cli.screen import clean
    from arena.tournament.inquest import seen

    _heading(out, "The last exchange")
    if found.last is None:
        out.print("It was never asked for a move.")
        return
    out.print(f"At move {found.last.turn + 1} it saw")
    out.print(*drawn(seen(found.last.view)), sep="\n")
    out.print(
        f"and answered {clean(found.last.answer)}" if found.last.answer else "and gave no answer.", soft_wrap=True
    )


def _print_clock(out: Console, record: MatchRecord, found: Inquest) -> None:
    from arena.cli.screen import clean, duration, plural
    from arena.config import write_time

    _heading(out, "Time and log")
    if not found.steps:
        out.print("It made no move.")
    else:
        count, slowest = len(found.steps), max(found.steps, key=lambda step: step.think_us)
        total = f"{duration(found.think_us)} for {plural(count, 'move', 'moves')}"
        out.print(
            f"{total}, {duration(found.think_us / count)} on average, the longest {duration(slowest.think_us)} at move "
            f"{slowest.turn + 1}; allowed: {write_time(record.spec.time)}",
            soft_wrap=True,
        )
        out.print(_trail(found))
    for turn, lines in groupby(found.late_log, key=lambda line: line.turn):
        out.print(f"at move {turn + 1} it wrote")
        out.print(*(f"  | {clean(line.text)}" for line in lines), sep="\n", soft_wrap=True)
    tail = found.verdict.log_tail if found.verdict is not None else ""
    if found.effort is None and tail:
        out.print("the end of its log:")
        out.print(*(f"  | {line}" for line in clean(tail).splitlines()), sep="\n", soft_wrap=True)


def _trail(found: Inquest) -> Table:
    from arena.cli.screen import clean, duration
    from arena.cli.tables import plain_table

    table = plain_table(right=("move", "time"))
    table.add_column("")
    table.add_column("bank left", justify="right")
    table.add_column("played")
    if any(step.log for step in found.steps):
        table.add_column("it wrote")
    longest = max(step.think_us for step in found.steps) or 1
    for step in found.steps:
        row = (
            str(step.turn + 1),
            duration(step.think_us),
            "▇" * round(_BAR * step.think_us / longest),
            "-" if step.bank_us is None else duration(step.bank_us),
            clean(step.move),
            clean("\n".join(step.log)),
        )
        table.add_row(*row[: len(table.columns)])
    return table


def _print_effort(out: Console, record: MatchRecord, found: Inquest) -> None:
    from arena.cli.screen import duration

    _heading(out, "Processor and memory")
    if found.effort is not None:
        memory = f"{found.effort.peak_kb / 1024:.1f} MB of memory at its peak since it was started"
        out.print(f"{duration(found.effort.cpu_us)} of processor time, {memory}", soft_wrap=True)
    elif record.in_flight > 1:
        out.print(f"not measured: up to {record.in_flight} games were played at once in one process")
    else:
        out.print("not measured: only matches of tournaments are")


def _print_scores(out: Console, record: MatchRecord, found: Inquest) -> None:
    from arena.cli.screen import clean
    from arena.cli.tables import plain_table

    if record.outcome is None or found.score is None or found.winner is None:
        return
    _heading(out, "Points")
    mine, theirs = found.score, record.outcome.scores[found.winner]
    rival = f"{record.spec.lineup[found.winner]}, seat {found.winner}"
    table = plain_table("", right=(clean(found.bot), clean(rival), "difference"))
    other = dict(theirs.parts)
    own = dict(mine.parts)
    for part in dict.fromkeys([*own, *other]):
        _score_row(table, part, own.get(part, 0), other.get(part, 0))
    _score_row(table, "total", mine.total, theirs.total)
    out.print(table)


def _score_row(table: Table, name: str, mine: int, theirs: int) -> None:
    table.add_row(name, str(mine), str(theirs), f"{mine - theirs:+d}" if mine != theirs else "0")


def _print_comparison(compared: list[Comparison], reference: str) -> None:
    from arena.cli.screen import clean, console
    from arena.cli.tables import plain_table

    out = console()
    who = "the search of the SDK" if reference == BUILT_IN else reference
    _heading(out, f"Where {clean(who)} would have moved otherwise")
    costly = [one for one in compared if one.cost > 0][:_COMPARED]
    if not costly:
        out.print("Nowhere where it would have been better.")
        return
    table = plain_table(right=("move",))
    for name in ("played", "instead"):
        table.add_column(name)
    for name in ("outlook", "instead", "cost"):
        table.add_column(name, justify="right")
    for one in costly:
        values = (f"{one.played_value:.0%}", f"{one.better_value:.0%}", f"{one.cost:.0%}")
        table.add_row(str(one.turn + 1), clean(one.played), clean(one.better), *values)
    out.print(table)
    out.print(
        "The outlook is the part of the others that it could expect to leave behind, from playing on; an estimate."
    )


def _heading(out: Console, text: str) -> None:
    out.print(f"\n{text}", style="bold")


# ── the same as data ────────────────────────────────────────────────────────────────────────────────────────────────


def _as_json(name: str, record: MatchRecord, found: Inquest, compared: list[Comparison] | None) -> dict[str, Any]:
    from dataclasses import asdict

    verdict = found.verdict
    document: dict[str, Any] = {
        "match": name,
        "bot": found.bot,
        "seat": found.seat,
        "rank": found.rank,
        "void_reason": record.void_reason or None,
        "verdict": None if verdict is None else {**asdict(verdict), "kind": verdict.kind.value},
        "pardons": [{**asdict(pardon), "kind": pardon.kind.value} for pardon in found.pardons],
        "last_exchange": None
        if found.last is None
        else {"turn": found.last.turn, "view": str(found.last.view), "answer": found.last.answer or None},
        "moves": [asdict(step) for step in found.steps],
        "log_without_move": [asdict(line) for line in found.late_log],
        "effort": None if found.effort is None else {"cpu_us": found.effort.cpu_us, "peak_kb": found.effort.peak_kb},
        "score": None if found.score is None else dict(found.score.parts),
        "compared_with": None
        if found.winner is None or record.outcome is None
        else {
            "seat": found.winner,
            "bot": record.spec.lineup[found.winner],
            "rank": record.outcome.ranks[found.winner],
            "score": dict(record.outcome.scores[found.winner].parts),
        },
    }
    if compared is not None:
        document["reference"] = [{**asdict(one), "cost": one.cost} for one in compared]
    return document
