"""Settings as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.config import DEFAULT_TIME, Location, locate, parse_time, write_time
from arena.errors import UsageError
from arena_sdk.events import TimeControl

DAY_MS = 24 * 60 * 60_000


@pytest.mark.parametrize(
    ("text", "move_ms", "bank_ms"),
    [
        ("500ms", 500, 0),
        ("1s", 1_000, 0),
        ("1s+10s", 1_000, 10_000),
        ("1.5s+1m", 1_500, 60_000),
        ("0.001s", 1, 0),
        ("0s+5m", 0, 300_000),
        ("2m+0s", 120_000, 0),
        ("none", 0, 0),
    ],
)
def test_times(text: str, move_ms: int, bank_ms: int) -> None:
    """A time control is a time for each move, and a bank if there is one."""
    assert parse_time(text) == TimeControl(move_ms, bank_ms)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'' is not a time; write"),
        ("3", "'3' is not a time; write"),
        ("1s+", "'1s[+]' is not a time"),
        ("+1s", "'[+]1s' is not a time"),
        ("1s+1s+1s", "is not a time"),
        ("-1s", "'-1s' is not a time"),
        ("1 s", "is not a time"),
        ("1h", "as in 500ms, 1s[+]10s or 1.5s[+]1m, or 'none'"),
        ("inf", "is not a time"),
        ("\u0661s", "is not a time"),
        ("0.5ms", "time '0.5ms' is finer than a millisecond"),
        ("0s", "time '0s' leaves no time to move; write 'none' for no limit"),
        ("0s+0ms", "leaves no time to move"),
        ("1441m", "time '1441m' is longer than a day"),
        ("9" * 400 + "s", "is longer than a day"),
    ],
)
def test_nonsense_is_refused(text: str, sentence: str) -> None:
    """What is no time is refused with a sentence that shows how to write one."""
    with pytest.raises(UsageError, match=sentence):
        parse_time(text)


@given(st.integers(0, DAY_MS), st.integers(0, DAY_MS))
def test_times_round_trip(move_ms: int, bank_ms: int) -> None:
    """What is written as a time control is read as the same one."""
    time = TimeControl(move_ms, bank_ms)
    assert parse_time(write_time(time)) == time


def test_the_default() -> None:
    """A second for each move and ten in the bank."""
    assert write_time(DEFAULT_TIME) == "1s+10s"


HERE = Path("/here")


@pytest.mark.parametrize(
    ("home", "db", "environ", "location"),
    [
        (None, None, {}, Location(HERE / ".arena", "/here/.arena/arena.db")),
        ("lab", None, {}, Location(HERE / "lab", "/here/lab/arena.db")),
        ("/lab", None, {}, Location(Path("/lab"), "/lab/arena.db")),
        (None, None, {"ARENA_HOME": "lab"}, Location(HERE / "lab", "/here/lab/arena.db")),
        (None, None, {"ARENA_HOME": "", "ARENA_DB": ""}, Location(HERE / ".arena", "/here/.arena/arena.db")),
        (None, None, {"ARENA_DB": "postgresql://x/y"}, Location(HERE / ".arena", "postgresql://x/y")),
        (None, "a.db", {"ARENA_HOME": "lab", "ARENA_DB": "b.db"}, Location(HERE / "lab", "a.db")),
        ("lab", None, {"ARENA_HOME": "x", "ARENA_DB": "b.db"}, Location(HERE / "lab", "/here/lab/arena.db")),
        ("lab", "a.db", {"ARENA_HOME": "x", "ARENA_DB": "b.db"}, Location(HERE / "lab", "a.db")),
    ],
)
def test_where_an_arena_is(home: str | None, db: str | None, environ: dict[str, str], location: Location) -> None:
    """What is said on the command line comes before the environment, and both before the current folder."""
    assert locate(home, db, environ, HERE) == location
