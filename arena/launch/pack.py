"""A bot's folder as one piece of bytes, and back. What comes from elsewhere is taken apart without trusting it."""

from __future__ import annotations

import io
import lzma
import os
import posixpath
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from arena.errors import BadManifest
from arena.launch.manifest import content_files, content_hash, shown

MOST_BYTES: Final = 20 * 1024 * 1024
MOST_FILES: Final = 2_000

_MOST_PLAIN: Final = MOST_BYTES + MOST_FILES * 8 * 1024
"""How large the archive of the largest bot is before it is compressed, with the headers of its files."""
_MOST_MEMORY: Final = 128 * 1024 * 1024


def pack(folder: Path) -> bytes:
    """The files that the content hash is made of, the same bytes for the same files. Raises BadManifest."""
    files = sorted(content_files(folder))
    _check_size(shown(str(folder)), [file.lstat().st_size for _, file in files])
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz", format=tarfile.PAX_FORMAT) as archive:
        for path, file in files:
            _add(archive, os.fsdecode(path), file)
    return packed.getvalue()


def unpack(packed: bytes, folder: Path, expected_hash: str) -> None:
    """Make the folder from what `pack` gave, all of it or nothing. One that holds just that already is left alone.

    Raises BadManifest when the files are not those of this hash, or are none that `pack` would give.
    """
    if folder.is_dir():
        if content_hash(folder) == expected_hash:
            return
        _clear_away(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=".unpack-", dir=folder.parent))
    try:
        _extract(packed, unfinished, expected_hash)
        unfinished.chmod(0o755)
        unfinished.replace(folder)
    except BadManifest as error:
        raise BadManifest(f"the packed files for {shown(folder.name)} cannot be used: {error}") from None
    except OSError:
        if not folder.is_dir():  # else another process was faster
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _clear_away(folder: Path) -> None:
    """Remove a folder in which something was changed, at once for all who look, and for none who are in it."""
    aside = Path(tempfile.mkdtemp(prefix=".changed-", dir=folder.parent))
    try:
        folder.rename(aside / folder.name)
    except FileNotFoundError:
        return  # another process was faster
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def check(packed: bytes, expected_hash: str) -> None:
    """Raises BadManifest unless these are the packed files of this hash."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        _extract(packed, Path(folder), expected_hash)


def _check_size(where: str, sizes: list[int]) -> None:
    if len(sizes) > MOST_FILES:
        raise BadManifest(f"{where} has {len(sizes):,} files, and a bot may have {MOST_FILES:,}: leave some out")
    if sum(sizes) > MOST_BYTES:
        found = f"{sum(sizes) / 2**20:,.1f} MB of files, and a bot may have {MOST_BYTES // 2**20} MB"
        raise BadManifest(f"{where} has {found}: leave some out")


def _add(archive: tarfile.TarFile, path: str, file: Path) -> None:
    """Put a file in without anything that would differ from one copy of the folder to the next."""
    if not (file.is_symlink() or file.is_file()):
        raise BadManifest(f"{shown(str(file))} is neither a file nor a link, so the bot cannot be packed")
    entry = archive.gettarinfo(file, arcname=path)
    entry.mtime = entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    if entry.issym():
        _check_target(path, entry.linkname)
        entry.mode = 0o777
        archive.addfile(entry)
        return
    # One of two names of the same file is a file like the other.
    entry.type, entry.linkname = tarfile.REGTYPE, ""
    entry.mode = 0o755 if entry.mode & 0o100 else 0o644
    with file.open("rb") as content:
        entry.size = os.fstat(content.fileno()).st_size
        archive.addfile(entry, content)


# ── taking apart ────────────────────────────────────────────────────────────────────────────────────────────────────


def _extract(packed: bytes, folder: Path, expected_hash: str) -> None:
    try:
        with tarfile.open(fileobj=io.BytesIO(_plain(packed)), mode="r:") as archive:
            entries = list(_entries(archive))
            _lay_out(archive, entries, folder)
    except (tarfile.TarError, ValueError) as error:
        raise BadManifest(f"they are not an archive of a bot ({error})") from None
    if content_hash(folder) != expected_hash:
        raise BadManifest("they are not those that were submitted")


def _plain(packed: bytes) -> bytes:
    """The archive without its compression, which could blow up a few bytes to any size."""
    try:
        reader = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY)
        plain = reader.decompress(packed, _MOST_PLAIN + 1)
    except lzma.LZMAError as error:
        raise BadManifest(f"they are not an archive of a bot ({error})") from None
    if len(plain) > _MOST_PLAIN:
        raise BadManifest(f"unpacked they are larger than {_MOST_PLAIN // 2**20} MB")
    if not reader.eof:
        raise BadManifest("the end of them is missing")
    return plain


def _entries(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The files and links in it, each in a place of its own below the folder. Raises BadManifest for anything else."""
    seen: set[str] = set()
    links: set[str] = set()
    for entry in archive:
        path = entry.name
        if len(seen) >= MOST_FILES:
            raise BadManifest(f"they are more than {MOST_FILES:,}")
        if not (entry.isreg() or entry.issym()) or entry.sparse is not None:
            raise BadManifest(f"{shown(path)} is neither a file nor a link")
        if path in seen or not _below(path):
            raise BadManifest(f"{shown(path)} is not a place in the folder of a bot")
        seen.add(path)
        if entry.issym():
            _check_target(path, entry.linkname)
            links.add(path)
        yield entry
    for path in seen:
        if any(str(parent) in links for parent in PurePosixPath(path).parents):
            raise BadManifest(f"{shown(path)} lies behind a link")


def _lay_out(archive: tarfile.TarFile, entries: list[tarfile.TarInfo], folder: Path) -> None:
    # Links come last: while files are written there is none through which one could get out of the folder.
    for entry in sorted(entries, key=tarfile.TarInfo.issym):
        place = folder / entry.name
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            if entry.issym():
                place.symlink_to(entry.linkname)
            else:
                content = archive.extractfile(entry)
                assert content is not None, "it is a regular file"
                place.write_bytes(content.read())
                place.chmod(0o755 if entry.mode & 0o100 else 0o644)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            raise BadManifest(f"{shown(entry.name)} is a file and a folder at once") from None


def _below(path: str) -> bool:
    """Whether a path is written the one way in which a place below the folder can be."""
    return bool(path) and "\0" not in path and not path.startswith(("/", "..")) and posixpath.normpath(path) == path


def _check_target(path: str, target: str) -> None:
    goal = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    if target.startswith("/") or goal == ".." or goal.startswith("../"):
        raise BadManifest(
            f"{shown(path)} is a link to {shown(target)}, outside of the folder of the bot: put a copy in its place"
        )
