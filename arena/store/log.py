"""Writing the log: each match once, never to be changed."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update

from arena.archive import Sealed, seal
from arena.errors import Conflict, UsageError
from arena.record import MatchRecord
from arena.store.keys import Keys, TournamentKey
from arena.store.tables import MATCHES, RECORDS, SEATS, TOURNAMENTS


@dataclass(frozen=True, slots=True)
class Entry:
    """A record on its way into the log. It is made before the transaction, which others may be waiting for."""

    record: MatchRecord
    sha256: str
    content: bytes

    @classmethod
    def of(cls, given: MatchRecord | Sealed) -> Entry:
        record, message = seal(given) if isinstance(given, MatchRecord) else given
        return cls(record, hashlib.sha256(message).hexdigest(), zlib.compress(message))

    @property
    def place(self) -> tuple[int, int]:
        return self.record.spec.index, self.record.spec.attempt


def write(connection: Connection, keys: Keys, entries: Sequence[Entry], through: int | None) -> None:
    """Put matches into the log, once each, and move the mark of their tournament up. Raises Conflict, Unknown."""
    names = sorted({entry.record.spec.tournament for entry in entries})
    if through is not None and len(names) != 1:
        raise ValueError("a mark can only be moved together with matches of one tournament")
    for name in names:
        key = keys.tournament(connection, name)
        _wait_for_others(connection, key)
        mine = [entry for entry in entries if entry.record.spec.tournament == name]
        new = _new(connection, key, mine)
        if new:
            _insert(connection, keys, key, new)
        if through is not None:
            behind = update(TOURNAMENTS).where(TOURNAMENTS.c.id == key.id, TOURNAMENTS.c.through < through)
            connection.execute(behind.values(through=through))


def _wait_for_others(connection: Connection, key: TournamentKey) -> None:
    """On PostgreSQL, let those finish who write matches of this tournament, so that theirs are seen and not met."""
    mine = select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.id == key.id)
    connection.execute(mine.with_for_update(key_share=True))


def _new(connection: Connection, key: TournamentKey, entries: Sequence[Entry]) -> list[Entry]:
    """Those that are not in the log yet. Raises Conflict when another match stands in their place."""
    there = _there(connection, key, {entry.record.spec.index for entry in entries})
    counting = {index: attempt for (index, attempt), (_, void) in there.items() if not void}
    new: list[Entry] = []
    for entry in entries:
        index, attempt = entry.place
        if entry.place in there:
            _check_same(entry, there[entry.place][0])
            continue
        if entry.record.outcome is not None and counting.setdefault(index, attempt) != attempt:
            raise Conflict(f"{_name(entry)} cannot be written: attempt {counting[index]} at it counts already")
        there[entry.place] = (entry.sha256, entry.record.outcome is None)
        new.append(entry)
    return new


def _check_same(entry: Entry, sha256: str) -> None:
    if sha256 != entry.sha256:
        raise Conflict(
            f"{_name(entry)} is in the log already with another content (sha256 {sha256[:12]}, the new one has "
            f"{entry.sha256[:12]}): the log keeps the first"
        )


def _name(entry: Entry) -> str:
    spec = entry.record.spec
    return f"{spec.tournament}/{spec.index}~{spec.attempt}"


def _there(connection: Connection, key: TournamentKey, indices: set[int]) -> dict[tuple[int, int], tuple[str, bool]]:
    """What the log has at these indices: hash, and whether it is void, by index and attempt."""
    same = (RECORDS.c.index == MATCHES.c.index) & (RECORDS.c.attempt == MATCHES.c.attempt)
    query = (
        select(MATCHES.c.index, MATCHES.c.attempt, MATCHES.c.void, RECORDS.c.sha256)
        .join(RECORDS, (RECORDS.c.tournament_id == MATCHES.c.tournament_id) & same)
        .where(MATCHES.c.tournament_id == key.id, MATCHES.c.index.in_(sorted(indices)))
    )
    return {(index, attempt): (sha256, bool(void)) for index, attempt, void, sha256 in connection.execute(query)}


def _insert(connection: Connection, keys: Keys, key: TournamentKey, entries: Sequence[Entry]) -> None:
    matches: list[dict[str, Any]] = []
    seats: list[dict[str, Any]] = []
    for entry in entries:
        match = match_row(key, entry.record)
        matches.append(match)
        seats.extend(seat_rows(connection, keys, match, entry.record))
    records = [
        {"tournament_id": key.id, "index": index, "attempt": attempt, "sha256": entry.sha256, "content": entry.content}
        for entry in entries
        for index, attempt in [entry.place]
    ]
    connection.execute(insert(MATCHES), matches)
    connection.execute(insert(SEATS), seats)
    connection.execute(insert(RECORDS), records)


def match_row(key: TournamentKey, record: MatchRecord) -> dict[str, Any]:
    """The line of a match in the list of matches. Raises UsageError."""
    spec, outcome = record.spec, record.outcome
    if spec.game != key.game:
        raise UsageError(f"a match of {spec.game} does not belong into {spec.tournament}, a tournament of {key.game}")
    return {
        "tournament_id": key.id,
        "index": spec.index,
        "attempt": spec.attempt,
        "block": spec.block,
        "game": spec.game,
        "edition": spec.edition,
        "players": len(record.lineup),
        "seed": spec.seed,
        "started_us": record.started_us,
        "elapsed_us": record.elapsed_us,
        "turns": len(record.moves),
        "forfeits": 0 if outcome is None else len({verdict.seat for verdict in record.verdicts}),
        "termination": None if outcome is None else outcome.termination.value,
        "void": outcome is None,
        "void_reason": record.void_reason,
        "lenient": spec.lenient,
    }


def seat_rows(
    connection: Connection, keys: Keys, match: dict[str, Any], record: MatchRecord
) -> Iterator[dict[str, Any]]:
    """What the list has of its seats. Raises Unknown for a version that was not registered."""
    outcome = record.outcome
    thinking = [0] * len(record.lineup)
    for move in record.moves:
        thinking[move.seat] += move.think_us
    verdicts = {} if outcome is None else {verdict.seat: verdict.kind.value for verdict in record.verdicts}
    for seat, entrant in enumerate(record.lineup):
        version = keys.version(connection, entrant)
        yield {
            "tournament_id": match["tournament_id"],
            "index": match["index"],
            "attempt": match["attempt"],
            "seat": seat,
            "bot_id": version.bot_id,
            "version_id": version.version_id,
            "started_us": match["started_us"],
            "players": match["players"],
            "rank": None if outcome is None else outcome.ranks[seat],
            "score": None if outcome is None else outcome.scores[seat].total,
            "forfeit": verdicts.get(seat),
            "think_us": thinking[seat],
            "cpu_us": record.efforts[seat].cpu_us if record.efforts else None,
            "peak_kb": record.efforts[seat].peak_kb if record.efforts else None,
        }
