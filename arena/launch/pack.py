"""A bot's folder as one piece of bytes, and back."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
import tempfile
from pathlib import Path

from arena.errors import BadManifest
from arena.launch.manifest import content_files, content_hash, shown

MOST_BYTES = 20 * 1024 * 1024
MOST_FILES = 2_000


def pack(folder: Path) -> bytes:
    """The files that the content hash is made of, the same bytes for the same files. Raises BadManifest."""
    files = sorted(content_files(folder))
    _check_size(folder, [file for _, file in files])
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz", format=tarfile.PAX_FORMAT) as archive:
        for path, file in files:
            _add(archive, os.fsdecode(path), file)
    return packed.getvalue()


def unpack(packed: bytes, folder: Path, expected_hash: str) -> None:
    """Make the folder from what `pack` gave, all of it or nothing; one that is there already is left as it is.

    Raises BadManifest when the files are not those of this hash, or try to lie outside of the folder.
    """
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=".unpack-", dir=folder.parent))
    try:
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r:xz") as archive:
            archive.extractall(unfinished, filter="data")
        if content_hash(unfinished) != expected_hash:
            raise BadManifest(f"the packed files for {shown(folder.name)} are not those that were submitted")
        unfinished.chmod(0o755)
        unfinished.replace(folder)
    except tarfile.TarError as error:
        raise BadManifest(f"the packed files for {shown(folder.name)} cannot be unpacked: {error}") from error
    except OSError:
        if not folder.is_dir():  # else another process was faster
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _check_size(folder: Path, files: list[Path]) -> None:
    where, size = shown(str(folder)), sum(file.lstat().st_size for file in files)
    if len(files) > MOST_FILES:
        raise BadManifest(f"{where} has {len(files):,} files, and a bot may have {MOST_FILES:,}: leave some out")
    if size > MOST_BYTES:
        sizes = f"{size / 2**20:,.0f} MB of files, and a bot may have {MOST_BYTES // 2**20} MB"
        raise BadManifest(f"{where} has {sizes}: leave some out")


def _add(archive: tarfile.TarFile, path: str, file: Path) -> None:
    """Put a file in without anything that would differ from one copy of the folder to the next."""
    entry = archive.gettarinfo(file, arcname=path)
    entry.mtime = entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    if entry.isreg():
        entry.mode = 0o755 if entry.mode & 0o100 else 0o644
        with file.open("rb") as content:
            archive.addfile(entry, content)
    elif entry.issym():
        archive.addfile(entry)
    else:
        raise BadManifest(f"{shown(str(file))} is neither a file nor a link, so the bot cannot be packed")
