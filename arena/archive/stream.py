"""Files of records read one record at a time, however long they are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from arena.archive.plain import from_json
from arena.archive.wire import to_wire
from arena.errors import BadRecord

LARGEST: Final = 64 * 1024 * 1024
"""A record that claims to be longer than this is none."""
_RECORD: Final = b"\x0a"
"""What stands before the length of each record in a `RecordFile`: field 1, bytes."""


def messages(path: Path) -> Iterator[bytes]:
    """The serialised records of a file. What `arena match` prints as JSON is read too, and a JSON record in each line.

    Raises BadRecord where the file cannot be read on.
    """
    with _opened(path) as file:
        start = file.read(1)
        file.seek(0)
        if not start:
            raise BadRecord(f"{path} is empty: it holds no match record")
        if start == b"{":
            forms = _json_forms(path, file)
            yield from (_serialised(path, number, form) for number, form in enumerate(forms, 1))
        else:
            yield from framed(file, str(path))


def framed(file: BinaryIO, name: str) -> Iterator[bytes]:
    """The records of a serialised `RecordFile`. Raises BadRecord."""
    while tag := file.read(1):
        length = _varint(file) if tag == _RECORD else None
        message = b"" if length is None or length > LARGEST else file.read(length)
        if length is None or len(message) != length:
            raise BadRecord(f"{name} is not a record file, or the end of it is missing")
        yield message


def frame(message: bytes) -> bytes:
    """The record as it stands in a `RecordFile`."""
    length, digits = len(message), bytearray()
    while length > 0x7F:
        digits.append(length & 0x7F | 0x80)
        length >>= 7
    digits.append(length)
    return _RECORD + bytes(digits) + message


def _varint(file: BinaryIO) -> int | None:
    number = 0
    for shift in range(0, 35, 7):
        digit = file.read(1)
        if not digit:
            return None
        number |= (digit[0] & 0x7F) << shift
        if digit[0] < 0x80:
            return number
    return None


def _json_forms(path: Path, file: BinaryIO) -> Iterator[Mapping[str, Any]]:
    """The records of a file with one in each line, or of one document."""
    try:
        first = file.readline(LARGEST)
        if isinstance(form := _document(first), dict) and "matches" not in form:
            yield form
            yield from (json.loads(line) for line in file if line.strip())
        else:
            document = json.loads(first + file.read())
            yield from document.get("matches", [document])
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise BadRecord(f"{path} is not a record file, and not the JSON of one either") from None


def _document(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _serialised(path: Path, number: int, form: Mapping[str, Any]) -> bytes:
    try:
        return to_wire(from_json(form)).SerializeToString(deterministic=True)
    except BadRecord as error:
        raise BadRecord(f"{path}, record {number}: {error}") from None
    except (ValueError, TypeError) as error:
        raise BadRecord(f"{path}, record {number}: it holds a value that no record can have ({error})") from None


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        with path.open("rb") as file:
            yield file
    except FileNotFoundError:
        raise BadRecord(f"there is no file {path}") from None
    except OSError as error:
        raise BadRecord(f"{path} cannot be read: {error.strerror}") from None
