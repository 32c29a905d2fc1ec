"""From the bot folders on the command line to a line-up and the game it can play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.errors import UsageError
from arena_rules import Game, game, games

if TYPE_CHECKING:
    from arena.launch.manifest import Manifest


@dataclass(frozen=True, slots=True)
class Lineup:
    """The bots that were named, in that order."""

    names: tuple[str, ...]
    bots: Mapping[str, Manifest]
    """By name; a folder that was named twice is here once."""


def read_lineup(folders: Sequence[Path]) -> Lineup:
    """The bots in these folders. Raises UsageError for folders that are not bots, or that share a name."""
    from arena.launch.manifest import read_manifest

    if len(folders) < 2:
        raise UsageError(
            "a match needs two bots or more: name their folders, as in arena match bots/greedy bots/random"
        )
    bots: dict[str, Manifest] = {}
    names = []
    for folder in folders:
        bot = read_manifest(folder)
        other = bots.setdefault(bot.name, bot)
        if other.folder.resolve() != bot.folder.resolve():
            raise UsageError(
                f"two bots are called '{bot.name}', in {other.folder} and {bot.folder}; rename one in its bot.toml"
            )
        names.append(bot.name)
    return Lineup(tuple(names), bots)


def choose_game(lineup: Lineup, name: str | None) -> Game[Any]:
    """The game of that name, or the only one that all bots play. Raises unless the line-up can play it."""
    chosen = game(name or _only_shared_game(lineup))
    for bot in lineup.bots.values():
        if chosen.name not in bot.games:
            raise UsageError(f"the bot '{bot.name}' does not play {chosen.name}; it plays {', '.join(bot.games)}")
    chosen.check_players(len(lineup.names))
    return chosen


def _only_shared_game(lineup: Lineup) -> str:
    shared = [name for name in games() if all(name in bot.games for bot in lineup.bots.values())]
    if len(shared) == 1:
        return shared[0]
    if shared:
        raise UsageError(f"these bots can play {' and '.join(shared)}; choose one with --game")
    played = "; ".join(f"{bot.name} plays {', '.join(bot.games)}" for bot in lineup.bots.values())
    raise UsageError(f"there is no game that all of these bots play: {played}")
