"""What is fixed before the first move: the rules at this table and the order of the four decks."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from arena_rules.chance import shuffled
from arena_rules.codex.cards import GOLDS, RESOURCES, STARTERS
from arena_rules.codex.facts import COMMON_OBJECTIVES, OFFERED_OBJECTIVES, TRACK_END
from arena_rules.codex.objectives import OBJECTIVES
from arena_rules.game import Options

_NO_CAP: Final = 1 << 30


class Rules:
    """The rules for a number of players and a choice of options."""

    __slots__ = (
        "count_covered_objects",
        "draw_in_last_round",
        "end_at_either_deck",
        "end_at_no_card",
        "options",
        "players",
        "refill_from_other",
        "tie_by_points",
        "track_end",
    )

    def __init__(self, players: int, options: Options) -> None:
        self.players = players
        self.options = options
        self.refill_from_other = options["face_up_refill"] == "other_deck"
        self.track_end = TRACK_END if options["score_track"] == "cap_29" else _NO_CAP
        self.tie_by_points = options["tie_break"] == "objective_points"
        self.end_at_either_deck = options["deck_end"] == "either_deck_empty"
        self.end_at_no_card = options["deck_end"] == "no_card_left"
        self.count_covered_objects = options["object_points"] == "before_covering"
        self.draw_in_last_round = options["last_round_draw"] == "as_usual"


@lru_cache(256)
def _rules(players: int, options: tuple[tuple[str, str], ...]) -> Rules:
    return Rules(players, dict(options))


def rules_of(players: int, options: Options) -> Rules:
    return _rules(players, tuple(sorted(options.items())))


class Deal:
    """The decks as they were shuffled. Never changes; all states of a game share it."""

    __slots__ = ("decks", "objectives", "rules", "starters")

    def __init__(
        self, rules: Rules, decks: tuple[bytes, ...], starters: tuple[int, ...], objectives: tuple[int, ...]
    ) -> None:
        self.rules = rules
        self.decks = decks
        """The resource and the gold deck, the top card last. States know how many cards are left of each."""
        self.starters = starters
        """One per seat."""
        self.objectives = objectives
        """The common ones, then two for each seat; NO_OBJECTIVE where not known, which only happens behind a view."""

    @property
    def common(self) -> tuple[int, ...]:
        return self.objectives[:COMMON_OBJECTIVES]

    def offer(self, seat: int) -> tuple[int, ...]:
        """The two objectives of which the seat keeps one."""
        start = COMMON_OBJECTIVES + seat * OFFERED_OBJECTIVES
        return self.objectives[start : start + OFFERED_OBJECTIVES]


def deal(rules: Rules, seed: int) -> Deal:
    resources = bytes(shuffled(seed, "resource deck", RESOURCES)[::-1])
    golds = bytes(shuffled(seed, "gold deck", GOLDS)[::-1])
    starters = shuffled(seed, "starter deck", STARTERS)[: rules.players]
    dealt = COMMON_OBJECTIVES + rules.players * OFFERED_OBJECTIVES
    objectives = shuffled(seed, "objective deck", OBJECTIVES)[:dealt]
    return Deal(rules, (resources, golds), tuple(starters), tuple(objectives))
