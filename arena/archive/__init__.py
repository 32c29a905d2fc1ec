"""Match records in files, and in their three forms: the value, the protobuf message and JSON.

A ``.arena`` file is a serialised `RecordFile` (see ``proto/arena/v1/record.proto``). Files that are put one after the
other are one valid file, so a log grows by appending. Wherever records come from, what cannot be read is a `BadRecord`
with one sentence.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from arena.archive.plain import from_json, to_json
from arena.archive.stream import frame, framed, messages
from arena.archive.wire import Sealed, from_wire, parse, seal, spec_from_wire, spec_to_wire, to_wire
from arena.errors import BadRecord, UsageError
from arena.record import MatchRecord

if TYPE_CHECKING:
    from arena_sdk.v1.record_pb2 import RecordFile

__all__ = [
    "Sealed",
    "append",
    "check_appendable",
    "frame",
    "framed",
    "from_json",
    "from_wire",
    "messages",
    "parse",
    "read",
    "seal",
    "spec_from_wire",
    "spec_to_wire",
    "to_json",
    "to_wire",
    "write",
]


def write(path: Path, records: Iterable[MatchRecord]) -> None:
    """Make a file of these records. A file of that name is replaced, all of it or not at all."""
    from arena_sdk.v1.record_pb2 import RecordFile

    unfinished = path.with_name(path.name + ".part")
    try:
        unfinished.write_bytes(RecordFile(records=map(to_wire, records)).SerializeToString())
        unfinished.replace(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error


def append(path: Path, record: MatchRecord) -> None:
    """Put one record at the end of a file, or begin the file with it."""
    from arena_sdk.v1.record_pb2 import RecordFile

    try:
        with path.open("ab", buffering=0) as file:
            _append_all_or_nothing(file.fileno(), RecordFile(records=[to_wire(record)]).SerializeToString())
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error


def check_appendable(path: Path) -> None:
    """Raises unless records can be put at the end of this file, which need not exist yet."""
    if not path.parent.is_dir():
        raise UsageError(f"{path} cannot be written: there is no folder {path.parent}")
    if path.exists() and path.stat().st_size and _parsed(_content(path)) is None:
        raise BadRecord(f"{path} is not a record file, so no record can be appended to it")


def read(path: Path) -> list[MatchRecord]:
    """The records of a file, in the order in which they were written. Raises BadRecord."""
    return [_record(path, number, message) for number, message in enumerate(messages(path), 1)]


def _append_all_or_nothing(file: int, content: bytes) -> None:
    # Half a record would make the whole file unreadable, so a full disk must not leave one.
    before = os.fstat(file).st_size
    try:
        written = 0
        while written < len(content):
            written += os.write(file, content[written:])
    except OSError:
        os.ftruncate(file, before)
        raise


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise BadRecord(f"there is no file {path}") from None
    except OSError as error:
        raise BadRecord(f"{path} cannot be read: {error.strerror}") from None


def _parsed(content: bytes) -> RecordFile | None:
    from google.protobuf.message import DecodeError

    from arena_sdk.v1.record_pb2 import RecordFile

    try:
        file = RecordFile.FromString(content)
    except DecodeError:
        return None
    # Bytes of any other kind often pass as a message full of unknown fields.
    return file if file.records and all(record.spec.game for record in file.records) else None


def _record(path: Path, number: int, message: bytes) -> MatchRecord:
    try:
        return parse(message)
    except BadRecord as error:
        raise BadRecord(f"{path}, record {number}: {error}") from None
