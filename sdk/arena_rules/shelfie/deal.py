"""What is fixed before the first move: the rules at this table, the goal cards and the bag."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from arena_rules.chance import numbers, shuffled
from arena_rules.game import Options
from arena_rules.shelfie.facts import COMMON_GOALS, PERSONAL_GOALS, SPACES, TILE_TYPES, TILES_PER_TYPE, TOKENS
from arena_rules.shelfie.goals import CommonGoal, common_goal
from arena_rules.shelfie.moves import LINES_UP_TO, Line, mask_of, takeable_cells, touching_pairs

ALL_TILES: Final = bytes([tile for tile in TILE_TYPES for _ in range(TILES_PER_TYPE)])


class Rules:
    """The rules for a number of players and a choice of options."""

    __slots__ = (
        "full_board",
        "full_pairs",
        "full_takeable",
        "goals_in_play",
        "leftovers_stay",
        "lines_up_to",
        "options",
        "players",
        "refill_when_apart",
        "spaces",
        "tokens",
    )

    def __init__(self, players: int, options: Options) -> None:
        self.players = players
        self.options = options
        self.goals_in_play = int(options["common_goals"])
        self.refill_when_apart = options["refill_trigger"] == "no_adjacent_tiles"
        self.leftovers_stay = options["leftovers"] == "stay_on_board"
        self.tokens = TOKENS[players]
        self.spaces = SPACES[players]
        self.full_board = mask_of(self.spaces)
        self.full_takeable = takeable_cells(self.full_board)
        self.full_pairs = touching_pairs(self.full_board)
        self.lines_up_to: list[list[Line]] = LINES_UP_TO[players]


@lru_cache(256)
def _rules(players: int, options: tuple[tuple[str, str], ...]) -> Rules:
    return Rules(players, dict(options))


def rules_of(players: int, options: Options) -> Rules:
    return _rules(players, tuple(sorted(options.items())))


@lru_cache(1024)
def _goals(rules: Rules, cards: tuple[int, ...]) -> tuple[CommonGoal, ...]:
    return tuple(common_goal(card, rules.options) for card in cards)


class Deal:
    """The goal cards on the table and the seed of the refills. Never changes; all states of a game share it."""

    __slots__ = ("common_goals", "goals", "least_tiles", "personal_goals", "rules", "seed")

    def __init__(
        self, rules: Rules, seed: int, common_goals: tuple[int, ...], personal_goals: tuple[int | None, ...]
    ) -> None:
        self.rules = rules
        self.seed = seed
        self.common_goals = common_goals
        self.goals = _goals(rules, common_goals)
        self.least_tiles = min(goal.least_tiles for goal in self.goals)
        """No shelf with fewer tiles fulfils any of the goals: most turns end with this comparison."""
        self.personal_goals = personal_goals
        """One per seat; None where it is not known, which only happens behind a view."""


def deal(rules: Rules, seed: int) -> Deal:
    common = shuffled(seed, "common goals", COMMON_GOALS)[: rules.goals_in_play]
    personal = shuffled(seed, "personal goals", PERSONAL_GOALS)[: rules.players]
    return Deal(rules, seed, tuple(common), tuple(personal))


def full_bag(seed: int) -> bytes:
    """All tiles in the order in which they will be drawn, the next one at the end."""
    return bytes(shuffled(seed, "bag", ALL_TILES))


def put_back(bag: bytes, tiles: bytes, seed: int, refill: int) -> bytes:
    """The bag with tiles mixed in. Those that were in it keep their order, so that a player who leaves other tiles over
    than another would have changes as little as possible of what is drawn."""
    mixed = bytearray(bag)
    for tile, number in zip(tiles, numbers(seed, f"refill {refill}", len(tiles)), strict=True):
        mixed.insert(number % (len(mixed) + 1), tile)
    return bytes(mixed)
