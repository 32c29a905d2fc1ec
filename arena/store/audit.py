"""The log laid open for those who check it: every row as it lies there, nothing taken on trust."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, func, select, tuple_

from arena.errors import ArenaError
from arena.record import MatchRecord
from arena.store import log
from arena.store.database import Database
from arena.store.keys import Keys
from arena.store.tables import MATCHES, RECORDS, SEATS, TOURNAMENTS
from arena.store.tournaments import definition_digest
from arena.store.values import MatchKey

_PAGE: Final = 500
"""Matches that are read at once."""
_REFERENCES: Final = ("bot_id", "version_id")


@dataclass(frozen=True, slots=True)
class Filed:
    """One attempt at a match: its line in the list of matches, those of its seats, and what is there of its record."""

    key: MatchKey
    match: Mapping[str, Any]
    seats: tuple[Mapping[str, Any], ...]
    sha256: str
    """What was noted when the record was written; empty when there is no record."""
    content: bytes

    @property
    def name(self) -> str:
        """What people call it."""
        return str(self.key) if self.match["void"] else f"{self.key.tournament}/{self.key.index}"

    def message(self) -> bytes | None:
        """The serialised record; nothing when it cannot even be unpacked."""
        try:
            return zlib.decompress(self.content)
        except zlib.error:
            return None


class Audit:
    """Looks at the rows themselves."""

    def __init__(self, database: Database, keys: Keys) -> None:
        self._database = database
        self._keys = keys

    def matches(self, tournament: str | None = None) -> int:
        """How many there are, void attempts too."""
        query = select(func.count()).select_from(MATCHES)
        if tournament is not None:
            query = query.join(TOURNAMENTS).where(TOURNAMENTS.c.name == tournament)
        with self._database.reading() as connection:
            return connection.scalar(query) or 0

    def bots(self, tournament: str) -> list[str]:
        """The labels of those who are listed in its matches."""
        with self._database.reading() as connection:
            key = self._keys.tournament(connection, tournament)
            listed = select(SEATS.c.version_id).where(SEATS.c.tournament_id == key.id).distinct()
            return sorted(self._keys.label(connection, version_id) for (version_id,) in connection.execute(listed))

    def definition_changed(self, tournament: str) -> bool:
        """Whether a tournament is not defined any more as it was when it was opened."""
        with self._database.reading() as connection:
            row = connection.execute(select(TOURNAMENTS).where(TOURNAMENTS.c.name == tournament)).one()
        found = definition_digest(row.game, row.system, row.definition, rated=bool(row.rated))
        return found != str(row.definition_sha256)

    def filed(self, tournament: str) -> Iterator[Filed]:
        """Everything in the log of a tournament, by index and attempt."""
        last = (-1, -1)
        while True:
            with self._database.reading() as connection:
                key = self._keys.tournament(connection, tournament)
                page = list(_page(connection, tournament, key.id, last))
            yield from page
            if len(page) < _PAGE:
                return
            last = page[-1].key.index, page[-1].key.attempt

    def misfiled(self, filed: Filed, record: MatchRecord) -> Iterator[str]:
        """What the list of matches says otherwise than the record does, in words."""
        spec = record.spec
        if MatchKey(spec.tournament, spec.index, spec.attempt) != filed.key:
            yield f"the record is that of {spec.tournament}/{spec.index}~{spec.attempt}"
            return
        with self._database.reading() as connection:
            try:
                expected = log.match_row(self._keys.tournament(connection, filed.key.tournament), record)
                seats = list(log.seat_rows(connection, self._keys, expected, record))
            except ArenaError as error:
                yield f"the record does not belong here: {error}"
                return
            yield from _differing("", filed.match, expected)
            if len(seats) != len(filed.seats):
                yield f"{len(filed.seats)} seats are listed, and the record has {len(seats)}"
                return
            for number, (row, wanted) in enumerate(zip(filed.seats, seats, strict=True)):
                label = self._keys.label(connection, wanted["version_id"])
                yield from self._misnamed(connection, number, row, wanted)
                yield from _differing(f"seat {number}, {label}: ", row, wanted)
                if spec.lineup[number] != label:
                    yield f"seat {number}: the record calls {label} {spec.lineup[number]}"

    def _misnamed(
        self, connection: Connection, seat: int, row: Mapping[str, Any], wanted: Mapping[str, Any]
    ) -> Iterator[str]:
        if any(row[name] != wanted[name] for name in _REFERENCES):
            listed, played = (self._keys.label(connection, one["version_id"]) for one in (row, wanted))
            yield f"seat {seat}: {listed} is listed, and the record says that {played} played"


def changed(filed: Filed, message: bytes | None) -> str:
    """What has become of a record since it was written, in words; empty when nothing has."""
    if not filed.sha256:
        return "its record is missing"
    if message is None:
        return "its record was changed after it was written: it cannot be read any more"
    found, noted = hashlib.sha256(message).hexdigest(), filed.sha256
    if found != noted:
        return f"its record was changed after it was written: its hash is {found[:12]}, and {noted[:12]} was noted"
    return ""


def _page(connection: Connection, tournament: str, tournament_id: int, last: tuple[int, int]) -> Iterator[Filed]:
    place = tuple_(MATCHES.c.index, MATCHES.c.attempt)
    same = (RECORDS.c.tournament_id == MATCHES.c.tournament_id) & (RECORDS.c.index == MATCHES.c.index)
    query = (
        select(MATCHES, RECORDS.c.sha256, RECORDS.c.content)
        .outerjoin(RECORDS, same & (RECORDS.c.attempt == MATCHES.c.attempt))
        .where(MATCHES.c.tournament_id == tournament_id, place > last)
        .order_by(MATCHES.c.index, MATCHES.c.attempt)
        .limit(_PAGE)
    )
    rows = [dict(row) for row in connection.execute(query).mappings()]
    if not rows:
        return
    seats = _seats(connection, tournament_id, (rows[0], rows[-1]))
    for row in rows:
        key = row["index"], row["attempt"]
        sha256, content = row.pop("sha256") or "", row.pop("content") or b""
        yield Filed(MatchKey(tournament, *key), row, seats.get(key, ()), sha256, content)


def _seats(
    connection: Connection, tournament_id: int, ends: tuple[Mapping[str, Any], Mapping[str, Any]]
) -> dict[tuple[int, int], tuple[Mapping[str, Any], ...]]:
    query = (
        select(SEATS)
        .where(SEATS.c.tournament_id == tournament_id, SEATS.c.index.between(ends[0]["index"], ends[1]["index"]))
        .order_by(SEATS.c.index, SEATS.c.attempt, SEATS.c.seat)
    )
    rows = map(dict, connection.execute(query).mappings())
    return {key: tuple(group) for key, group in groupby(rows, key=lambda row: (row["index"], row["attempt"]))}


def _differing(who: str, row: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[str]:
    for column, value in wanted.items():
        if column not in _REFERENCES and row[column] != value:
            yield f"{who}{column} is {_shown(row[column])} in the list of matches, and {_shown(value)} in the record"


def _shown(value: object) -> str:
    return "nothing" if value is None else repr(value) if isinstance(value, str) else str(value)
