"""The tables that commands print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.cli.screen import clean, duration
from arena.cli.summary import Summary
from arena.record import MatchRecord, Verdict
from arena_rules import Outcome

if TYPE_CHECKING:
    from rich.table import Table


def plain_table(*left: str, right: tuple[str, ...] = ()) -> Table:
    """A table with a rule below its head; texts stand on the left of their columns, numbers on the right."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for name in left:
        table.add_column(name)
    for name in right:
        table.add_column(name, justify="right")
    return table


def score_sheet(record: MatchRecord, outcome: Outcome) -> Table:
    """One row per seat, the winner first, with every line of the score sheet."""
    parts = list(dict.fromkeys(name for score in outcome.scores for name, _ in score.parts))
    table = plain_table("bot", right=("seat", "rank", "total", *parts, "mean time"))
    verdicts = {verdict.seat: verdict for verdict in record.verdicts}
    if verdicts:
        table.add_column("verdict")
    for seat in sorted(range(len(outcome.ranks)), key=lambda seat: (outcome.ranks[seat], seat)):
        score = outcome.scores[seat]
        points = dict(score.parts)
        row = [clean(record.spec.lineup[seat]), str(seat), str(outcome.ranks[seat]), str(score.total)]
        row += [str(points.get(part, 0)) for part in parts]
        row += [mean_time(record, seat), in_words(verdicts.get(seat))]
        table.add_row(*row[: len(table.columns)], style="bold" if seat in outcome.winners else None)
    return table


def standings(summary: Summary) -> Table:
    """One row per bot, the best first."""
    counts = ("games", "wins", "ties", "mean rank", "mean score", "forfeits", "mean time", "longest")
    table = plain_table("bot", right=counts)
    for tally in summary.tallies():
        table.add_row(
            clean(tally.bot),
            str(tally.games),
            str(tally.wins),
            str(tally.ties),
            f"{tally.mean_rank:.2f}",
            f"{tally.mean_score:.1f}",
            str(tally.forfeits),
            duration(tally.think_mean_us),
            duration(tally.think_max_us),
        )
    return table


def mean_time(record: MatchRecord, seat: int) -> str:
    """How long the seat took for a move on average."""
    times = [move.think_us for move in record.moves if move.seat == seat]
    return duration(sum(times) / len(times)) if times else "-"


def in_words(verdict: Verdict | None) -> str:
    if verdict is None:
        return ""
    return f"{verdict.kind.value} at move {verdict.turn + 1}"


def effort_table(record: MatchRecord) -> Table:
    """One row per seat: which version played there, and what its process used."""
    table = plain_table("bot", "content", right=("seat", "processor time", "peak memory", "log lines"))
    for seat, (bot, effort) in enumerate(zip(record.lineup, record.efforts, strict=True)):
        label = f"{clean(bot.name)}@{bot.version}" if bot.version else clean(bot.name)
        used = (duration(effort.cpu_us), f"{effort.peak_kb / 1024:.1f} MB", str(len(effort.log)))
        table.add_row(label, clean(bot.content_hash[:12]), str(seat), *used)
    return table
