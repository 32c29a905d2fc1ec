"""Packed bots: what goes in comes out, and what others have packed cannot do any harm."""

from __future__ import annotations

import io
import lzma
import os
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BadManifest
from arena.launch import content_hash
from arena.launch import pack as packing
from arena.launch.pack import check, pack, unpack


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot with a program, data, links, and what tools have left behind."""
    place = tmp_path / "owl"
    (place / "data").mkdir(parents=True)
    (place / "bot.py").write_text("print('owl')\n")
    (place / "run.sh").write_text("#!/bin/sh\n")
    (place / "run.sh").chmod(0o700)
    (place / "data" / "weights.bin").write_bytes(bytes(range(256)))
    (place / "data" / "latest").symlink_to("weights.bin")
    (place / "shortcut").symlink_to("data")
    (place / "__pycache__").mkdir()
    (place / "__pycache__" / "bot.cpython-311.pyc").write_bytes(b"derived")
    (place / "build").mkdir()
    (place / "build" / "bot").write_bytes(b"built")
    return place


def archive_of(*entries: tuple[str, str, bytes]) -> bytes:
    """An archive such as somebody else may have made: names, kinds (or targets of links), contents."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:xz") as archive:
        for name, kind, content in entries:
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = KINDS.get(kind, tarfile.SYMTYPE), "" if kind in KINDS else kind
            if kind == "hard link":
                entry.linkname = content.decode()
            entry.size = len(content) if entry.isreg() else 0
            archive.addfile(entry, io.BytesIO(content) if entry.isreg() else None)
    return made.getvalue()


KINDS = {
    "file": tarfile.REGTYPE,
    "folder": tarfile.DIRTYPE,
    "pipe": tarfile.FIFOTYPE,
    "device": tarfile.CHRTYPE,
    "hard link": tarfile.LNKTYPE,
}


def test_there_and_back(folder: Path, tmp_path: Path) -> None:
    """A bot that is unpacked has the same content, and nothing that was derived from it."""
    unpack(pack(folder), tmp_path / "nest" / "copy", content_hash(folder))
    copy = tmp_path / "nest" / "copy"
    assert content_hash(copy) == content_hash(folder)
    assert (copy / "data" / "latest").read_bytes() == bytes(range(256))
    assert os.access(copy / "run.sh", os.X_OK)
    assert not (copy / "__pycache__").exists()
    assert not (copy / "build").exists()
    assert [path.name for path in (tmp_path / "nest").iterdir()] == ["copy"]


def test_the_same_files_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    """Times, owners and places do not count."""
    copy = Path(shutil.copytree(folder, tmp_path / "copy", symlinks=True, copy_function=shutil.copy))
    os.utime(copy / "bot.py", (1, 1))
    (copy / "bot.py").chmod(0o600)
    assert pack(copy) == pack(folder)


def test_two_names_of_one_file_are_two_files(folder: Path, tmp_path: Path) -> None:
    """A hard link is packed as the file that it is."""
    (folder / "again.py").hardlink_to(folder / "bot.py")
    unpack(pack(folder), tmp_path / "copy", content_hash(folder))
    assert (tmp_path / "copy" / "again.py").read_text() == "print('owl')\n"


@settings(max_examples=25)
@given(
    files=st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=40).filter(
            lambda name: name not in {".", ".."}
        ),
        st.binary(max_size=50),
        max_size=5,
    )
)
def test_whatever_the_names(files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> None:
    """Any file name and any content survives, as far as they count as content."""
    here = tmp_path_factory.mktemp("names")
    (here / "bot").mkdir()
    for name, content in files.items():
        (here / "bot" / name).write_bytes(content)
    unpack(pack(here / "bot"), here / "copy", content_hash(here / "bot"))
    assert content_hash(here / "copy") == content_hash(here / "bot")


def test_names_that_are_not_text(tmp_path: Path) -> None:
    """A name that is not UTF-8 survives too."""
    (tmp_path / "bot").mkdir()
    Path(os.fsdecode(os.fsencode(tmp_path / "bot") + b"/caf\xe9")).write_text("x")
    unpack(pack(tmp_path / "bot"), tmp_path / "copy", content_hash(tmp_path / "bot"))
    assert [os.fsencode(path.name) for path in (tmp_path / "copy").iterdir()] == [b"caf\xe9"]


def test_an_unpacked_folder_is_left_alone(folder: Path, tmp_path: Path) -> None:
    """What lies beside the content, such as what the bot has built, stays where it is."""
    copy = tmp_path / "copy"
    unpack(pack(folder), copy, content_hash(folder))
    (copy / "build").mkdir()
    (copy / "build" / "bot").write_bytes(b"built")
    unpack(pack(folder), copy, content_hash(folder))
    assert (copy / "build" / "bot").exists()


def test_an_unpacked_folder_that_was_changed_is_made_anew(folder: Path, tmp_path: Path) -> None:
    """A version plays with the files that were submitted, whoever wrote into its folder since."""
    copy = tmp_path / "nest" / "copy"
    unpack(pack(folder), copy, content_hash(folder))
    (copy / "bot.py").write_text("print('eagle')\n")
    unpack(pack(folder), copy, content_hash(folder))
    assert (copy / "bot.py").read_text() == "print('owl')\n"
    assert [path.name for path in copy.parent.iterdir()] == ["copy"]


def test_too_much_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that is too large, or has too many files, is told how large it may be."""
    monkeypatch.setattr(packing, "MOST_BYTES", 200)
    with pytest.raises(BadManifest, match=r"owl has 0\.0 MB of files, and a bot may have 0 MB: leave some out"):
        pack(folder)
    monkeypatch.setattr(packing, "MOST_FILES", 3)
    with pytest.raises(BadManifest, match="owl has 5 files, and a bot may have 3: leave some out"):
        pack(folder)


def test_what_is_no_file_is_refused(folder: Path) -> None:
    """A named pipe cannot be packed, and nobody waits for it."""
    os.mkfifo(folder / "pipe")
    with pytest.raises(BadManifest, match="pipe is neither a file nor a link"):
        pack(folder)


@pytest.mark.parametrize("target", ["/etc/passwd", "../secret", "data/../../secret"])
def test_links_to_elsewhere_are_refused(folder: Path, target: str) -> None:
    """A link out of the folder is refused where its author can mend it."""
    (folder / "way-out").symlink_to(target)
    with pytest.raises(BadManifest, match=f"way-out is a link to {target}, outside of the folder of the bot"):
        pack(folder)


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "absolute": (lambda: archive_of(("/tmp/owned", "file", b"x")), "is not a place in the folder"),  # noqa: S108
    "upwards": (lambda: archive_of(("../owned", "file", b"x")), "is not a place in the folder"),
    "around": (lambda: archive_of(("data/../../owned", "file", b"x")), "is not a place in the folder"),
    "itself": (lambda: archive_of((".", "file", b"x")), "is not a place in the folder|and a folder at once"),
    "twice": (lambda: archive_of(("a", "file", b"x"), ("a", "file", b"y")), "is not a place in the folder"),
    "link out": (lambda: archive_of(("a", "/etc", b"")), "outside of the folder"),
    "through a link": (lambda: archive_of(("a", "b", b""), ("a/owned", "file", b"x")), "lies behind a link"),
    "through a later link": (lambda: archive_of(("a/owned", "file", b"x"), ("a", "b", b"")), "lies behind a link"),
    "file as folder": (lambda: archive_of(("a", "file", b"x"), ("a/b", "file", b"y")), "a file and a folder at once"),
    "hard link": (lambda: archive_of(("a", "hard link", b"/etc/passwd")), "neither a file nor a link"),
    "device": (lambda: archive_of(("a", "device", b"")), "neither a file nor a link"),
    "pipe": (lambda: archive_of(("a", "pipe", b"")), "neither a file nor a link"),
    "too many": (lambda: archive_of(*((str(n), "file", b"") for n in range(2_001))), "they are more than 2,000"),
    "other content": (lambda: archive_of(("a", "file", b"x")), "not those that were submitted"),
    "no archive": (lambda: b"rubbish" * 100, "they are not an archive of a bot"),
    "no tar": (lambda: lzma.compress(b"rubbish" * 1000), "they are not an archive of a bot"),
    "cut off": (lambda: archive_of(("a", "file", os.urandom(5_000)))[:-1_000], "the end of them is missing"),
    "bomb": (lambda: lzma.compress(bytes(50 * 2**20), preset=0), "unpacked they are larger than 35 MB"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_archives(kind: str, tmp_path: Path) -> None:
    """An archive that is not what `pack` gives is refused with a sentence, and leaves nothing behind, anywhere."""
    make, reason = HOSTILE[kind]
    nest = tmp_path / "home" / "versions"
    with pytest.raises(BadManifest, match=reason):
        unpack(make(), nest / "copy", "ab" * 32)
    assert [path.name for path in tmp_path.rglob("*")] == ["home", "versions"]
    with pytest.raises(BadManifest, match=reason):
        check(make(), "ab" * 32)
