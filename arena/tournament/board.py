"""The leaderboard of a pool: what the book of ratings says, put together for whoever shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from arena.rating import ENOUGH_BLOCKS, HeadToHead, Parameters, Skill, Standing, Tally
from arena.store import Fit, Point, Pool, Rating, Store
from arena.tournament.ledger import Page, fit_document, games_rated, settle
from arena.tournament.recent import recent_pages


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
    """The best and the worst rank that it may have; None when that is not known."""
    estimate: float | None
    """The order-free skill; None when it has not been worked out."""
    interval: tuple[float, float] | None
    """In which that lies in 95 of 100 cases; None when that is not known."""
    above_next: float | None
    """How likely it is better than the one after it on the leaderboard; None when nothing can be said."""
    history: tuple[float, ...]
    """Its conservative score in the past and now."""

    @property
    def name(self) -> str:
        return self.bot.rpartition("@")[0]

    @property
    def version(self) -> int:
        return int(self.bot.rpartition("@")[2])

    @property
    def score(self) -> float:
        return self.skill.score

    @property
    def enough(self) -> bool:
        """Whether it has played enough for numbers to mean something."""
        return self.blocks >= ENOUGH_BLOCKS

    @property
    def mean_rank(self) -> float:
        return self.rating.rank_sum / self.rating.games if self.rating.games else 0.0

    @property
    def mean_points(self) -> float:
        return self.rating.points / self.rating.games if self.rating.games else 0.0


@dataclass(frozen=True)
class Board:
    """A leaderboard: the best first, those without enough games last."""

    pool: Pool
    places: tuple[Place, ...]
    games: int
    """How many matches it is made of."""
    fitted: int
    """How many of them the order-free view knows; 0 when it has not been worked out."""
    counted: Callable[[], Tally]
    """Gets the tally, which takes its time for a large field and is seldom wanted."""
    since_us: int | None = None
    """From when on matches were counted; None for all of them."""

    @cached_property
    def tally(self) -> Tally:
        return self.counted()

    @cached_property
    def players(self) -> tuple[int, ...]:
        """The sizes of the tables at which it was played."""
        return tuple(sorted({cell[0] for place in self.places for cell in place.rating.details["cells"]}))

    @property
    def head_to_head(self) -> HeadToHead:
        return HeadToHead(self.tally)

    @property
    def standing(self) -> Standing:
        """The counts of all bots by seat and number of players."""
        cells = ((place.bot, *cell) for place in self.places for cell in place.rating.details["cells"])
        return Standing.from_rows(cells)


def board(store: Store, pool: Pool, *, since_us: int | None = None) -> Board:
    """The leaderboard of a pool as of now; of what was played since then, as if there had been nothing before."""
    return _kept_board(store, pool) if since_us is None else _recent_board(store, pool, since_us)


def rated_games(store: Store) -> list[str]:
    """The games of which there are rated tournaments."""
    return sorted({tournament.game for tournament in store.tournaments() if tournament.rated})


def places_of(store: Store, bot: str) -> list[tuple[Pool, Place]]:
    """Where the versions of a bot stand in all pools in which they were rated; of their history only the end."""
    for game in rated_games(store):
        settle(store, Pool(game))
    fits: dict[Pool, Mapping[str, Any]] = {}
    places = []
    for pool, rating in store.bot_ratings(bot):
        if pool not in fits:
            fits[pool] = _by_bot(store.fit(pool))
        fitted = fits[pool].get(rating.bot, {})
        places.append((pool, _place(rating, fitted.get("blocks", 0), fitted, [])))
    return places


def _kept_board(store: Store, pool: Pool) -> Board:
    settle(store, pool)
    games, fit = games_rated(store, pool), store.fit(pool)

    def tally() -> Tally:
        return Tally.from_rows(store.tallies(pool))

    blocks = _blocks(tally()) if fit is None or fit.matches != games else {}
    places = _places([rating for _, rating in store.ratings(pool)], blocks, fit, store.history(pool))
    return Board(pool, places, games, fit.matches if fit else 0, tally)


def _recent_board(store: Store, pool: Pool, since_us: int) -> Board:
    pages: list[Page] = recent_pages(store, pool, since_us)
    ratings = [rating for page in pages for rating in page.ratings]
    tally = Tally.from_rows(row for page in pages for row in page.tallies.items())
    order = [rating.bot for rating in _by_score(_summed(ratings))]
    fit = Fit(tally.games, fit_document(tally, Parameters.of(pool.game), order)) if tally.games else None
    places = _places(ratings, {}, fit, [point for page in pages for point in page.history])
    return Board(pool, places, tally.games, tally.games, lambda: tally, since_us)


def _places(
    ratings: Iterable[Rating], blocks: Mapping[str, int], fit: Fit | None, history: Iterable[Point]
) -> tuple[Place, ...]:
    """The places from the pages of all tournaments in schedule order; ``blocks`` where the fit does not know them."""
    fitted = _by_bot(fit)
    past: dict[str, list[float]] = {}
    for point in history:
        past.setdefault(point.bot, []).append(Skill(point.mu, point.sigma).score)
    places = []
    for rating in _by_score(_summed(ratings)):
        row = fitted.get(rating.bot, {})
        count = blocks[rating.bot] if blocks else row["blocks"]
        places.append(_place(rating, count, row, past.get(rating.bot, [])))
    return tuple(sorted(places, key=lambda place: not place.enough))


def _by_bot(fit: Fit | None) -> Mapping[str, Any]:
    return {row["bot"]: row for row in fit.document["bots"]} if fit else {}


def _blocks(tally: Tally) -> Mapping[str, int]:
    """By bot: in how many blocks it took part."""
    count: Counter[str] = Counter()
    for lineup, moments in tally.lineups.items():
        count.update(dict.fromkeys(lineup.distinct, moments.blocks))
    return count


def _summed(ratings: Iterable[Rating]) -> Iterable[Rating]:
    """Everybody's last rating, with the counts of all pages."""
    total: dict[str, Rating] = {}
    for rating in ratings:
        known = total.get(rating.bot)
        total[rating.bot] = _sum(known, rating) if known else rating
    return total.values()


_COUNTS: Final = ("games", "wins", "draws", "losses", "rank_sum", "points", "forfeits")


def _sum(earlier: Rating, later: Rating) -> Rating:
    counts = {name: getattr(earlier, name) + getattr(later, name) for name in _COUNTS}
    return replace(later, **counts, details={"cells": [*earlier.details["cells"], *later.details["cells"]]})


def _by_score(ratings: Iterable[Rating]) -> list[Rating]:
    return sorted(ratings, key=lambda rating: (3 * rating.sigma - rating.mu, rating.bot))


def _place(rating: Rating, blocks: int, fitted: Mapping[str, Any], past: list[float]) -> Place:
    band, interval = fitted.get("band"), fitted.get("interval")
    skill = Skill(rating.mu, rating.sigma)
    return Place(
        bot=rating.bot,
        skill=skill,
        rating=rating,
        blocks=blocks,
        band=(band[0], band[1]) if band else None,
        estimate=fitted.get("skill"),
        interval=(interval[0], interval[1]) if interval else None,
        above_next=fitted.get("above_next"),
        history=(*past, skill.score),
    )
