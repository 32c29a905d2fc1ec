"""The shape of the repository: rooms, what they import, what the two distributions carry, what no file may say."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests import tree
from tests.tree import ROOT

BUILD = "import sys, setuptools.build_meta as backend; print(backend.build_wheel(sys.argv[1]))"
FORBIDDEN = {
    "somebody's home": r"/(?:home|Users|root)/\w",
    "a folder of one machine": r"/(?:work|opt/pypi)\b\S*/",
    "a package index": r"index[-_]url\b|find[-_]links\b|\b(?:pypi|pythonhosted|npmjs)\.org",
}


def project(folder: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / folder / "pyproject.toml").read_text())


def packages(folder: Path, *names: str) -> set[str]:
    """The dotted names of the folders with Python code in them."""
    found = {path.parent for name in names for path in tree.files(folder / name) if path.suffix == ".py"}
    return {".".join(path.relative_to(folder).parts) for path in found}


def imported(path: Path) -> Iterator[str]:
    """The first parts of the names of all modules that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


def strangers(folder: Path, allowed: set[str]) -> dict[str, set[str]]:
    """By file: what it imports beyond the standard library, its own folder and what is allowed."""
    own = {path.stem for path in folder.iterdir()}
    found = {
        str(path.relative_to(ROOT)): set(imported(path)) - sys.stdlib_module_names - own - allowed
        for path in tree.files(folder)
        if path.suffix == ".py"
    }
    return {name: modules for name, modules in found.items() if modules}


def offences(text: str) -> list[str]:
    return [what for what, pattern in FORBIDDEN.items() if re.search(pattern, text)]


@pytest.mark.parametrize(
    "name",
    [
        *("README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", ".ci/run", "pyproject.toml"),
        *("proto/README.md", "sdk/README.md", "sdk/pyproject.toml", "tests/README.md", "arena", "bots"),
    ],
)
def test_a_newcomer_finds(name: str) -> None:
    """What people look for in a repository is where they look for it."""
    assert (ROOT / name).exists()


def test_sdk_lists_every_package() -> None:
    """A package of the SDK that is not listed would be missing from its wheel."""
    listed = project("sdk")["tool"]["setuptools"]["packages"]
    assert set(listed) == packages(ROOT / "sdk", "arena_rules", "arena_sdk")
    assert all((ROOT / "sdk" / name.replace(".", "/") / "__init__.py").exists() for name in listed)


def test_the_two_distributions_go_together() -> None:
    """The platform asks for the SDK of its own version, and both come under the same licence."""
    platform, sdk = project(".")["project"], project("sdk")["project"]
    assert f"arena-sdk=={sdk['version']}" in platform["dependencies"]
    assert platform["version"] == sdk["version"]
    assert (ROOT / "LICENSE").read_text() == (ROOT / "sdk" / "LICENSE").read_text()


def build(folder: str, scratch: Path) -> ZipFile:
    """The wheel of a distribution, built from a copy so that nothing is left behind in the tree."""
    leave = shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT / folder, scratch / "source", ignore=leave)
    (scratch / "wheel").mkdir()
    command = [sys.executable, "-c", BUILD, str(scratch / "wheel")]
    subprocess.run(command, cwd=scratch / "source", check=True, capture_output=True)
    return ZipFile(next((scratch / "wheel").iterdir()))


def carried(folder: str, package: str) -> set[str]:
    """What a wheel must hold of a package: all but the pages for readers of the source."""
    base = ROOT / folder
    return {str(path.relative_to(base)) for path in tree.files(base / package) if path.suffix != ".md"}


def metadata(wheel: ZipFile) -> dict[str, list[str]]:
    name = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    message = message_from_bytes(wheel.read(name))
    return {field: message.get_all(field, []) for field in ("Name", "Requires-Dist", "License-File")}


def test_wheel_of_the_sdk(tmp_path: Path) -> None:
    """Installed alone, the SDK has its code, data and types, and wants grpcio and protobuf, nothing else."""
    wheel = build("sdk", tmp_path)
    wanted = carried("sdk", "arena_rules") | carried("sdk", "arena_sdk")
    assert wanted - set(wheel.namelist()) == set()
    assert "arena_rules/shelfie/facts.json" in wanted
    about = metadata(wheel)
    assert about["Name"] == ["arena-sdk"]
    assert about["License-File"] == ["LICENSE"]
    assert [re.split(r"\W", need)[0] for need in about["Requires-Dist"]] == ["grpcio", "protobuf"]


def test_wheel_of_the_platform(tmp_path: Path) -> None:
    """Every file of the platform is in its wheel, and nothing that is not the platform's."""
    wheel = build(".", tmp_path)
    names = set(wheel.namelist())
    assert carried(".", "arena") - names == set()
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"arena"}
    assert metadata(wheel)["Name"] == ["arena-platform"]


@pytest.mark.parametrize("bot", [path.name for path in sorted((ROOT / "bots").iterdir()) if path.is_dir()])
def test_bots_import_the_sdk_only(bot: str) -> None:
    """A bundled bot uses nothing that another author would not have."""
    assert strangers(ROOT / "bots" / bot, {"arena_sdk", "arena_rules"}) == {}


def test_rules_import_the_standard_library_only() -> None:
    """The rules can be read, run and translated without knowing anything else; mypy brings its own words."""
    assert strangers(ROOT / "sdk" / "arena_rules", {"arena_rules", "mypy_extensions"}) == {}


def test_sdk_imports_what_it_declares() -> None:
    """The SDK gets by with grpcio and protobuf; uvloop is used when it happens to be there."""
    assert strangers(ROOT / "sdk" / "arena_sdk", {"arena_sdk", "arena_rules", "google", "grpc", "uvloop"}) == {}


def test_an_import_of_the_platform_is_noticed(tmp_path: Path) -> None:
    """The check of imports sees those inside functions too."""
    (tmp_path / "bot.py").write_text("def f():\n    from arena.record import MatchSpec\n")
    assert set(imported(tmp_path / "bot.py")) == {"arena"}


def test_no_file_speaks_of_one_machine() -> None:
    """What is in the repository holds everywhere."""
    texts = {path: path.read_text(errors="ignore") for path in tree.files()}
    assert {str(path.relative_to(ROOT)): offences(text) for path, text in texts.items() if offences(text)} == {}


@pytest.mark.parametrize("text", ["~home~ann~arena", "~work~arena~x", "https:~~pypi+org~simple"])
def test_words_of_one_machine_are_noticed(text: str) -> None:
    """Paths of a person's machine and package indexes are found in a text. (Written here so that they are not.)"""
    text = text.replace("~", "/").replace("+", ".")
    assert len(offences(f"see {text} for more")) == 1
