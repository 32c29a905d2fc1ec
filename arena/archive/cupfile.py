"""A whole tournament in one file that can be checked without the arena it comes from.

A ``.cup`` file is a ZIP archive with these members:

    records.arena              every match, void attempts too, in schedule order: a serialised `RecordFile`
    bots/CONTENT-HASH.tar.xz   the packed files of a version, for those versions that come with them
    cup.json                   the tournament, its bots with their content hashes, and the SHA-256 of all the above
    SHA256                     the SHA-256 of cup.json: the seal, which vouches for the whole file
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Annotated, Any, BinaryIO, Final, Literal, Self, cast

from pydantic import Field, TypeAdapter, ValidationError

from arena.archive.stream import frame, framed
from arena.errors import BadRecord, UsageError

FORMAT: Final = "arena-cup"
VERSION: Final = 1

HEAD: Final = "cup.json"
SEAL: Final = "SHA256"
RECORDS: Final = "records.arena"

_LARGEST_HEAD: Final = 64 * 1024 * 1024
_LARGEST_PACK: Final = 64 * 1024 * 1024
_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
"""The same tournament gives the same file, whenever it is written."""


Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,64}$")]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0, lt=1 << 62)]


@dataclass(frozen=True, slots=True)
class BundledBot:
    """A version that played."""

    name: Name
    number: Count
    content_hash: Hash
    facts: Mapping[str, Any]
    submitted_us: Count
    pack_sha256: Hash | None = None
    """Of its packed files, when they are in the file."""

    @property
    def label(self) -> str:
        return f"{self.name}@{self.number}"

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "number": self.number,
            "content_hash": self.content_hash,
            "facts": dict(self.facts),
            "submitted_us": self.submitted_us,
            "pack_sha256": self.pack_sha256,
        }


@dataclass(frozen=True, slots=True)
class Head:
    """What a file says of itself."""

    name: Name
    game: Name
    system: Name
    definition: Mapping[str, Any]
    opened_us: Count
    rated: bool
    state: Literal["running", "finished", "stopped"]
    through: Count
    bots: tuple[BundledBot, ...]
    records: Count
    """How many there are."""
    records_sha256: Hash

    def as_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "tournament": {
                "name": self.name,
                "game": self.game,
                "system": self.system,
                "definition": dict(self.definition),
                "opened_us": self.opened_us,
                "rated": self.rated,
                "state": self.state,
                "through": self.through,
            },
            "bots": [bot.as_json() for bot in self.bots],
            "records": {"count": self.records, "sha256": self.records_sha256},
        }

    @classmethod
    def from_json(cls, form: Any) -> Head:
        """The head that `as_json` wrote. Raises BadRecord."""
        if not isinstance(form, dict) or form.get("format") != FORMAT:
            raise BadRecord("it is not the file of a tournament")
        if form.get("version") != VERSION:
            raise BadRecord(f"it is of version {form.get('version')}, and this arena reads version {VERSION}")
        try:
            records = form["records"]
            parts = {"bots": form["bots"], "records": records["count"], "records_sha256": records["sha256"]}
            return _adapter().validate_json(json.dumps({**form["tournament"], **parts}), strict=True)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise BadRecord(f"its {HEAD} is not as arena writes it: {place}: {first['msg'].lower()}") from None
        except (KeyError, TypeError):
            raise BadRecord(f"its {HEAD} is not as arena writes it") from None


@cache
def _adapter() -> TypeAdapter[Head]:
    return TypeAdapter(Head)


# ── writing ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def write_cup(
    path: Path, head: Head, messages: Iterable[bytes], packs: Iterable[tuple[str, bytes]]
) -> tuple[Head, str]:
    """Make the file of a tournament, all of it or nothing; gives its head and its seal.

    Packs come with content hashes. What the head says of records and packs is filled in on the way.
    """
    unfinished = path.with_name(path.name + ".part")
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
            hashes = {content_hash: _put(archive, pack_name(content_hash), pack) for content_hash, pack in packs}
            count, sha256 = _put_records(archive, messages)
            done = _completed(head, hashes, count, sha256)
            seal = _put(archive, HEAD, (json.dumps(done.as_json(), indent=2) + "\n").encode())
            _put(archive, SEAL, f"{seal}  {HEAD}\n".encode())
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    return done, seal


def pack_name(content_hash: str) -> str:
    return f"bots/{content_hash}.tar.xz"


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> str:
    archive.writestr(_member(name), content)
    return hashlib.sha256(content).hexdigest()


def _put_records(archive: zipfile.ZipFile, messages: Iterable[bytes]) -> tuple[int, str]:
    total, count = hashlib.sha256(), 0
    with archive.open(_member(RECORDS), "w", force_zip64=True) as file:
        for message in messages:
            framed_message = frame(message)
            total.update(framed_message)
            file.write(framed_message)
            count += 1
    return count, total.hexdigest()


def _member(name: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, _LONG_AGO)
    member.compress_type = zipfile.ZIP_STORED if name.endswith(".xz") else zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    return member


def _completed(head: Head, packs: Mapping[str, str], count: int, sha256: str) -> Head:
    from dataclasses import replace

    bots = tuple(replace(bot, pack_sha256=packs.get(bot.content_hash)) for bot in head.bots)
    return replace(head, bots=bots, records=count, records_sha256=sha256)


# ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def is_cup(path: Path) -> bool:
    """Whether a file looks like that of a tournament."""
    return path.is_file() and zipfile.is_zipfile(path)


class CupFile:
    """The file of a tournament, open. Nothing in it is trusted; what does not fit is a BadRecord."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._archive = _opened(path)
        try:
            content = self._read(HEAD, _LARGEST_HEAD)
            self.seal = hashlib.sha256(content).hexdigest()
            self.sealed = self._read(SEAL, 1024).decode("ascii", "replace").split()[:1] == [self.seal]
            """Whether the head is the one that was sealed."""
            self.head = Head.from_json(json.loads(content))
        except BadRecord as error:
            self.close()
            raise BadRecord(f"{path}: {error}") from None
        except (ValueError, RecursionError):
            self.close()
            raise BadRecord(f"{path}: its {HEAD} is not JSON") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._archive.close()

    def messages(self) -> Iterator[bytes]:
        """The serialised records, one after the other."""
        with self._guarded(), self._archive.open(self._known(RECORDS)) as file:
            yield from framed(cast("BinaryIO", file), f"{self.path}, {RECORDS}")

    def records_sha256(self) -> str:
        """The SHA-256 of the records as they are."""
        total = hashlib.sha256()
        with self._guarded(), self._archive.open(self._known(RECORDS)) as file:
            while piece := file.read(1 << 20):
                total.update(piece)
        return total.hexdigest()

    def pack(self, bot: BundledBot) -> bytes | None:
        """The packed files of a version, if they are in the file. Raises BadRecord when they are not those sealed."""
        if bot.pack_sha256 is None:
            return None
        content = self._read(pack_name(bot.content_hash), _LARGEST_PACK)
        if hashlib.sha256(content).hexdigest() != bot.pack_sha256:
            raise BadRecord(f"the files of {bot.label} were changed after the file was sealed")
        return content

    def _read(self, name: str, largest: int) -> bytes:
        with self._guarded(), self._archive.open(self._known(name)) as file:
            content = _at_most(file, largest)
        if content is None:
            raise BadRecord(f"its {name} is larger than {largest >> 20} MB")
        return content

    def _known(self, name: str) -> zipfile.ZipInfo:
        try:
            return self._archive.getinfo(name)
        except KeyError:
            raise BadRecord(f"it has no {name}, so it is not the file of a tournament") from None

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise BadRecord(f"{self.path} is damaged: {error}") from None


def _at_most(file: IO[bytes], largest: int) -> bytes | None:
    content = file.read(largest + 1)
    return content if len(content) <= largest else None


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except FileNotFoundError:
        raise BadRecord(f"there is no file {path}") from None
    except OSError as error:
        raise BadRecord(f"{path} cannot be read: {error.strerror}") from None
    except zipfile.BadZipFile:
        raise BadRecord(f"{path} is not the file of a tournament, or the end of it is missing") from None
