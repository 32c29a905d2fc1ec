"""Which games there are: ours, and those that other distributions register under the entry point ``arena.games``."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from arena_rules.errors import UnknownGame
from arena_rules.game import Game

GROUP = "arena.games"


@cache
def games() -> dict[str, Game[Any]]:
    """All registered games by name, in alphabetical order."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    return {name: found[name].load() for name in sorted(found)}


def game(name: str) -> Game[Any]:
    """The game of that name. Raises UnknownGame."""
    try:
        return games()[name]
    except KeyError:
        raise UnknownGame(f"there is no game '{name}'; there are {', '.join(games())}") from None
