"""Reading the log in the order of the schedule: results for those who rate, records for those who look at games.

All of it is read page by page, each page in a transaction of its own. The log only grows, so pages fit together, and a
slow reader keeps nobody waiting.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, func, select

from arena.errors import StoreError
from arena.record import Result
from arena.store.database import Database
from arena.store.keys import Keys
from arena.store.tables import MATCHES, RECORDS, SEATS, TOURNAMENTS
from arena.store.tournaments import SCHEDULE
from arena.store.values import Kept, MatchKey

_PAGE: Final = 2_000
"""Matches of a page."""
_ENDLESS: Final = 1 << 62


Content = tuple[MatchKey, str, bytes]
"""A match, the hash of its record, and the record as it is stored."""


class _Stretch(NamedTuple):
    """A part of a schedule."""

    tournament_id: int
    tournament: str
    start: int
    stop: int


def results(
    database: Database,
    keys: Keys,
    game: str,
    *,
    tournament: str | None,
    players: int | None,
    since_us: int | None,
    start: int,
    stop: int | None,
    unsettled: bool,
) -> Iterator[Result]:
    query = select(TOURNAMENTS.c.id, TOURNAMENTS.c.name, TOURNAMENTS.c.through).where(TOURNAMENTS.c.game == game)
    query = query.where(TOURNAMENTS.c.rated if tournament is None else TOURNAMENTS.c.name == tournament)
    with database.reading() as connection:
        found = connection.execute(query.order_by(*SCHEDULE)).all()
    for row in found:
        end = min(_ENDLESS if stop is None else stop, _ENDLESS if unsettled else row.through)
        yield from _results(database, keys, game, _Stretch(row.id, row.name, start, end), players, since_us)


def _results(
    database: Database, keys: Keys, game: str, stretch: _Stretch, players: int | None, since_us: int | None
) -> Iterator[Result]:
    start = stretch.start
    while start < stretch.stop:
        with database.reading() as connection:
            rows = connection.execute(_page(stretch._replace(start=start), players, since_us)).all()
            bots = {version_id: keys.label(connection, version_id) for _, _, version_id, *_ in rows}
        page = 0
        for (index, block), seats in groupby(rows, key=itemgetter(0, 1)):
            yield _result(stretch.tournament, index, block, game, seats, bots)
            page, start = page + 1, index + 1
        if page < _PAGE:
            return


def _page(stretch: _Stretch, players: int | None, since_us: int | None) -> Select[Any]:
    """The seats of the next matches that count, in order."""
    matches = select(MATCHES.c.tournament_id, MATCHES.c.index, MATCHES.c.attempt, MATCHES.c.block).where(
        MATCHES.c.tournament_id == stretch.tournament_id,
        MATCHES.c.index >= stretch.start,
        MATCHES.c.index < stretch.stop,
        ~MATCHES.c.void,
    )
    if players is not None:
        matches = matches.where(MATCHES.c.players == players)
    if since_us is not None:
        matches = matches.where(MATCHES.c.started_us >= since_us)
    page = matches.order_by(MATCHES.c.index).limit(_PAGE).subquery()
    columns = (page.c.index, page.c.block, SEATS.c.version_id, SEATS.c.rank, SEATS.c.score, SEATS.c.forfeit)
    same = (SEATS.c.tournament_id == page.c.tournament_id) & (SEATS.c.index == page.c.index)
    joined = page.join(SEATS, same & (SEATS.c.attempt == page.c.attempt))
    return select(*columns).select_from(joined).order_by(page.c.index, SEATS.c.seat)


def voids(connection: Connection, tournament: str) -> dict[int, int]:
    query = (
        select(MATCHES.c.index, func.count())
        .join(TOURNAMENTS, TOURNAMENTS.c.id == MATCHES.c.tournament_id)
        .where(TOURNAMENTS.c.name == tournament, MATCHES.c.void)
        .group_by(MATCHES.c.index)
    )
    return {int(index): int(count) for index, count in connection.execute(query)}


def _result(tournament: str, index: int, block: int, game: str, seats: Iterable[Any], bots: dict[int, str]) -> Result:
    _, _, versions, ranks, scores, forfeits = zip(*seats, strict=True)
    return Result(
        tournament=tournament,
        index=index,
        block=block,
        game=game,
        bots=tuple([bots[version_id] for version_id in versions]),
        ranks=ranks,
        scores=scores,
        forfeits=tuple([forfeit is not None for forfeit in forfeits]),
    )


def contents(database: Database, *, tournament: str | None, start: int, stop: int | None) -> Iterator[Content]:
    """Every attempt, void ones too, as it lies in the store."""
    query = select(TOURNAMENTS.c.id, TOURNAMENTS.c.name)
    if tournament is not None:
        query = query.where(TOURNAMENTS.c.name == tournament)
    with database.reading() as connection:
        found = connection.execute(query.order_by(*SCHEDULE)).all()
    for row in found:
        yield from _contents(database, _Stretch(row.id, row.name, start, _ENDLESS if stop is None else stop))


def _contents(database: Database, stretch: _Stretch) -> Iterator[Content]:
    columns = (RECORDS.c.index, RECORDS.c.attempt, RECORDS.c.sha256, RECORDS.c.content)
    last = (stretch.start, -1)
    while True:
        page = (
            select(*columns)
            .where(RECORDS.c.tournament_id == stretch.tournament_id, RECORDS.c.index >= last[0])
            .where(RECORDS.c.index < stretch.stop, (RECORDS.c.index > last[0]) | (RECORDS.c.attempt > last[1]))
            .order_by(RECORDS.c.index, RECORDS.c.attempt)
            .limit(_PAGE)
        )
        with database.reading() as connection:
            rows = connection.execute(page).all()
        for index, attempt, sha256, content in rows:
            last = (index, attempt)
            yield MatchKey(stretch.tournament, index, attempt), sha256, content
        if len(rows) < _PAGE:
            return


def kept(key: MatchKey, sha256: str, content: bytes) -> Kept:
    """A record as it was written. Raises StoreError when it is not that any more."""
    try:
        message = zlib.decompress(content)
    except zlib.error:
        message = None
    if message is None or hashlib.sha256(message).hexdigest() != sha256:
        raise StoreError(f"the record of {key} was changed after it was written: its hash is not {sha256[:12]}")
    return Kept(key, sha256, message)
