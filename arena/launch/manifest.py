"""What a bot folder says of itself: its `bot.toml`, and the hash of its files."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import stat
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from reprlib import Repr
from typing import Any, NoReturn

from arena.errors import BadManifest

FILE = "bot.toml"
KEYS = ("name", "games", "command", "build", "description", "deterministic")
MINIMAL = 'name = "my-bot", games = ["shelfie"], command = ["python", "bot.py"]'
LARGEST = 64 * 1024

WORD = re.compile(r"(?=.*[A-Za-z0-9])[A-Za-z0-9._-]{1,64}")
WORD_RULE = "1 to 64 letters, digits, '.', '_' or '-', with a letter or digit among them"

DERIVED = frozenset({"__pycache__", ".git", ".hg", ".svn", ".venv", "node_modules", ".hypothesis", ".tox", ".nox"})
BUILT = frozenset({"build", "target"})

_KINDS = {str: "a string", bool: "a boolean", int: "an integer", float: "a float", list: "an array", dict: "a table"}

_quote = Repr()
_quote.maxstring = _quote.maxother = 80


@dataclass(frozen=True, slots=True)
class Manifest:
    """A bot that can be started."""

    name: str
    games: tuple[str, ...]
    command: tuple[str, ...]
    build: tuple[str, ...] | None
    folder: Path
    """Absolute, so that it says which bot this is wherever the arena was started."""
    description: str = ""
    deterministic: bool = False
    """Whether it says that its moves follow from its view and its seed alone, so that its games can be played again."""
    trusted: bool = True
    """Whether it is a program of the person who runs the arena. What others have sent in is not."""


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a bot folder (or of the path of its bot.toml). Raises `BadManifest`."""
    file = _find(folder)
    return _Reader(file, _parse(file)).manifest()


def shown(text: str) -> str:
    """The text as it is safe to print: as it is, or escaped when there is anything unprintable in it."""
    return text if text.isprintable() else repr(text)


def _find(folder: Path) -> Path:
    where = shown(str(folder))
    if folder.name == FILE and folder.is_file():
        return folder.resolve()
    if not folder.exists():
        raise BadManifest(f"there is no bot folder {where}; give the path of a folder with a {FILE} in it")
    if not folder.is_dir():
        raise BadManifest(f"{where} is not a bot folder; give the path of a folder with a {FILE} in it")
    file = folder.resolve() / FILE
    if not file.is_file():
        raise BadManifest(f"the folder {where} has no {FILE}; a minimal one has three lines: {MINIMAL}")
    return file


def _content_of(file: Path) -> bytes:
    where = shown(str(file))
    try:
        with file.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise BadManifest(f"{where} cannot be read: {error.strerror}") from error
    if len(content) > LARGEST:
        raise BadManifest(f"{where} is larger than {LARGEST // 1024} KiB; it should hold a few lines")
    return content


def _parse(file: Path) -> dict[str, Any]:
    where = shown(str(file))
    content = _content_of(file)
    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadManifest(f"{where} is not UTF-8 text (at line {line}); save it as UTF-8") from error
    except RecursionError as error:
        raise BadManifest(f"{where} is nested too deeply; it needs no nesting at all") from error
    except tomllib.TOMLDecodeError as error:
        raise BadManifest(f"{where} is not valid TOML: {shown(str(error))}") from error


@dataclass(frozen=True, slots=True)
class _Reader:
    """Turns parsed TOML into a manifest, and says which file and key is wrong when it cannot."""

    file: Path
    data: dict[str, Any]

    def manifest(self) -> Manifest:
        for key in self.data:
            if key not in KEYS:
                self._refuse_key(key)
        return Manifest(
            name=self._word("name", self._text("name")),
            games=self._games(),
            command=self._command("command"),
            build=self._command("build") if "build" in self.data else None,
            folder=self.file.parent,
            description=self._text("description") if "description" in self.data else "",
            deterministic=self._yes_or_no("deterministic") if "deterministic" in self.data else False,
        )

    def _refuse(self, problem: str) -> NoReturn:
        raise BadManifest(f"{shown(str(self.file))}: {problem}")

    def _refuse_key(self, key: str) -> NoReturn:
        near = get_close_matches(key, KEYS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"the known keys are {', '.join(KEYS)}"
        self._refuse(f"unknown key {_quote.repr(key)}; {hint}")

    def _refuse_type(self, what: str, wanted: str, value: object) -> NoReturn:
        self._refuse(f"{what} must be {wanted}, not {_KINDS.get(type(value), 'a date or time')}")

    def _value(self, key: str) -> object:
        if key not in self.data:
            self._refuse(f"the key {key!r} is missing; a minimal file has three lines: {MINIMAL}")
        return self.data[key]

    def _text(self, key: str) -> str:
        value = self._value(key)
        if not isinstance(value, str):
            self._refuse_type(f"{key!r}", "a string", value)
        return value

    def _yes_or_no(self, key: str) -> bool:
        value = self._value(key)
        if not isinstance(value, bool):
            self._refuse_type(f"{key!r}", "true or false", value)
        return value

    def _list(self, key: str, value: object, wanted: str) -> list[str]:
        if not isinstance(value, list):
            self._refuse_type(f"{key!r}", wanted, value)
        for item in value:
            if not isinstance(item, str):
                self._refuse_type(f"each item of {key!r}", "a string", item)
        return value

    def _word(self, key: str, text: str) -> str:
        if not WORD.fullmatch(text):
            self._refuse(f"{_quote.repr(text)} will not do in {key!r}; use {WORD_RULE}")
        return text

    def _games(self) -> tuple[str, ...]:
        games = self._list("games", self._value("games"), "an array of strings")
        if not games:
            self._refuse("'games' is empty; name at least one game that the bot plays")
        return tuple(self._word("games", game) for game in games)

    def _command(self, key: str) -> tuple[str, ...]:
        value = self._value(key)
        words = self._split(key, value) if isinstance(value, str) else self._list(key, value, "an array of strings")
        if not words or not words[0].strip():
            self._refuse(f'{key!r} is empty; write for example {key} = ["python", "bot.py"]')
        if any("\0" in word for word in words):
            self._refuse(f"{key!r} holds a NUL character, which no command can; remove it")
        return tuple(words)

    def _split(self, key: str, line: str) -> list[str]:
        try:
            return shlex.split(line)
        except ValueError as error:
            self._refuse(f"{key!r} cannot be split into words ({str(error).lower()}); write it as an array of strings")


def content_hash(folder: Path) -> str:
    """SHA-256 in hexadecimal over the paths, contents and executable bits of a bot's files, the same on every machine.

    What tools derive from the files does not count: `DERIVED`, compiled Python, hidden caches, and the folders `BUILT`
    at the top, where a `build` belongs. A symbolic link counts as the text of its target and is never followed.
    """
    total = hashlib.sha256()
    try:
        for path, file in sorted(content_files(folder)):
            kind, content = _digest(file)
            total.update(kind + b"\0" + path + b"\0" + content)
    except OSError as error:
        where = shown(str(error.filename or folder))
        raise BadManifest(f"{where} cannot be read, so the bot has no content hash: {error.strerror}") from error
    return total.hexdigest()


def _raise(error: OSError) -> NoReturn:
    raise error


def content_files(folder: Path) -> Iterator[tuple[bytes, Path]]:
    """The files that count as the bot, with their paths in its folder."""
    for place, folders, files in os.walk(folder, onerror=_raise):
        here = Path(place)
        folders[:] = [name for name in folders if not _derived(name) and not (here == folder and name in BUILT)]
        links = [name for name in folders if (here / name).is_symlink()]
        for name in [*links, *(name for name in files if not _derived(name))]:
            yield os.fsencode((here / name).relative_to(folder).as_posix()), here / name


def _derived(name: str) -> bool:
    return name in DERIVED or name.endswith(".pyc") or (name.startswith(".") and name.endswith("cache"))


def _digest(file: Path) -> tuple[bytes, bytes]:
    mode = file.lstat().st_mode
    if stat.S_ISLNK(mode):
        target = os.readlink(file)  # noqa: PTH115 - Path.readlink() would tidy the text
        return b"link", hashlib.sha256(os.fsencode(target)).digest()
    if not stat.S_ISREG(mode):  # Opening a named pipe would wait for a writer for ever.
        return b"special", hashlib.sha256().digest()
    with file.open("rb") as stream:
        return b"program" if mode & stat.S_IXUSR else b"file", hashlib.file_digest(stream, "sha256").digest()
