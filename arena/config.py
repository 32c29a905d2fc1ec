"""Settings as people write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from arena.errors import UsageError
from arena_sdk.events import TimeControl

HOME: Final = ".arena"
DATABASE: Final = "arena.db"

DEFAULT_TIME: Final = TimeControl(move_ms=1_000, bank_ms=10_000)

_UNITS_MS: Final = {"ms": 1, "s": 1_000, "m": 60_000}
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m)", re.ASCII)
_LONGEST_MS: Final = 24 * 60 * 60_000
_HOW: Final = "write a time per move, then a bank for the game if you like, as in 500ms, 1s+10s or 1.5s+1m, or 'none'"


def parse_time(text: str) -> TimeControl:
    """The time control that is written like ``1s+10s``: the time for each move, then the bank. Raises UsageError."""
    if text == "none":
        return TimeControl()
    move, plus, bank = text.partition("+")
    time = TimeControl(_milliseconds(move, text), _milliseconds(bank, text) if plus else 0)
    if time.unlimited:
        raise UsageError(f"time '{text}' leaves no time to move; write 'none' for no limit")
    return time


def write_time(time: TimeControl) -> str:
    """The text that `parse_time` reads as this time control."""
    if time.unlimited:
        return "none"
    bank = f"+{_duration(time.bank_ms)}" if time.bank_ms else ""
    return _duration(time.move_ms) + bank


@dataclass(frozen=True, slots=True)
class Location:
    """Where an arena is kept."""

    home: Path
    """The folder for all that is not in the database."""
    database: str
    """A path, or a URL."""


def locate(home: str | None, db: str | None, environ: Mapping[str, str], here: Path) -> Location:
    """Where the arena is, by what was said with ``--home`` and ``--db``, by the environment, or else right here.

    Both options come before the environment, so ``--home`` is not undone by an ARENA_DB that somebody set long ago.
    """
    folder = here / (home or environ.get("ARENA_HOME") or HOME)
    known = db or (None if home else environ.get("ARENA_DB"))
    return Location(folder, known or str(folder / DATABASE))


def _milliseconds(duration: str, text: str) -> int:
    match = _DURATION.fullmatch(duration)
    if match is None:
        raise UsageError(f"'{text}' is not a time; {_HOW}")
    amount = Decimal(match[1]) * _UNITS_MS[match[2]]
    if amount != int(amount):
        raise UsageError(f"time '{text}' is finer than a millisecond; {_HOW}")
    if amount > _LONGEST_MS:
        raise UsageError(f"time '{text}' is longer than a day; {_HOW}")
    return int(amount)


def _duration(ms: int) -> str:
    for unit in ("m", "s"):
        if ms and ms % _UNITS_MS[unit] == 0:
            return f"{ms // _UNITS_MS[unit]}{unit}"
    return f"{ms}ms" if ms else "0s"
