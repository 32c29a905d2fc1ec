"""Standings: what can be counted without any model, per bot, per seat and per number of players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from arena.rating.blocks import counts
from arena.record import Result


@dataclass(frozen=True, slots=True)
class Count:
    """What one bot has reached."""

    games: int = 0
    wins: int = 0
    """First place, alone."""
    draws: int = 0
    """First place, shared."""
    losses: int = 0
    """Any other place."""
    rank_sum: int = 0
    points: int = 0
    """On the score sheets."""
    forfeits: int = 0

    @property
    def mean_rank(self) -> float:
        """Between 1 and the number of players; 0 without games."""
        return self.rank_sum / self.games if self.games else 0.0

    @property
    def mean_points(self) -> float:
        return self.points / self.games if self.games else 0.0

    @property
    def win_rate(self) -> float:
        """A shared first place is half a win."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0


Cell = tuple[int, int]
"""Number of players and seat."""

Row = tuple[str, int, int, int, int, int, int, int, int, int]
"""Bot, players, seat, and the numbers of a `Count`: what a table can hold, and what adds up row by row."""


class Standing:
    """A fold over results in any order. Games in which one version holds all seats are left out."""

    def __init__(self) -> None:
        self._cells: dict[str, dict[Cell, list[int]]] = {}

    def add(self, result: Result) -> None:
        if not counts(result):
            return
        players, shared = len(result.bots), result.ranks.count(1) > 1
        for seat, bot in enumerate(result.bots):
            self._put(bot, (players, seat), _numbers(result, seat, shared=shared))

    def extend(self, results: Iterable[Result]) -> None:
        for result in results:
            self.add(result)

    def merge(self, other: Standing) -> None:
        """Add all that another standing has counted."""
        for bot, cells in other._cells.items():
            for cell, numbers in cells.items():
                self._put(bot, cell, numbers)

    def _put(self, bot: str, cell: Cell, numbers: Sequence[int]) -> None:
        cells = self._cells.setdefault(bot, {})
        cells[cell] = _sum(cells.get(cell, NOTHING), numbers)

    @property
    def bots(self) -> list[str]:
        return sorted(self._cells)

    def count(self, bot: str, *, players: int | None = None, seat: int | None = None) -> Count:
        """What a bot has reached, in all or with so many players or from one seat."""
        total: Sequence[int] = NOTHING
        for (at_table, place), numbers in self._cells.get(bot, {}).items():
            if players in {None, at_table} and seat in {None, place}:
                total = _sum(total, numbers)
        return Count(*total)

    def rows(self) -> Iterator[Row]:
        """All that was counted, sorted."""
        for bot, cells in sorted(self._cells.items()):
            for (players, seat), (games, wins, draws, losses, rank_sum, points, forfeits) in sorted(cells.items()):
                yield bot, players, seat, games, wins, draws, losses, rank_sum, points, forfeits

    @classmethod
    def from_rows(cls, rows: Iterable[Row]) -> Self:
        """A standing from its rows; several rows of one cell add up."""
        standing = cls()
        for bot, players, seat, *numbers in rows:
            standing._put(bot, (players, seat), numbers)
        return standing


NOTHING = (0,) * 7


def _sum(mine: Sequence[int], theirs: Sequence[int]) -> list[int]:
    return [left + right for left, right in zip(mine, theirs, strict=True)]


def _numbers(result: Result, seat: int, *, shared: bool) -> tuple[int, ...]:
    """What one seat of one game adds, in the order of `Count`."""
    rank = result.ranks[seat]
    first = rank == 1
    places = (int(first and not shared), int(first and shared), int(not first))
    return (1, *places, rank, result.scores[seat], int(result.forfeits[seat]))
