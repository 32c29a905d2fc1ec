"""The conformance kit: plays a game at every table that it offers and holds the laws of `arena_rules.laws` against it.

    from arena_rules.testing import check_game

    def test_my_game() -> None:
        check_game(MY_GAME)

A broken law is an AssertionError whose sentence names the game, the table, the seed and the turn; `random_game` with
the same players, seed and options plays that game again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from arena_rules.chance import derive
from arena_rules.errors import BadOptions
from arena_rules.game import Game
from arena_rules.laws import LAWS, Law, raises
from arena_rules.playthrough import MOST_TURNS, Playthrough, Table, play_on, random_game, tables

__all__ = [
    "LAWS",
    "Law",
    "Playthrough",
    "Table",
    "check_facts",
    "check_game",
    "check_table",
    "play_on",
    "random_game",
    "tables",
]


def check_game(game: Game[Any], *, games: int = 2, seed: int = 0, most_turns: int = MOST_TURNS) -> None:
    """Play so many games at every table that the game offers, and raise AssertionError for the first broken law."""
    check_facts(game)
    for table in tables(game):
        check_table(game, table, games=games, seed=seed, most_turns=most_turns)


def check_table(game: Game[Any], table: Table, *, games: int = 2, seed: int = 0, most_turns: int = MOST_TURNS) -> None:
    """Play so many games at one table, with seeds from ``seed`` on, and hold every law against them."""
    for deal in range(seed, seed + games):
        with _blamed(f"{game.name}, {table.players} players, {table.rules}, seed {deal}: a random game"):
            play = random_game(game, table.players, deal, table.options, rules=table.rules, most_turns=most_turns)
        for law in LAWS:
            with _blamed(f"{play.where}: '{law.__name__.replace('_', ' ')}'"):
                law(play, Random(derive(deal, law.__name__)))


def check_facts(game: Game[Any]) -> None:
    """What the game says of itself hangs together, and a number of players that it does not offer is refused."""
    _demand(re.fullmatch(r"[a-z][a-z0-9_]*", game.name) is not None, game, "its name is not one lower-case word")
    _demand(list(game.players) == sorted(set(game.players)), game, "its numbers of players are not in order")
    _demand(game.default_edition in game.editions, game, f"there is no edition '{game.default_edition}'")
    for name, option in game.options.items():
        _demand(option.default in option.choices, game, f"the default of option {name} cannot be chosen")
    for edition, preset in game.editions.items():
        for name, value in preset.items():
            known = name in game.options and value in game.options[name].choices
            _demand(known, game, f"edition {edition} sets {name}={value}, which cannot be chosen")
    for players in {0, 1, game.players[-1] + 1} - set(game.players):
        _demand(raises(BadOptions, game.deal, players, 0), game, f"a deal for {players} is not refused with BadOptions")


def _demand(kept: bool, game: Game[Any], sentence: str) -> None:
    if not kept:
        raise AssertionError(f"{game.name}: {sentence}")


@contextmanager
def _blamed(what: str) -> Iterator[None]:
    """An exception that the game should not have raised is a broken law as well."""
    try:
        yield
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(f"{what} ended in {type(error).__name__}: {error}") from error
