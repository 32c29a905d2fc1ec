"""Where a command finds the match that it is asked about: in a file, or in the arena."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.cli.home import Home
    from arena.record import MatchRecord


def match_of(source: str, number: int | None, home: Home) -> MatchRecord:
    """The match of a name such as cup/17, or the one of this number in a file. Raises UsageError, BadRecord."""
    from arena.archive import read

    if not Path(source).exists() and _is_match(source):
        with home.open() as store:
            return store.record_of(source).record()
    records = read(Path(source))
    return chosen(records, -1 if number is None else number, source)


def chosen(records: Sequence[MatchRecord], number: int, source: str) -> MatchRecord:
    """The match of this number, counted from 1, or from the end with negative numbers. Raises UsageError."""
    from arena.cli.screen import plural
    from arena.errors import UsageError

    index = number - 1 if number > 0 else len(records) + number
    if number == 0 or not 0 <= index < len(records):
        raise UsageError(f"there is no match {number} in {source}: it holds {plural(len(records), 'match', 'matches')}")
    return records[index]


def _is_match(source: str) -> bool:
    from arena.errors import UsageError
    from arena.store import MatchKey

    try:
        MatchKey.parse(source)
    except UsageError:
        return False
    return True
