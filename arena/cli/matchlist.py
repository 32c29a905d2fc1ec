"""Lists of matches as people and programs want them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.cli.screen import clean, duration, moment
from arena.cli.tables import plain_table
from arena.store import MatchLine, SeatLine

if TYPE_CHECKING:
    from rich.table import Table


def match_table(lines: Sequence[MatchLine]) -> Table:
    """One row per match; the game is named where there are several."""
    several = len({line.game for line in lines}) > 1
    table = plain_table("match", "began (UTC)", *(["game"] if several else []), "result")
    for name in ("moves", "time"):
        table.add_column(name, justify="right", no_wrap=True)
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    for line in lines:
        row = [clean(line.name), moment(line.started_us), *([clean(line.game)] if several else []), in_words(line)]
        style = "dim" if line.void_reason is not None else None
        table.add_row(*row, str(line.turns), duration(line.elapsed_us), style=style)
    return table


def in_words(line: MatchLine) -> str:
    """Who won and by how much; or why nobody did."""
    if line.void_reason is not None:
        bots = ", ".join(clean(seat.bot) for seat in line.seats)
        return f"{bots}: void. {clean(line.void_reason)}".rstrip()
    seats = sorted(line.seats, key=lambda seat: seat.rank or 0)
    return ", ".join(_seat(seat, seats) for seat in seats)


def _seat(seat: SeatLine, seats: Sequence[SeatLine]) -> str:
    if seat.forfeit is not None:
        return f"{clean(seat.bot)} {clean(seat.forfeit)}"
    first = [other for other in seats if other.rank == seat.rank]
    mark = "=" if len(first) > 1 else ""
    return f"{seat.rank}{mark} {clean(seat.bot)} {seat.score}"


def match_json(line: MatchLine) -> dict[str, Any]:
    """A match in a list as plain values."""
    return {
        "match": line.name,
        "tournament": line.key.tournament,
        "index": line.key.index,
        "attempt": line.key.attempt,
        "block": line.block,
        "game": line.game,
        "edition": line.edition,
        "seed": line.seed,
        "lenient": line.lenient,
        "termination": line.termination,
        "void_reason": line.void_reason,
        "turns": line.turns,
        "started_us": line.started_us,
        "elapsed_us": line.elapsed_us,
        "seats": [_seat_json(seat) for seat in line.seats],
    }


def _seat_json(seat: SeatLine) -> dict[str, Any]:
    return {
        "bot": seat.bot,
        "rank": seat.rank,
        "score": seat.score,
        "forfeit": seat.forfeit,
        "think_us": seat.think_us,
        "cpu_us": seat.cpu_us,
        "peak_kb": seat.peak_kb,
    }
