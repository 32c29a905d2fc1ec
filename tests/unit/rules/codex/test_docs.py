"""The page on the rules says what the code does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from arena_rules.chance import shuffled
from arena_rules.codex import CODEX, facts
from arena_rules.codex.moves import SOURCES
from tests.unit.rules.codex.laid import fields, table

PAGE = (Path(__file__).parents[4] / "docs/rules/codex.md").read_text(encoding="utf-8")
LETTERS = dict(zip(facts.SYMBOLS, facts.SYMBOL_LETTERS, strict=True))


def tables(heading: str) -> list[list[list[str]]]:
    """The tables under a heading, each without its head."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    parts = [part.splitlines() for part in section.strip().split("\n\n") if part.startswith("|")]
    return [[[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in part[2:]] for part in parts]


def test_the_page_lists_every_symbol() -> None:
    """Each symbol stands there with its letter."""
    assert tables("The cards")[0] == [[name, letter] for name, letter in LETTERS.items()]


def test_the_page_lists_every_resource_card() -> None:
    """Their corners stand there in the order of their numbers, those with a point apart."""
    for kingdom, plain, scoring in tables("The cards")[1]:
        cards = [card for card in facts.RESOURCE_CARDS.values() if card["kingdom"] == kingdom]
        written = [(plain.replace("`", "").split(), 0), (scoring.replace("`", "").split(), 1)]
        for corners, points in written:
            assert corners == [card["corners"] for card in cards if card.get("points", 0) == points]


def test_the_page_lists_every_gold_card_and_starter() -> None:
    """Corners, points and costs are those of the code."""
    golds, starters = tables("The cards")[2:]
    assert golds == [
        [name, card["corners"], points(card), "".join(LETTERS[symbol] * n for symbol, n in card["cost"].items())]
        for name, card in facts.GOLD_CARDS.items()
    ]
    assert starters == [
        [name, card["front"], card["centre"], card["back"]] for name, card in facts.STARTER_CARDS.items()
    ]


def points(card: Mapping[str, Any]) -> str:
    return f"{card['points']} for each {card['per']}" if "per" in card else f"{card['points']}"


def test_the_page_lists_every_objective() -> None:
    """Each objective stands there with its points and what it wants."""
    expected = [[name, str(card["points"]), card["about"]] for name, card in facts.OBJECTIVE_CARDS.items()]
    assert tables("Objectives")[0] == expected


def test_the_page_names_every_edition() -> None:
    """There is one, and it sets nothing."""
    assert CODEX.editions == {"standard": {}}
    assert f"`{CODEX.default_edition}` is the default" in PAGE


def test_the_page_lists_every_option() -> None:
    """Each value of each option stands there with its meaning, the default first."""
    assert tables("Options")[0] == [
        [name if value == option.default else "", value, meaning]
        for name, option in CODEX.options.items()
        for value, meaning in option.choices.items()
    ]


def test_the_page_lists_every_line_of_the_score_sheet() -> None:
    """What earns points is called the same on the page and on the score sheet."""
    assert [row[0] for row in tables("Points")[0]] == [name for name, _ in CODEX.deal(2, seed=0).score(0).parts]


def test_the_page_names_every_field_of_the_notation() -> None:
    """States and views have no field that a reader would not find."""
    state = CODEX.deal(2, seed=0)
    explained = {name for row in tables("Notation")[1] for name in row[0].replace("`", "").split()}
    assert fields(state).keys() | fields(state.view(0)).keys() | {"option:value"} == explained


@pytest.mark.parametrize("move", [move for row in tables("Notation")[0] for move in row[0].replace("`", "").split()])
def test_moves_of_the_page_can_be_read(move: str) -> None:
    """What the page shows as a move is one."""
    assert str(CODEX.read_move(move)) == move


def test_the_page_names_every_source() -> None:
    """All six places to draw from."""
    assert " ".join(f"`{source}`" for source in SOURCES[:4]) in PAGE
    assert " ".join(f"`{source}`" for source in SOURCES[4:]) + " for the decks" in PAGE


def test_the_page_draws_an_area() -> None:
    """The picture is what the code draws."""
    state = table(areas={0: "S1@0,0/R02@1,1/R15@2,0/R22b@1,-1"}, hands={0: "-,-,-"})
    drawn = ["".join(text for text, _ in line).rstrip() for line in state.picture()]
    shown = PAGE.split("a dot at each open place:\n\n```text\n")[1].split("\n```")[0].split("\n")
    start = drawn.index(shown[0])
    assert drawn[start : start + len(shown)] == shown


def test_the_page_names_every_stream() -> None:
    """Each deck has its own; whoever deals from these four streams has the cards of the game."""
    streams = {"resources": ("resource deck", facts.RESOURCE_CARDS), "golds": ("gold deck", facts.GOLD_CARDS)}
    dealt = fields(CODEX.deal(2, seed=9))
    for name, (stream, cards) in streams.items():
        assert f"`{stream}`" in PAGE
        assert dealt[name].split(",") == shuffled(9, stream, cards)[:1:-1]
    assert dealt["starters"].split(",") == shuffled(9, "starter deck", facts.STARTER_CARDS)[:2]
    assert dealt["objectives"].split(",") == shuffled(9, "objective deck", facts.OBJECTIVE_CARDS)[:6]
    assert "`starter deck`" in PAGE
    assert "`objective deck`" in PAGE
