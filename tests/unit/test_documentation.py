"""What the documentation shows is run, and what it lists is compared with the code, so that it stays true."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from arena.launch.manifest import KEYS
from arena_sdk import Exit, Turn
from tests import tree
from tests.pages import Block, Reader, blocks
from tests.tree import ROOT

LINK = re.compile(r"\]\((?!https?:|mailto:|#)(?P<target>[^)#\s]+)")
PAGES = [str(path.relative_to(ROOT)) for path in tree.pages()]


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """A reader in a folder with all that a clone has; the bots are copies, as they may be written to."""
    for path in filter(tree.belongs, ROOT.iterdir()):
        if path.name == "bots":
            shutil.copytree(path, tmp_path / path.name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)
    return Reader(tmp_path)


@pytest.mark.parametrize("page", PAGES)
def test_page_does_what_it_shows(page: str, reader: Reader) -> None:
    """Every block of every page that can be run does what the page says."""
    reader.read(page, (ROOT / page).read_text())


@pytest.mark.parametrize("page", PAGES)
def test_no_block_hides(page: str) -> None:
    """What looks like something to run is marked as such, or as text."""
    hidden = [block.where for block in blocks(page, (ROOT / page).read_text()) if hides(block)]
    assert hidden == []


def hides(block: Block) -> bool:
    """Whether it looks like something to run under a name by which it is not run."""
    prompt = block.text.startswith(("$ ", ">>> ")) and block.language not in {"python", "console", "text"}
    return prompt or block.language in {"bash", "py", "pycon", "python3", "sh", "shell"}


@pytest.mark.parametrize("page", ["README.md", "sdk/README.md"])
def test_page_opens_with_something_to_run(page: str) -> None:
    """A newcomer can run the first thing that a page shows."""
    first = next(blocks(page, (ROOT / page).read_text()))
    assert first.language in {"python", "console"}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """A link to a place in the repository leads to something that is there."""
    targets = [match["target"] for match in LINK.finditer((ROOT / page).read_text())]
    assert [target for target in targets if not (ROOT / page).parent.joinpath(target).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_targets_of_make_exist(page: str) -> None:
    """Nobody is told to make what make does not know."""
    known = set(re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))
    told = set(re.findall(r"(?:`|\$ )make ([a-z]+)", (ROOT / page).read_text()))
    assert told - known == set()


def listed(page: str, heading: str) -> set[str]:
    """The first column of the table under a heading, without its code marks."""
    section = (ROOT / page).read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return {cell.strip(" `") for cell in re.findall(r"^\|([^|]+)\|", section, re.MULTILINE)} - {
        "",
        "---",
        "key",
        "code",
    }


def test_every_part_of_a_turn_is_documented() -> None:
    """The guide for authors lists what a turn has, and nothing that it has not."""
    public = {name for name in dir(Turn) if not name.startswith("_")}
    assert {name.removeprefix("turn.") for name in listed("sdk/README.md", "What a turn holds")} == public - {
        "time_left_ms"
    }


def test_every_key_of_a_manifest_is_documented() -> None:
    """The guide for authors lists what may stand in a bot.toml."""
    assert listed("sdk/README.md", "bot.toml") == set(KEYS)


def test_every_exit_code_is_documented() -> None:
    """The guide for authors lists every way in which a bot can end."""
    assert listed("sdk/README.md", "When it ends") == {str(int(code)) for code in Exit}


RIGHT = {
    "code": "```python\nassert 1 + 1 == 2\n```\n",
    "names live on": "```python\nx = 1\n```\nand\n```python\nassert x == 1\n```\n",
    "doctest": "```python\n>>> 1 + 1\n2\n```\n",
    "command": "```console\n$ true\n$ echo deal, seat, line-up\ndeal, ... line-up\n```\n",
    "file": "```python file=a/b.py\nprint(7)\n```\n```console\n$ python a/b.py\n7\n```\n",
    "text": "```text\n$ false\n```\n",
}
WRONG = {
    "code": "```python\nassert 1 + 1 == 3\n```\n",
    "doctest": "```python\n>>> 1 + 1\n3\n```\n",
    "doctest that raises": "```python\n>>> 1 / 0\n```\n",
    "command": "```console\n$ false\n```\n",
    "command in a pipe": "```console\n$ false | cat\n```\n",
    "output": "```console\n$ echo deal\nseat\n```\n",
    "second command": "```console\n$ echo deal\ndeal\n$ echo seat\ndeal\n```\n",
    "in a list": "1. do\n   ```console\n   $ echo deal\n   seat\n   ```\n",
    "no command": "```console\nmake\n```\n",
}


@pytest.mark.parametrize("what", RIGHT)
def test_a_true_page_passes(what: str, reader: Reader) -> None:
    """Pages that say what is so are accepted."""
    reader.read("page.md", RIGHT[what])


@pytest.mark.parametrize("opening", ["```\n$ true\n", "```\n>>> 1\n", "```bash\nmake\n", "```py\n1\n"])
def test_a_block_that_hides_is_found(opening: str) -> None:
    """A command under the name of another language, or under none, is found out."""
    assert [hides(block) for block in blocks("page.md", f"{opening}```\n")] == [True]


@pytest.mark.parametrize("what", WRONG)
def test_a_false_page_fails(what: str, reader: Reader) -> None:
    """Pages that say what is not so are found out, with the place where they say it."""
    with pytest.raises(AssertionError) as caught:
        reader.read("page.md", WRONG[what])
    assert "page.md" in str(caught.getrepr(style="native"))
