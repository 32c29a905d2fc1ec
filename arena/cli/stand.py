"""What people see of a tournament while it is played: a display that moves in a terminal, lines in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from arena.record import MatchRecord, Result

if TYPE_CHECKING:
    from rich.console import RenderableType

LINES_EVERY_S: Final = 10.0
"""How often a line is printed where nothing can move."""
SHOWN: Final = 12
"""How many bots the moving standings show."""


class Scores:
    """The standings so far: of all opponents a bot has met, the share that it came out above."""

    def __init__(self) -> None:
        self.games = 0
        self.now = 0
        """Those that were played in this run."""
        self.void = 0
        self.forfeits: dict[str, int] = {}
        self._met: dict[str, int] = {}
        self._points: dict[str, float] = {}
        self._began = time.monotonic()

    def resumed(self, result: Result) -> None:
        self.games += 1
        for bot, rank, forfeit in zip(result.bots, result.ranks, result.forfeits, strict=True):
            above = sum(rank < other for other in result.ranks)
            level = sum(rank == other for other in result.ranks) - 1
            self._met[bot] = self._met.get(bot, 0) + len(result.bots) - 1
            self._points[bot] = self._points.get(bot, 0.0) + above + level / 2
            self.forfeits[bot] = self.forfeits.get(bot, 0) + forfeit

    def played(self, record: MatchRecord) -> None:
        if record.outcome is None:
            self.void += 1
            return
        self.now += 1
        self.resumed(Result.of(record))

    def waits(self, reason: str) -> None:
        sys.stderr.write(f"{reason}\n")

    @property
    def rate(self) -> float:
        """Games in a second, of this run."""
        return self.now / max(time.monotonic() - self._began, 1e-3)

    def table(self) -> list[tuple[str, float, int]]:
        """Bot, share and forfeits, the best first."""
        shares = [(bot, self._points[bot] / met, self.forfeits[bot]) for bot, met in self._met.items() if met]
        return sorted(shares, key=lambda row: (-row[1], row[0]))


@contextmanager
def watching(name: str, total: Callable[[], int | None]) -> Iterator[Scores]:
    """Show a tournament on standard error while it is played. ``total`` says how many games there will be, if known."""
    if sys.stderr.isatty():
        with _display(name, total) as scores:
            yield scores
    else:
        yield _Lines(name, total)


class _Lines(Scores):
    """Prints a line now and then."""

    def __init__(self, name: str, total: Callable[[], int | None]) -> None:
        super().__init__()
        self._name = name
        self._total = total
        self._printed = time.monotonic()

    def played(self, record: MatchRecord) -> None:
        super().played(record)
        now = time.monotonic()
        if now - self._printed >= LINES_EVERY_S:
            self._printed = now
            sys.stderr.write(f"{self._name}: {progress_line(self, self._total())}\n")


def progress_line(scores: Scores, total: int | None) -> str:
    """How far it is, in one line."""
    of = f" of {total:,}" if total else ""
    words = [f"{scores.games:,}{of} games", f"{scores.rate:.1f}/s"]
    if total and scores.now:
        words.append(f"{max(0, total - scores.games) / scores.rate:,.0f} s left")
    if forfeits := sum(scores.forfeits.values()):
        words.append(f"{forfeits:,} forfeits")
    if scores.void:
        words.append(f"{scores.void:,} void")
    if table := scores.table():
        words.append(f"{table[0][0]} leads with {table[0][1]:.2f}")
    return ", ".join(words)


@contextmanager
def _display(name: str, total: Callable[[], int | None]) -> Iterator[Scores]:
    from rich.console import Console
    from rich.live import Live

    scores = Scores()
    with Live(
        console=Console(stderr=True, markup=False, highlight=False),
        refresh_per_second=4,
        transient=True,
        get_renderable=lambda: _picture(name, scores, total()),
    ):
        yield scores


def _picture(name: str, scores: Scores, total: int | None) -> RenderableType:
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    from arena.cli.tables import plain_table

    table = plain_table("bot", right=("share", "forfeits"))
    for bot, share, forfeits in scores.table()[:SHOWN]:
        table.add_row(bot, f"{share:.3f}", str(forfeits) if forfeits else "")
    bar = ProgressBar(total=total, completed=scores.games, width=60, pulse=total is None)
    return Group(Text(f"{name}: {progress_line(scores, total)}", style="bold"), bar, table)
