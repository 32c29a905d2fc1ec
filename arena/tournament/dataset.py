"""Training rows: one for every move that was made, as a Parquet file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from arena.errors import UsageError
from arena.record import MatchRecord
from arena.replay import positions
from arena.tournament.outgoing import replacing

BATCH: Final = 4_096
"""Rows that are in memory at once."""

COLUMNS: Final = {
    "match": "string",
    "game": "string",
    "edition": "string",
    "options": "string",
    "seed": "uint64",
    "players": "uint8",
    "turn": "uint16",
    "seat": "uint8",
    "bot": "string",
    "content_hash": "string",
    "view": "string",
    "move": "string",
    "think_us": "uint64",
    "rank": "uint8",
    "score": "int32",
    "margin": "int32",
    "forfeit": "string",
}
"""Their names and types, in order."""


def rows(record: MatchRecord) -> Iterator[dict[str, Any]]:
    """A row for every move: what the seat saw, what it played, and what came of it. Raises BadRecord."""
    shared = _of_match(record)
    seats = [_of_seat(record, seat) for seat in range(len(record.lineup))]
    before = None
    for position in positions(record):
        if position.turn and before is not None and before.turn < position.turn:
            move = record.moves[position.turn - 1]
            yield {
                **shared,
                **seats[move.seat],
                "turn": position.turn - 1,
                "view": str(before.view(move.seat)),
                "move": move.notation,
                "think_us": move.think_us,
            }
        before = position.state


def _of_match(record: MatchRecord) -> dict[str, Any]:
    spec = record.spec
    suffix = f"~{spec.attempt}" if record.outcome is None else ""
    return {
        "match": f"{spec.tournament}/{spec.index}{suffix}",
        "game": spec.game,
        "edition": spec.edition,
        "options": json.dumps(dict(spec.options), sort_keys=True),
        "seed": spec.seed,
        "players": len(spec.lineup),
    }


def _of_seat(record: MatchRecord, seat: int) -> dict[str, Any]:
    """What came of a seat; nothing in a void match."""
    outcome = record.outcome
    row: dict[str, Any] = {
        "seat": seat,
        "bot": record.spec.lineup[seat],
        "content_hash": record.lineup[seat].content_hash,
        "rank": None,
        "score": None,
        "margin": None,
        "forfeit": next((verdict.kind.value for verdict in record.verdicts if verdict.seat == seat), None),
    }
    if outcome is not None:
        totals = [score.total for score in outcome.scores]
        best = max(total for other, total in enumerate(totals) if other != seat)
        row |= {"rank": outcome.ranks[seat], "score": totals[seat], "margin": totals[seat] - best}
    return row


def write_parquet(path: Path, records: Iterable[MatchRecord]) -> int:
    """Write the rows of all these records; gives how many matches there were. Raises UsageError, BadRecord."""
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise UsageError("Parquet needs pyarrow: pip install 'arena-platform[export]'") from None
    schema = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in COLUMNS.items()])
    count = 0

    def all_rows() -> Iterator[dict[str, Any]]:
        nonlocal count
        for record in records:
            yield from rows(record)
            count += 1

    source = all_rows()
    with replacing(path) as file, parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(islice(source, BATCH)):
            writer.write_batch(pa.RecordBatch.from_pylist(batch, schema=schema))
    return count
