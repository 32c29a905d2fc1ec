"""Lists of matches, newest first, and single matches.

A list is made in two steps: the keys are found in one index that has all columns of the filter, and only the matches
that are shown are read. So a page is quick whatever the filter and however long the log.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, false, or_, select, tuple_

from arena.errors import Unknown
from arena.store.keys import Keys
from arena.store.reading import kept
from arena.store.tables import BOTS, MATCH_KEY, MATCHES, NEWEST, RECORDS, SEATS, TOURNAMENTS
from arena.store.values import Kept, Mark, MatchKey, MatchLine, SeatLine
from arena.store.versions import version_ids

_SEATS_AT_MOST: Final = 4

Key = tuple[int, int, int]
Conditions = Iterator[ColumnElement[bool]]


@dataclass(frozen=True, slots=True)
class Filter:
    """Which matches are wanted. What is None does not matter."""

    tournament: str | None = None
    bot: str | None = None
    """A name, or a label such as ``greedy@3``."""
    game: str | None = None
    players: int | None = None
    since_us: int | None = None
    forfeits: bool | None = None
    """Whether somebody forfeited; when a bot is named, whether it was that one."""
    void: bool | None = None
    after: Mark | None = None
    """Where the page before ended."""


NO_FILTER: Final = Filter()


def matches(connection: Connection, keys: Keys, wanted: Filter, limit: int) -> list[MatchLine]:
    """Newest first. Raises Unknown for a tournament or a bot that is not there."""
    if wanted.bot is None:
        query = _newest(MATCHES, limit).where(*_of_matches(connection, keys, wanted))
    else:
        # A bot may hold several seats of a match.
        query = _newest(SEATS, limit * _SEATS_AT_MOST).where(*_of_seats(connection, keys, wanted, wanted.bot))
    found = dict.fromkeys(
        (tournament_id, index, attempt) for tournament_id, index, attempt in connection.execute(query)
    )
    return _lines(connection, keys, list(found)[:limit])


def match(connection: Connection, keys: Keys, name: str) -> MatchLine:
    """The match of this name. Raises Unknown, UsageError."""
    (line,) = _lines(connection, keys, [_key_of(connection, keys, name)])
    return line


def record_of(connection: Connection, keys: Keys, name: str) -> Kept:
    """The record of the match of this name. Raises Unknown, UsageError."""
    key = _key_of(connection, keys, name)
    query = select(TOURNAMENTS.c.name, RECORDS.c.sha256, RECORDS.c.content).join(
        TOURNAMENTS, TOURNAMENTS.c.id == RECORDS.c.tournament_id
    )
    here = (RECORDS.c[name] == value for name, value in zip(MATCH_KEY, key, strict=True))
    tournament, sha256, content = connection.execute(query.where(*here)).one()
    return kept(MatchKey(tournament, *key[1:]), sha256, content)


def _newest(table: Table, limit: int) -> Select[Any]:
    return (
        select(*(table.c[name] for name in MATCH_KEY)).order_by(*(table.c[name].desc() for name in NEWEST)).limit(limit)
    )


def _of_matches(connection: Connection, keys: Keys, wanted: Filter) -> Conditions:
    yield from _of_both(connection, keys, MATCHES, wanted)
    if wanted.tournament is not None:
        tournament = keys.tournament(connection, wanted.tournament)
        yield MATCHES.c.tournament_id == tournament.id
        if wanted.game not in {None, tournament.game}:
            yield false()
    elif wanted.game is not None:
        yield MATCHES.c.game == wanted.game
    if wanted.forfeits is not None:
        yield MATCHES.c.forfeits > 0 if wanted.forfeits else MATCHES.c.forfeits == 0
    if wanted.void is not None:
        yield MATCHES.c.void if wanted.void else ~MATCHES.c.void


def _of_seats(connection: Connection, keys: Keys, wanted: Filter, bot: str) -> Conditions:
    yield from _of_both(connection, keys, SEATS, wanted)
    yield SEATS.c.bot_id == _bot_id(connection, bot)
    if "@" in bot:
        yield SEATS.c.version_id == version_ids(connection, [bot])[bot]
    # Adding nothing keeps the database from going through a whole tournament instead of the matches of the bot.
    tournament_id = SEATS.c.tournament_id + 0
    if wanted.tournament is not None:
        yield tournament_id == keys.tournament(connection, wanted.tournament).id
    if wanted.game is not None:
        yield tournament_id.in_(select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.game == wanted.game))
    if wanted.forfeits is not None:
        yield SEATS.c.forfeit.is_not(None) if wanted.forfeits else SEATS.c.forfeit.is_(None)
    if wanted.void is not None:
        yield SEATS.c.rank.is_(None) if wanted.void else SEATS.c.rank.is_not(None)


def _of_both(connection: Connection, keys: Keys, table: Table, wanted: Filter) -> Conditions:
    if wanted.players is not None:
        yield table.c.players == wanted.players
    if wanted.since_us is not None:
        yield table.c.started_us >= wanted.since_us
    if wanted.after is not None:
        key = wanted.after.key
        tournament_id = keys.tournament(connection, key.tournament).id
        mark = (wanted.after.started_us, tournament_id, key.index, key.attempt)
        yield table.c.started_us <= mark[0]  # implied, but with it both databases start there
        yield tuple_(*(table.c[name] for name in NEWEST)) < mark


def _bot_id(connection: Connection, bot: str) -> int:
    name = bot.partition("@")[0]
    found = connection.scalar(select(BOTS.c.id).where(BOTS.c.name == name))
    if found is None:
        raise Unknown(f"there is no bot named {name} in this arena")
    return int(found)


def _key_of(connection: Connection, keys: Keys, name: str) -> Key:
    tournament, index, attempt = MatchKey.parse(name)
    tournament_id = keys.tournament(connection, tournament).id
    query = select(MATCHES.c.attempt, MATCHES.c.void).where(
        MATCHES.c.tournament_id == tournament_id, MATCHES.c.index == index
    )
    attempts = {number: bool(void) for number, void in connection.execute(query.order_by(MATCHES.c.attempt))}
    chosen = [number for number, void in attempts.items() if (number == attempt or (attempt is None and not void))]
    if chosen:
        return tournament_id, index, chosen[0]
    if attempts:
        there = ", ".join(f"{tournament}/{index}~{number}" for number in attempts)
        raise Unknown(f"there is no match {name} that counts in this arena; there is {there}")
    raise Unknown(f"there is no match {name} in this arena")


def _lines(connection: Connection, keys: Keys, found: list[Key]) -> list[MatchLine]:
    """The matches with these keys, in this order."""
    if not found:
        return []
    seats = _seats(connection, keys, found)
    query = select(MATCHES, TOURNAMENTS.c.name.label("tournament")).join(TOURNAMENTS).where(_at(MATCHES, found))
    rows = {tuple(row[name] for name in MATCH_KEY): row for row in connection.execute(query).mappings()}
    return [_line(rows[key], seats[key]) for key in found]


def _seats(connection: Connection, keys: Keys, found: list[Key]) -> dict[Key, tuple[SeatLine, ...]]:
    key = [SEATS.c[name] for name in MATCH_KEY]
    details = (SEATS.c.rank, SEATS.c.score, SEATS.c.forfeit, SEATS.c.think_us, SEATS.c.cpu_us, SEATS.c.peak_kb)
    query = select(*key, SEATS.c.version_id, *details).where(_at(SEATS, found)).order_by(*key, SEATS.c.seat)
    seats: dict[Key, tuple[SeatLine, ...]] = defaultdict(tuple)
    for tournament_id, index, attempt, version_id, *rest in connection.execute(query):
        seats[tournament_id, index, attempt] += (SeatLine(keys.label(connection, version_id), *rest),)
    return seats


def _at(table: Table, found: list[Key]) -> ColumnElement[bool]:
    """All attempts at these matches. It is spelt out by tournament, because SQLite looks up no list of whole keys."""
    indices: dict[int, set[int]] = defaultdict(set)
    for tournament_id, index, _ in found:
        indices[tournament_id].add(index)
    return or_(
        *(
            and_(table.c.tournament_id == tournament_id, table.c.index.in_(sorted(places)))
            for tournament_id, places in sorted(indices.items())
        )
    )


def _line(row: Any, seats: tuple[SeatLine, ...]) -> MatchLine:
    return MatchLine(
        key=MatchKey(row["tournament"], row["index"], row["attempt"]),
        block=row["block"],
        game=row["game"],
        edition=row["edition"],
        seed=row["seed"],
        started_us=row["started_us"],
        elapsed_us=row["elapsed_us"],
        turns=row["turns"],
        termination=row["termination"],
        void_reason=row["void_reason"] if row["void"] else None,
        lenient=bool(row["lenient"]),
        seats=seats,
    )
