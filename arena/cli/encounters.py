"""The head-to-head matrix: who scores how much against whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from arena.cli.boards import UNKNOWN
from arena.cli.screen import clean
from arena.cli.tables import plain_table
from arena.rating import ENOUGH_BLOCKS, Encounter
from arena.tournament.board import Board

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table

_COLUMN: Final = len("88-100") + 3
_LEGEND: Final = (
    "In per cent: 100 for coming out above the other, 50 for a tie; below it the 95% interval, from whole blocks."
)
_FEW: Final = "few"


class Matrix:
    """Every bot against every other, in the order of the leaderboard; in several parts where one is too wide."""

    def __init__(self, board: Board) -> None:
        met, bots = board.head_to_head, [place.bot for place in board.places]
        self._bots = bots
        self._cells = [[_cell(met.encounter(one, other)) if one != other else "" for other in bots] for one in bots]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        edge = max((len(bot) for bot in self._bots), default=0) + len(str(len(self._bots))) + 3
        wide = max(1, (options.max_width - edge) // _COLUMN)
        for start in range(0, len(self._bots), wide):
            yield self._part(range(start, min(start + wide, len(self._bots))))
        yield _LEGEND
        if any(_FEW in row for row in self._cells):
            yield f"{_FEW}: fewer than {ENOUGH_BLOCKS} blocks."

    def _part(self, columns: Sequence[int]) -> Table:
        table = plain_table("", "against", right=tuple(str(number + 1) for number in columns))
        table.columns[0].justify = "right"
        for number, bot in enumerate(self._bots):
            table.add_row(str(number + 1), clean(bot), *(self._cells[number][other] for other in columns))
        return table


def _cell(encounter: Encounter | None) -> str:
    if encounter is None:
        return UNKNOWN
    if encounter.interval is None:
        return _FEW
    low, high = encounter.interval.low, encounter.interval.high
    return f"{100 * encounter.score:.0f}\n{100 * low:.0f}-{100 * high:.0f}"


def matrix_rows(board: Board) -> Iterator[dict[str, Any]]:
    """Every ordered pair that has met, as plain values."""
    met = board.head_to_head
    for one in board.places:
        for other in board.places:
            encounter = met.encounter(one.bot, other.bot) if one is not other else None
            if encounter is not None:
                yield _row(one.bot, other.bot, encounter)


def _row(one: str, other: str, encounter: Encounter) -> dict[str, Any]:
    interval = encounter.interval
    return {
        "bot": one,
        "against": other,
        "blocks": encounter.blocks,
        "comparisons": encounter.comparisons,
        "score": encounter.score,
        "interval_low": interval.low if interval else None,
        "interval_high": interval.high if interval else None,
    }
