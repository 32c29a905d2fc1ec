"""The book of ratings: what was worked out from the log, and from how much of it.

A pool is a chain of tournaments in schedule order. The book has a page for each: the ratings of all its bots after it,
and what they did in it alone. So a tournament can go on while the pages before it stay, and when something is added to
an earlier one, the pages from there on are forgotten and worked out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, Table, delete, func, insert, select, tuple_

from arena.errors import Unknown
from arena.store.tables import BOTS, FITS, FOLDS, HISTORY, POOLS, RATINGS, TALLIES, TOURNAMENTS, VERSIONS
from arena.store.tournaments import SCHEDULE
from arena.store.values import Fit, Fold, Point, Pool, Rating
from arena.store.versions import version_ids

_PAGES: Final = (FOLDS, RATINGS, TALLIES, HISTORY)
_COUNTS: Final = ("games", "wins", "draws", "losses", "rank_sum", "points", "forfeits")


class Book:
    """The book, open for writing: nobody else writes in it until the transaction ends."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def folds(self, pool: Pool) -> list[Fold]:
        """The tournaments of a pool in schedule order, those too of which nothing is in the book yet."""
        return folds(self._connection, pool)

    def ratings(self, pool: Pool, tournament: str) -> list[Rating]:
        """The page of a tournament; empty when there is none."""
        return [rating for _, rating in ratings(self._connection, pool, tournament)]

    def tallies(self, pool: Pool, tournament: str) -> dict[str, str]:
        """What was counted in a tournament."""
        return dict(tallies(self._connection, pool, tournament))

    def ratings_before(self, pool: Pool, tournament: str) -> dict[str, tuple[float, float]]:
        """By label: the last mu and sigma of everybody who played in tournaments before this one. Raises Unknown."""
        query = _latest(pool, _place(self._connection, tournament))
        return {rating.bot: (rating.mu, rating.sigma) for rating in map(_rating, self._connection.execute(query))}

    def save(
        self,
        pool: Pool,
        tournament: str,
        through: int,
        rows: Iterable[Rating],
        tallies: Mapping[str, str],
        history: Iterable[Point] = (),
        details: Mapping[str, Any] | None = None,
    ) -> None:
        """Write the page of a tournament anew, but add to its history. Raises Unknown."""
        page = {"pool_id": self._pool_id(pool), "tournament_id": _tournament_id(self._connection, tournament)}
        rated, past = list(rows), list(history)
        ids = version_ids(self._connection, [*(rating.bot for rating in rated), *(point.bot for point in past)])
        self._replace(FOLDS, page, [{"through": through, "details": dict(details or {})}])
        self._replace(RATINGS, page, [_columns(rating, ids[rating.bot]) for rating in rated])
        self._replace(TALLIES, page, [{"key": key, "numbers": numbers} for key, numbers in sorted(tallies.items())])
        self._add(
            HISTORY,
            page,
            [{"version_id": ids[p.bot], "index": p.index, "mu": p.mu, "sigma": p.sigma} for p in past],
        )

    def forget(self, pool: Pool, from_tournament: str | None = None) -> None:
        """Tear out the pages of a pool from a tournament on, in schedule order, or all of them; and its fit."""
        for table in _PAGES:
            torn = delete(table).where(table.c.pool_id.in_(_pool_query(pool)))
            if from_tournament is not None:
                place = tuple_(*SCHEDULE) >= tuple_(*_place(self._connection, from_tournament))
                torn = torn.where(table.c.tournament_id.in_(select(TOURNAMENTS.c.id).where(place)))
            self._connection.execute(torn)
        self._connection.execute(delete(FITS).where(FITS.c.pool_id.in_(_pool_query(pool))))

    def save_fit(self, pool: Pool, fit: Fit) -> None:
        """Keep a fit instead of the one before."""
        pool_id = self._pool_id(pool)
        self._replace(FITS, {"pool_id": pool_id}, [{"matches": fit.matches, "document": dict(fit.document)}])

    def _pool_id(self, pool: Pool) -> int:
        found = self._connection.scalar(_pool_query(pool))
        if found is None:
            row = {"game": pool.game, "players": pool.players, "tournament": pool.tournament}
            found = self._connection.scalar(insert(POOLS).values(row).returning(POOLS.c.id))
        assert found is not None
        return int(found)

    def _replace(self, table: Table, page: Mapping[str, int], rows: list[dict[str, Any]]) -> None:
        self._connection.execute(delete(table).where(*(table.c[name] == value for name, value in page.items())))
        self._add(table, page, rows)

    def _add(self, table: Table, page: Mapping[str, int], rows: list[dict[str, Any]]) -> None:
        if rows:
            self._connection.execute(insert(table), [{**page, **row} for row in rows])


# ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def pools(connection: Connection) -> list[Pool]:
    query = select(POOLS.c.game, POOLS.c.players, POOLS.c.tournament)
    return [Pool(*row) for row in connection.execute(query.order_by(POOLS.c.game, POOLS.c.players, POOLS.c.tournament))]


def folds(connection: Connection, pool: Pool) -> list[Fold]:
    mine = (FOLDS.c.tournament_id == TOURNAMENTS.c.id) & FOLDS.c.pool_id.in_(_pool_query(pool))
    query = (
        select(TOURNAMENTS.c.name, TOURNAMENTS.c.opened_us, FOLDS.c.through, TOURNAMENTS.c.through, FOLDS.c.details)
        .select_from(TOURNAMENTS)
        .outerjoin(FOLDS, mine)
        .where(TOURNAMENTS.c.game == pool.game)
        .where(TOURNAMENTS.c.name == pool.tournament if pool.tournament else TOURNAMENTS.c.rated)
        .order_by(*SCHEDULE)
    )
    return [
        Fold(name, opened_us, folded or 0, through, details or {})
        for name, opened_us, folded, through, details in connection.execute(query)
    ]


def leaderboard(connection: Connection, pool: Pool) -> list[Rating]:
    """Everybody's last rating, with the counts of all tournaments; the best first."""
    rows = map(_rating, connection.execute(_latest(pool)))
    return sorted(rows, key=lambda rating: (3 * rating.sigma - rating.mu, rating.bot))


def ratings(connection: Connection, pool: Pool, tournament: str | None) -> list[tuple[str, Rating]]:
    """All pages of a pool, or that of one tournament: its name and the ratings after it, by label."""
    query = (
        select(*_OF_A_BOT, *(RATINGS.c[name] for name in _COUNTS), RATINGS.c.details, TOURNAMENTS.c.name)
        .join(VERSIONS, VERSIONS.c.id == RATINGS.c.version_id)
        .join(BOTS, BOTS.c.id == VERSIONS.c.bot_id)
        .join(TOURNAMENTS, TOURNAMENTS.c.id == RATINGS.c.tournament_id)
        .where(RATINGS.c.pool_id.in_(_pool_query(pool)))
        .order_by(*SCHEDULE, BOTS.c.name, VERSIONS.c.number)
    )
    if tournament is not None:
        query = query.where(TOURNAMENTS.c.name == tournament)
    return [(name, _rating(row)) for *row, name in connection.execute(query)]


def tallies(connection: Connection, pool: Pool, tournament: str | None) -> list[tuple[str, str]]:
    """What was counted: keys and numbers, a key once for every tournament."""
    query = select(TALLIES.c.key, TALLIES.c.numbers).where(TALLIES.c.pool_id.in_(_pool_query(pool)))
    if tournament is not None:
        mine = select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.name == tournament)
        query = query.where(TALLIES.c.tournament_id.in_(mine))
    return [(key, numbers) for key, numbers in connection.execute(query.order_by(TALLIES.c.key))]


def history(connection: Connection, pool: Pool) -> list[Point]:
    """The points of all bots of a pool in schedule order."""
    query = (
        select(BOTS.c.name, VERSIONS.c.number, TOURNAMENTS.c.name, HISTORY.c.index, HISTORY.c.mu, HISTORY.c.sigma)
        .select_from(HISTORY)
        .join(VERSIONS, VERSIONS.c.id == HISTORY.c.version_id)
        .join(BOTS, BOTS.c.id == VERSIONS.c.bot_id)
        .join(TOURNAMENTS, TOURNAMENTS.c.id == HISTORY.c.tournament_id)
        .where(HISTORY.c.pool_id.in_(_pool_query(pool)))
        .order_by(*SCHEDULE, HISTORY.c.index, BOTS.c.name, VERSIONS.c.number)
    )
    return [Point(f"{name}@{number}", *rest) for name, number, *rest in connection.execute(query)]


def fit(connection: Connection, pool: Pool) -> Fit | None:
    row = connection.execute(
        select(FITS.c.matches, FITS.c.document).where(FITS.c.pool_id.in_(_pool_query(pool)))
    ).one_or_none()
    return None if row is None else Fit(*row)


def bot_ratings(connection: Connection, name: str) -> list[tuple[Pool, Rating]]:
    """Where the versions of a bot stand in every pool in which they were rated."""
    mine = select(RATINGS.c.pool_id).join(VERSIONS, VERSIONS.c.id == RATINGS.c.version_id)
    mine = mine.join(BOTS, BOTS.c.id == VERSIONS.c.bot_id).where(BOTS.c.name == name)
    query = select(POOLS.c.game, POOLS.c.players, POOLS.c.tournament).where(POOLS.c.id.in_(mine))
    found = [
        Pool(*row) for row in connection.execute(query.order_by(POOLS.c.game, POOLS.c.players, POOLS.c.tournament))
    ]
    return [(pool, _rating(row)) for pool in found for row in connection.execute(_latest(pool, bot=name))]


_OF_A_BOT: Final = (BOTS.c.name, VERSIONS.c.number, RATINGS.c.mu, RATINGS.c.sigma)
"""Followed by the counts and the details, this is what a `Rating` is made of."""


def _latest(pool: Pool, before: tuple[int, str] | None = None, bot: str | None = None) -> Select[Any]:
    """For every version its last page, with the counts of all of them."""
    rows = (
        select(
            *_OF_A_BOT,
            *(func.sum(RATINGS.c[name]).over(partition_by=RATINGS.c.version_id).label(name) for name in _COUNTS),
            RATINGS.c.details,
            func.row_number()
            .over(partition_by=RATINGS.c.version_id, order_by=[column.desc() for column in SCHEDULE])
            .label("age"),
        )
        .join(VERSIONS, VERSIONS.c.id == RATINGS.c.version_id)
        .join(BOTS, BOTS.c.id == VERSIONS.c.bot_id)
        .join(TOURNAMENTS, TOURNAMENTS.c.id == RATINGS.c.tournament_id)
        .where(RATINGS.c.pool_id.in_(_pool_query(pool)))
    )
    if before is not None:
        rows = rows.where(tuple_(*SCHEDULE) < tuple_(*before))
    if bot is not None:
        rows = rows.where(BOTS.c.name == bot)
    pages = rows.subquery()
    shown = (column for column in pages.c if column.name != "age")
    return select(*shown).where(pages.c.age == 1).order_by(pages.c.name, pages.c.number)


def _pool_query(pool: Pool) -> Select[Any]:
    same: list[ColumnElement[bool]] = [
        POOLS.c.game == pool.game,
        POOLS.c.players == pool.players,
        POOLS.c.tournament == pool.tournament,
    ]
    return select(POOLS.c.id).where(*same)


def _place(connection: Connection, tournament: str) -> tuple[int, str]:
    """Where a tournament stands in the schedule. Raises Unknown."""
    row = connection.execute(select(*SCHEDULE).where(TOURNAMENTS.c.name == tournament)).one_or_none()
    if row is None:
        raise Unknown(f"there is no tournament named {tournament} in this arena")
    return row.opened_us, row.name


def _tournament_id(connection: Connection, name: str) -> int:
    found = connection.scalar(select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.name == name))
    if found is None:
        raise Unknown(f"there is no tournament named {name} in this arena")
    return int(found)


def _rating(row: Iterable[Any]) -> Rating:
    name, number, *rest = row
    return Rating(f"{name}@{number}", *rest)


def _columns(rating: Rating, version_id: int) -> dict[str, Any]:
    return {
        "version_id": version_id,
        "mu": rating.mu,
        "sigma": rating.sigma,
        **{name: getattr(rating, name) for name in _COUNTS},
        "details": dict(rating.details),
    }
