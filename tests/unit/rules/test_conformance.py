"""Every registered game keeps the laws of the conformance kit."""

from __future__ import annotations

from typing import Any

import pytest

from arena_rules import Game, games
from arena_rules.testing import LAWS, Table, check_facts, check_game, check_table, random_game, tables
from tests.unit.rules.coins import Coins

EVERY_TABLE = [
    pytest.param(game, table, id=f"{game.name}-{table.players}-{table.rules.replace(' ', '-')}")
    for game in games().values()
    for table in tables(game)
]


@pytest.mark.parametrize(("game", "table"), EVERY_TABLE)
def test_every_registered_game_keeps_every_law_at_every_table(game: Game[Any], table: Table) -> None:
    """With any number of players, in any edition and with any option, a registered game passes the conformance kit."""
    check_table(game, table, games=1, seed=100)  # `make soak` plays thousands


@pytest.mark.parametrize("game", [pytest.param(game, id=game.name) for game in games().values()])
def test_every_registered_game_says_sound_things_of_itself(game: Game[Any]) -> None:
    """Editions, options and numbers of players hang together, and each game is registered under its own name."""
    check_facts(game)
    assert games()[game.name] is game


def test_a_sound_game_passes_as_a_whole() -> None:
    """The toy game that the other tests break has nothing wrong with it to begin with."""
    check_game(Coins(), games=5)


def test_tables_cover_every_player_count_edition_and_option_value() -> None:
    """The kit sits down at each edition, and at each option value that the default edition does not have."""
    found = [(table.players, table.rules, table.options["heap"]) for table in tables(Coins())]
    per_count = [("edition first", "12"), ("edition second", "15"), ("heap=15", "15")]
    assert found == [(players, *rules) for players in (2, 3) for rules in per_count]


def test_a_random_game_can_be_played_again() -> None:
    """The players, the seed and the options are enough to see the game of a broken law once more."""
    first, again = (random_game(Coins(), 3, seed=5) for _ in range(2))
    assert first.written == again.written
    assert first.moves == again.moves
    assert first.written != random_game(Coins(), 3, seed=6).written


def test_laws_have_names_that_people_can_read() -> None:
    """A law is known by its name, so no two share one."""
    assert len({law.__name__ for law in LAWS}) == len(LAWS)
    assert all("_" in law.__name__ and not law.__name__.startswith("_") for law in LAWS)
