"""The leaderboard of a pool: what the book of ratings says, put together for whoever shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from arena.rating import HeadToHead, Skill, Standing, Tally
from arena.store import Pool, Rating, Store
from arena.tournament.ledger import settle


@dataclass(frozen=True, slots=True)
class Place:
    """One bot on a leaderboard."""

    bot: str
    """A label such as ``greedy@3``."""
    skill: Skill
    """TrueSkill, folded in schedule order."""
    rating: Rating
    """Its counts: games, wins, draws, losses, ranks, points, forfeits."""
    blocks: int
    band: tuple[int, int] | None
    """The best and the worst rank that it may have; None when there are not enough games to tell."""
    estimate: float | None
    """The order-free skill; None when it has not been worked out."""
    interval: tuple[float, float] | None
    """In which that lies in 95 of 100 cases; None when there are not enough games to tell."""
    above_next: float | None
    """How likely it is better than the one after it in the order-free table."""
    history: tuple[float, ...]
    """The past of its conservative score."""

    @property
    def score(self) -> float:
        return self.skill.score

    @property
    def mean_rank(self) -> float:
        return self.rating.rank_sum / self.rating.games if self.rating.games else 0.0


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard, the best first."""

    pool: Pool
    places: tuple[Place, ...]
    games: int
    """How many matches it is made of."""
    tally: Tally

    @property
    def head_to_head(self) -> HeadToHead:
        return HeadToHead(self.tally)

    @property
    def standing(self) -> Standing:
        """The counts of all bots by seat and number of players."""
        cells = ((place.bot, *cell) for place in self.places for cell in place.rating.details["cells"])
        return Standing.from_rows(cells)


def board(store: Store, pool: Pool) -> Board:
    """The leaderboard of a pool as of now."""
    settle(store, pool)
    tally = Tally.from_rows(store.tallies(pool))
    kept = store.fit(pool)
    fitted = {row["bot"]: row for row in kept.document["bots"]} if kept else {}
    past: dict[str, list[float]] = {}
    for point in store.history(pool):
        past.setdefault(point.bot, []).append(point.mu - 3 * point.sigma)
    places = [_place(rating, fitted.get(rating.bot, {}), past.get(rating.bot, [])) for rating in _rows(store, pool)]
    return Board(pool, tuple(places), tally.games, tally)


def _rows(store: Store, pool: Pool) -> list[Rating]:
    """Everybody's last rating; the counts by seat are added up over the tournaments as the others are."""
    cells: dict[str, list[Any]] = {}
    for _, rating in store.ratings(pool):
        cells.setdefault(rating.bot, []).extend(rating.details["cells"])
    return [_with_cells(rating, cells[rating.bot]) for rating in store.leaderboard_rows(pool)]


def _with_cells(rating: Rating, cells: list[Any]) -> Rating:
    return replace(rating, details={"cells": cells})


def _place(rating: Rating, fitted: Mapping[str, Any], history: list[float]) -> Place:
    band, interval = fitted.get("band"), fitted.get("interval")
    return Place(
        bot=rating.bot,
        skill=Skill(rating.mu, rating.sigma),
        rating=rating,
        blocks=fitted.get("blocks", 0),
        band=(band[0], band[1]) if band else None,
        estimate=fitted.get("skill"),
        interval=(interval[0], interval[1]) if interval else None,
        above_next=fitted.get("above_next"),
        history=tuple(history),
    )
