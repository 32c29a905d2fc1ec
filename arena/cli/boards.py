"""Leaderboards as people and programs want them: a table that suits the terminal, plain values, rows of CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from arena.cli.screen import clean, day, plural
from arena.cli.tables import plain_table
from arena.rating import ENOUGH_BLOCKS
from arena.store import Pool
from arena.tournament.board import Board, Place
from arena_rules import games

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table

BARS: Final = "▁▂▃▄▅▆▇█"
BARS_AT_MOST: Final = 10
NOT_ENOUGH: Final = "not enough games"
UNKNOWN: Final = "-"
LEFT_OUT_FIRST: Final = ("history", "sigma", "mu", "above\nnext", "forfeits", "95% interval")
"""Columns that a narrow terminal can do without, the least important first."""


def print_board(out: Console, board: Board) -> None:
    """The table with its headline and notes."""
    for part in board_parts(board):
        out.print(part)


def board_parts(board: Board) -> Iterator[RenderableType]:
    """A headline, the table, and what has to be said about it."""
    from rich.text import Text

    yield Text(headline(board), style="bold")
    yield leaderboard_table(board)
    yield from (Text(note, style="dim") for note in notes(board))


def headline(board: Board) -> str:
    """What was played, and how much of it."""
    since = f", since {day(board.since_us)}" if board.since_us is not None else ""
    counted = f"{plural(board.games, 'game', 'games')}, {plural(len(board.places), 'bot', 'bots')}"
    return f"{pool_words(board.pool)}{since}: {counted}"


def pool_words(pool: Pool) -> str:
    """What is rated together."""
    words = [games()[pool.game].title if pool.game in games() else clean(pool.game)]
    words += [f"{pool.players} players"] if pool.players else []
    words += [f"tournament {clean(pool.tournament)}"] if pool.tournament else []
    return ", ".join(words)


def leaderboard_table(board: Board) -> FittingTable:
    """One row per bot, the best first."""
    return FittingTable(board)


def notes(board: Board) -> Iterator[str]:
    """What somebody who reads the table should know."""
    if few := sum(not place.enough for place in board.places):
        bots = plural(few, "bot has", "bots have")
        yield f"{bots} played fewer than {ENOUGH_BLOCKS} blocks: not enough games to rank."
    if len(board.players) > 1:
        sizes = f"{', '.join(map(str, board.players[:-1]))} and {board.players[-1]}"
        yield f"Tables of {sizes} are rated together; --players tells them apart."
    if not board.fitted and board.places:
        yield "So large a field has ranks and intervals only after 'arena rate'."
    elif board.fitted < board.games:
        yield f"Ranks and intervals are as of game {board.fitted:,}; 'arena rate' brings them up to date."


class FittingTable:
    """A leaderboard that leaves out columns where the terminal is too narrow for all, and says which."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        from rich.measure import Measurement

        at_ease = options.update_width(_ENDLESS)
        tables = (self.without(LEFT_OUT_FIRST[:count]) for count in range(len(LEFT_OUT_FIRST)))
        fitting = (table for table in tables if Measurement.get(console, at_ease, table).maximum <= options.max_width)
        yield next(fitting, self.without(LEFT_OUT_FIRST))

    def without(self, gone: Sequence[str]) -> Table:
        """The table without these columns."""
        columns = [column for column in _columns(self._board) if column.name not in gone]
        table = plain_table()
        for column in columns:
            table.add_column(
                column.name, justify="left" if column.name in {"bot", "history"} else "right", no_wrap=True
            )
        for place in self._board.places:
            style = "bold" if place.band and place.band[0] == 1 else None if place.enough else "dim"
            table.add_row(*(column.cell(place) for column in columns), style=style)
        if gone:
            table.caption = f"a wider terminal shows {', '.join(' '.join(name.split()) for name in gone)} too"
            table.caption_justify = "left"
        return table


_ENDLESS: Final = 10_000


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    cell: Callable[[Place], str]


def _columns(board: Board) -> list[_Column]:
    scores = [score for place in board.places if place.enough for score in place.history]
    return [
        _Column("rank", lambda place: band(place) or UNKNOWN),
        _Column("bot", lambda place: clean(place.bot)),
        _Column("score", lambda place: _decimal(place, place.score)),
        _Column("mu", lambda place: _decimal(place, place.skill.mu)),
        _Column("sigma", lambda place: _decimal(place, place.skill.sigma)),
        _Column("95% interval", _interval),
        _Column("above\nnext", lambda place: percent(place.above_next)),
        _Column("games", lambda place: f"{place.rating.games:,}"),
        _results_column(board),
        _Column("forfeits", lambda place: f"{place.rating.forfeits:,}"),
        _Column("history", lambda place: sparkline(place.history, scores) if place.enough else ""),
    ]


def _results_column(board: Board) -> _Column:
    if max(board.players, default=2) > 2:
        return _Column("mean\nrank", lambda place: f"{place.mean_rank:.2f}" if place.enough else UNKNOWN)
    return _Column("won/drawn/\nlost", lambda p: f"{p.rating.wins:,}/{p.rating.draws:,}/{p.rating.losses:,}")


def band(place: Place) -> str:
    """The rank, or the ranks that it may have; empty when that is not known."""
    if place.band is None:
        return ""
    low, high = place.band
    return str(low) if low == high else f"{low}-{high}"


def percent(share: float | None) -> str:
    """Never more certain than what was worked out."""
    if share is None:
        return UNKNOWN
    return ">99%" if share > 0.99 else "<1%" if share < 0.01 else f"{share:.0%}"


def sparkline(values: Sequence[float], scale: Sequence[float]) -> str:
    """The values as bars, of many some, the first and the last among them; the scale says what is low and what high."""
    if not values or not scale:
        return ""
    low, high, last = min(scale), max(scale), len(values) - 1
    count = min(len(values), BARS_AT_MOST)
    shown = [values[bar * last // max(1, count - 1)] for bar in range(count)]
    return "".join(BARS[_level(value, low, high)] for value in shown)


def _level(value: float, low: float, high: float) -> int:
    if high <= low:
        return len(BARS) // 2
    return min(len(BARS) - 1, max(0, int((value - low) / (high - low) * len(BARS))))


def _decimal(place: Place, number: float) -> str:
    return f"{number:.1f}" if place.enough else UNKNOWN


def _interval(place: Place) -> str:
    if not place.enough:
        return NOT_ENOUGH
    return UNKNOWN if place.interval is None else f"{place.interval[0]:.1f} to {place.interval[1]:.1f}"


# ── for programs ────────────────────────────────────────────────────────────────────────────────────────────────────


def board_json(board: Board) -> dict[str, Any]:
    """All of a board as plain values; what is not known is null."""
    return {
        "game": board.pool.game,
        "players": board.pool.players or None,
        "tournament": board.pool.tournament or None,
        "since_us": board.since_us,
        "games": board.games,
        "places": [
            {**place_json(place), "history": [round(score, 3) for score in place.history]} for place in board.places
        ],
        "notes": list(notes(board)),
    }


def place_json(place: Place) -> dict[str, Any]:
    """One bot on a board, without its history."""
    rank, interval, rating = place.band or (None, None), place.interval or (None, None), place.rating
    return {
        "rank_from": rank[0],
        "rank_to": rank[1],
        "bot": place.name,
        "version": place.version,
        "enough_games": place.enough,
        "score": place.score,
        "mu": place.skill.mu,
        "sigma": place.skill.sigma,
        "estimate": place.estimate,
        "interval_low": interval[0],
        "interval_high": interval[1],
        "above_next": place.above_next,
        "games": rating.games,
        "blocks": place.blocks,
        "wins": rating.wins,
        "draws": rating.draws,
        "losses": rating.losses,
        "mean_rank": round(place.mean_rank, 4),
        "mean_points": round(place.mean_points, 4),
        "forfeits": rating.forfeits,
    }
