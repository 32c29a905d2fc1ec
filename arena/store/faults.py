"""What a database complains of, as one sentence that says where and what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, OperationalError

from arena.errors import Away, StoreError

_SQLITE: Final = {
    sqlite3.SQLITE_NOTADB: "{place} is not a database; move it away, or name another one with --db",
    sqlite3.SQLITE_CORRUPT: "{place} is damaged ({reason}): keep a copy, bring back a backup, or see 'arena db check'",
    sqlite3.SQLITE_READONLY: "{place} can only be read: give yourself the right to write it and its folder",
    sqlite3.SQLITE_FULL: "there is no room left for {place}: free some space and repeat the command; nothing is lost",
    sqlite3.SQLITE_CANTOPEN: "{place} cannot be opened: see that its folder is there and may be written to",
    sqlite3.SQLITE_BUSY: "{place} is busy: another process has held it for too long; end that one and try again",
    sqlite3.SQLITE_IOERR: "{place} cannot be read or written ({reason}): see to the disk; nothing acknowledged is lost",
}
_POSTGRES: Final = {
    "53100": "there is no room left for {place}: free some space and repeat the command; nothing is lost",
    "25006": "{place} can only be read: the server refuses to write",
    "42501": "{place} does not let us do that: {reason}",
    "08": "{place} cannot be reached: {reason}",
    "57": "{place} was shut down: {reason}",
    "XX": "{place} is damaged ({reason}): bring back a backup",
}
RETRIED: Final = frozenset({"23505", "40001", "40P01"})
"""What PostgreSQL says when two transactions got into each other's way and one should begin again."""


@contextmanager
def in_words(place: str) -> Iterator[None]:
    """Turns what the database raises into a `StoreError`. What is not a fault of the database passes."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        sentence = _sentence(error, place)
        if sentence is None:
            raise
        raise (Away if _is_away(error) else StoreError)(sentence) from error


def _is_away(error: Exception) -> bool:
    """Whether it is the server that is missing: shut down, starting up, or not to be reached."""
    code = code_of(error)
    return (code is None and _is_of_server(error)) or (isinstance(code, str) and code.startswith(("57P", "08")))


def _is_of_server(error: Exception) -> bool:
    return isinstance(error, OperationalError) and not isinstance(error.orig, sqlite3.Error)


def code_of(error: Exception) -> int | str | None:
    """The primary result code of SQLite, or the five letters of PostgreSQL."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        code: int | None = getattr(cause, "sqlite_errorcode", None)
        return None if code is None else code & 0xFF
    return getattr(cause, "sqlstate", None)


def _sentence(error: Exception, place: str) -> str | None:
    code = code_of(error)
    reason = _reason(error)
    if isinstance(code, str):
        form = next((_POSTGRES[part] for part in (code, code[:2]) if part in _POSTGRES), None)
    elif isinstance(code, int):
        form = _SQLITE.get(code)
    else:
        form = _without_code(error)
    return None if form is None else form.format(place=place, reason=reason)


def _without_code(error: Exception) -> str | None:
    """What is said before there is a connection, or when there is none any more, has no code."""
    if _is_of_server(error):
        return "{place} cannot be reached: {reason}"
    if isinstance(error, OperationalError):  # a text that is none
        return "{place} is damaged: keep a copy, bring back a backup, or see 'arena db check'"
    return None


def _reason(error: Exception) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    lines = str(cause).strip().splitlines() or [type(cause).__name__]
    return lines[-1].strip().rstrip(".")
