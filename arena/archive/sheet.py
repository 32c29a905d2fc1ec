"""The one redundancy in a stored record: the total of a score sheet beside its parts."""

from __future__ import annotations

from collections.abc import Iterable

from arena.errors import BadRecord
from arena_rules import Score


def check_totals(totals: Iterable[int], scores: Iterable[Score]) -> None:
    """Raises BadRecord unless the parts of every seat's score sheet add up to its stored total."""
    for seat, (total, score) in enumerate(zip(totals, scores, strict=True)):
        if total != score.total:
            raise BadRecord(f"the score sheet of seat {seat} adds up to {score.total}, not to the {total} it says")
