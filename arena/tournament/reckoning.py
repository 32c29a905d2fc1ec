"""The ratings of a pool worked out from the log once more, and compared with what the book said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arena.store import Pool, Store
from arena.tournament.board import rated_games
from arena.tournament.ledger import rebuild, settle


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What came of it."""

    pool: Pool
    games: int
    bots: int
    changes: tuple[str, ...]
    """What was not as the log says, in words; nothing when the book was right to the last bit."""


def pools_to_rate(store: Store, game: str | None = None) -> list[Pool]:
    """All pools that have ratings, and one for every game that was played in a rated tournament."""
    pools = {*store.pools(), *map(Pool, rated_games(store))}
    chosen = [pool for pool in pools if game in {None, pool.game}]
    return sorted(chosen, key=lambda pool: (pool.game, pool.players, pool.tournament))


def reckon(store: Store, pool: Pool) -> Reckoning:
    """Bring a pool up to the log, then work it out from nothing and compare. The book holds the new ratings after."""
    settle(store, pool)
    before = _contents(store, pool)
    rebuild(store, pool)
    after = _contents(store, pool)
    bots = {rating.bot for _, rating in store.ratings(pool)}
    return Reckoning(pool, _games(store, pool), len(bots), tuple(_changes(before, after)))


def _contents(store: Store, pool: Pool) -> dict[str, Any]:
    """All that the book says of a pool, by what it is called in a sentence."""
    said: dict[str, Any] = {}
    for tournament, rating in store.ratings(pool):
        said[f"the rating of {rating.bot} after {tournament}"] = rating
    for point in store.history(pool):
        said[f"the rating of {point.bot} after {point.tournament}/{point.index}"] = point
    for progress in store.folds(pool):
        for key, numbers in store.tallies(pool, progress.tournament):
            said[f"the count of '{key}' in {progress.tournament}"] = numbers
    if (fit := store.fit(pool)) is not None:
        said["the order-free fit"] = fit
    return said


def _changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    for what in sorted(before.keys() | after.keys()):
        if what not in before:
            if what != "the order-free fit":  # which is not made of itself for a large field
                yield f"{what} was missing"
        elif what not in after:
            yield f"{what} should not have been there"
        elif before[what] != after[what]:
            yield f"{what} was wrong"


def _games(store: Store, pool: Pool) -> int:
    fit = store.fit(pool)
    return fit.matches if fit else 0
