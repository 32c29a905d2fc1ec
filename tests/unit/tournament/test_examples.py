"""The example files of tournaments, and the page about systems."""

from __future__ import annotations

import re
import tomllib

import pytest

from arena.cli.cupfile import read_cup
from arena.tournament.system import Sitting
from arena.tournament.systems import SYSTEMS, Field, make
from tests.tree import ROOT

EXAMPLES = ROOT / "docs" / "tournaments"


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_example_of_a_system_can_be_played(name: str) -> None:
    """Every system has an example file that the command reads, with bots that are there, and that begins to play."""
    cup = read_cup(EXAMPLES / f"{name}.toml")
    assert cup["system"] == name
    assert all((EXAMPLES / bot / "bot.toml").is_file() for bot in tomllib.loads(_text(name))["bots"])
    players = (2, 3, 4) if cup["players"] == "mixed" else (cup["players"],)
    bots = tuple(bot.rpartition("/")[2] for bot in cup["bots"])
    assert isinstance(make(name, Field(bots, players, cup["seed"]), cup["options"]).next(), Sitting)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_example_shows_every_option(name: str) -> None:
    """Whoever opens the example finds all that can be set, on a line of its own, and nothing else."""
    options = _text(name).partition("[options]")[2]
    shown = re.findall(r"^(?:# )?(\w+) = ", options, re.MULTILINE)
    assert sorted(shown) == sorted(setting.name for setting in SYSTEMS[name].options.settings())


@pytest.mark.parametrize("name", SYSTEMS)
def test_commented_options_are_right_too(name: str) -> None:
    """An option that is only shown can be switched on by itself as it stands."""
    options = _text(name).partition("[options]")[2]
    for line in re.findall(r"^# (\w+ = .*)$", options, re.MULTILINE):
        SYSTEMS[name].options.from_options(tomllib.loads(line))


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_option_is_documented(name: str) -> None:
    """The page about systems mentions every system and every option of it."""
    page = (ROOT / "arena/tournament/systems/README.md").read_text()
    assert f"`{name}`" in page
    missing = [one.name for one in SYSTEMS[name].options.settings() if not re.search(rf"`{one.name}\b", page)]
    assert missing == []


def _text(name: str) -> str:
    return (EXAMPLES / f"{name}.toml").read_text()
