"""The content hash: it changes with what the bot does, and with nothing else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from arena.errors import BadManifest
from arena.launch import content_hash


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small bot."""
    place = tmp_path / "owl"
    (place / "data").mkdir(parents=True)
    (place / "bot.py").write_text("print('owl')\n")
    (place / "data" / "weights.bin").write_bytes(bytes(range(256)))
    return place


def test_known_value(folder: Path) -> None:
    """The hash of a given folder is the same on every machine and for all time."""
    assert content_hash(folder) == "de4718acc242ef8bba975b0fd011d8aae8694c6d655b66143db45667357c8961"


def test_a_copy_has_the_same_hash(folder: Path, tmp_path: Path) -> None:
    """Neither the place nor the times of the files count."""
    copy = shutil.copytree(folder, tmp_path / "copy", copy_function=shutil.copy)
    os.utime(copy / "bot.py", (1, 1))
    assert content_hash(copy) == content_hash(folder)


CHANGES = {
    "content": lambda folder: (folder / "bot.py").write_text("print('eagle')\n"),
    "name": lambda folder: (folder / "bot.py").rename(folder / "bob.py"),
    "place": lambda folder: (folder / "bot.py").rename(folder / "data" / "bot.py"),
    "new file": lambda folder: (folder / "empty").touch(),
    "hidden file": lambda folder: (folder / ".settings").touch(),
    "executable bit": lambda folder: (folder / "bot.py").chmod(0o755),
    "link": lambda folder: (folder / "link").symlink_to("bot.py"),
    "link to a folder": lambda folder: (folder / "link").symlink_to("data"),
    "build further down": lambda folder: (folder / "data" / "build").touch(),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_changes_it(what: str, folder: Path) -> None:
    """What can change how the bot plays gives another hash."""
    before = content_hash(folder)
    CHANGES[what](folder)
    assert content_hash(folder) != before


@pytest.mark.parametrize(
    "name",
    [
        *("__pycache__/bot.cpython-311.pyc", "data/__pycache__/x", "old.pyc", ".git/HEAD", ".venv/pyvenv.cfg"),
        *("node_modules/left/pad.js", ".mypy_cache/x", ".pytest_cache/x", ".ruff_cache/x", ".cache/x", ".hypothesis/x"),
        *("build/bot.o", "target/release/bot"),
    ],
)
def test_what_tools_leave_does_not_count(name: str, folder: Path) -> None:
    """Running, testing or building a bot does not make another version of it."""
    before = content_hash(folder)
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("left by a tool")
    assert content_hash(folder) == before


def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    """A link counts by where it points: what stands there, even outside the folder, is never read."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (folder / "link").symlink_to(outside)
    (folder / "loop").symlink_to(".")
    before = content_hash(folder)
    (outside / "secret").write_text("not the bot's")
    assert content_hash(folder) == before
    (folder / "link").unlink()
    (folder / "link").symlink_to("elsewhere")
    assert content_hash(folder) != before


def test_a_link_is_not_a_file_with_its_text(folder: Path) -> None:
    """A link cannot pass for a file that holds the path it points to."""
    (folder / "link").symlink_to("bot.py")
    before = content_hash(folder)
    (folder / "link").unlink()
    (folder / "link").write_text("bot.py")
    assert content_hash(folder) != before


def test_a_named_pipe_does_not_block(folder: Path) -> None:
    """A pipe in the folder is noticed, but not opened: that would wait for ever."""
    before = content_hash(folder)
    os.mkfifo(folder / "pipe")
    assert content_hash(folder) != before


def test_missing_folder(tmp_path: Path) -> None:
    """A folder that is not there has no hash, and the sentence says which."""
    with pytest.raises(BadManifest, match="nowhere cannot be read"):
        content_hash(tmp_path / "nowhere")
