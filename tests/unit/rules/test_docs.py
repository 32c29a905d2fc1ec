"""The pages on the rules say what the code does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena_rules.shelfie import SHELFIE, facts

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/rules/shelfie.md").read_text(encoding="utf-8")
README = ROOT / "sdk/arena_rules/README.md"


def rows(heading: str) -> list[list[str]]:
    """The rows of the first table under a heading, without its head."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_page_lists_every_edition() -> None:
    """Each edition stands there with what it sets, in the order of the code."""
    head = ["refill_trigger", "leftovers"]
    found = {edition: dict(zip(head, values, strict=True)) for edition, *values in rows("Editions")}
    assert found == SHELFIE.editions
    assert f"`{SHELFIE.default_edition}` is the default" in PAGE


def test_the_page_lists_every_option() -> None:
    """Each value of each option stands there with its meaning, the default first."""
    expected = [
        [name if value == option.default else "", value, meaning]
        for name, option in SHELFIE.options.items()
        for value, meaning in option.choices.items()
    ]
    assert rows("Options") == expected


def test_the_page_lists_every_goal() -> None:
    """Common goals stand there by number and name, personal goals with all that they want."""
    assert [row[:2] for row in rows("Common goals")] == [
        [str(number), goal["name"]] for number, goal in facts.COMMON_GOALS.items()
    ]
    assert rows("Personal goals") == [[str(card), personal_goal(card)] for card in facts.PERSONAL_GOALS]


def personal_goal(card: int) -> str:
    wanted = {cell: facts.TILE_LETTERS[tile] for tile, cell in facts.PERSONAL_GOALS[card]}
    letters = "".join(wanted.get(cell, ".") for cell in range(facts.SHELF_CELLS))
    return " ".join(letters[start : start + 5] for start in range(0, 30, 5))


def test_the_page_lists_every_line_of_the_score_sheet() -> None:
    """What earns points is called the same on the page and on the score sheet."""
    score = SHELFIE.deal(2, seed=0).score(0)
    assert [row[0] for row in rows("Points")] == [name for name, _ in score.parts]


def test_the_page_names_every_field_of_the_notation() -> None:
    """States and views have no field that a reader would not find."""
    state = SHELFIE.deal(2, seed=0)
    explained = {name for row in rows("Notation") for name in row[0].replace("`", "").split()}
    fields = {word.split("=")[0] for text in (state, state.view(0)) for word in str(text).split() if "=" in word}
    assert fields | {"option:value"} == explained


def test_the_page_draws_the_board() -> None:
    """The drawing shows for each space from how many players on it is in use."""
    drawing = PAGE.split("   a b c d e f g h i\n")[1].split("```")[0].splitlines()
    for row, line in enumerate(drawing):
        for column in range(9):
            dots = line.ljust(22)[3 + 2 * column]
            players = [n for n in facts.PLAYERS if row * 9 + column in facts.SPACES[n]]
            assert dots == (str(players[0]) if players else " "), (row, column)


def test_the_readme_opens_with_a_game_that_runs() -> None:
    """The first block of the page can be run as it stands and shows a result for each seat."""
    block = README.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    run = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, check=True, timeout=30)
    assert re.fullmatch(r"(seat \d: rank \d, \d+ points\n){3}", run.stdout)


def test_the_readme_names_every_module() -> None:
    """A newcomer finds each file of the package in the list."""
    text = README.read_text(encoding="utf-8")
    files = {path.name for path in README.parent.glob("*.py")} - {"__init__.py"}
    assert [name for name in sorted(files) if f"`{name}`" not in text] == []


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", PAGE))
def test_links_of_the_page_lead_somewhere(link: str) -> None:
    """Every file that the page points to exists."""
    assert (ROOT / "docs/rules" / link).exists()
