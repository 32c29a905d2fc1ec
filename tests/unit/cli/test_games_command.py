"""`arena games`."""

from __future__ import annotations

import json

from arena_rules import games
from tests.unit.cli.conftest import Arena


def test_the_list(arena: Arena) -> None:
    """Every registered game has a row with its players, version and editions."""
    lines = arena("games").stdout.splitlines()
    assert lines[0].split() == ["game", "title", "players", "rules", "editions"]
    assert [line.split()[0] for line in lines[2:]] == list(games())
    row = next(line for line in lines if line.startswith("shelfie"))
    assert row.split()[1:6] == ["My", "Shelfie", "2", "to", "4"]
    assert row.rstrip().endswith("en-2022, en-revised (default), it, de")


def test_one_game(arena: Arena) -> None:
    """With a name, all its editions and options are explained."""
    text = arena("games", "shelfie").stdout
    assert "  it: refill_trigger=no_adjacent_tiles, leftovers=stay_on_board\n" in text
    assert "  en-revised (default): every option at its default\n" in text
    for name, option in games()["shelfie"].options.items():
        assert f"option {name}\n  {option.about}\n" in text
        for choice, sentence in option.choices.items():
            assert any(line.split()[:1] == [choice] and sentence in line for line in text.splitlines())


def test_json(arena: Arena) -> None:
    """Programs get the same facts as people."""
    (listed,) = [each for each in json.loads(arena("games", "--format", "json").stdout) if each["name"] == "shelfie"]
    assert listed == json.loads(arena("games", "shelfie", "--format", "json").stdout)
    assert listed["players"] == [2, 3, 4]
    assert listed["editions"]["it"]["leftovers"] == "stay_on_board"
    assert listed["options"]["common_goals"]["choices"] == {"2": "the full game", "1": "the first game"}


def test_an_unknown_game(arena: Arena) -> None:
    """A name that is not registered is refused with those that are."""
    result = arena("games", "ludo")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: there is no game 'ludo'; there are ")
