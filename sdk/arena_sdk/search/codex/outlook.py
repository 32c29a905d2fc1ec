"""What an area and a hand will bring in the turns that are left."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from arena_rules.codex.cards import (
    BACK,
    CORNER_SHIFT,
    COST,
    FIRST_BACK,
    FIRST_GOLD,
    FIRST_STARTER,
    FLAT,
    GAIN,
    GOLDS,
    MOST,
    PER,
    POINTS,
    RESOURCES,
    SHIFTS,
    UNKNOWN_GOLD,
    UNKNOWN_RESOURCE,
    counts,
)
from arena_rules.codex.facts import KINGDOMS

_REMEMBERED: Final = 1 << 15

FEW_TURNS: Final = 4
"""With fewer turns than this, what has no use at once is worth less."""
KINGDOM_SEEN: Final = (0.0, 0.8, 1.5, 2.1, 2.5, 2.8, 3.0)
"""What it is worth to see so many symbols of a kingdom."""
OBJECT: Final = 0.35
SPOTS: Final = (-6.0, -2.0, -0.6, 0.0, 0.3, 0.5, 0.7, 0.8)
"""What it is worth to have so many places for the next card."""
LACKING: Final = 0.6
"""What each symbol that is not there yet leaves of the worth of a gold card."""
CORNERS: Final = 1.8
"""The corners that a card which scores by them can expect to cover."""
IN_HAND: Final = (0.75, 0.55, 0.35)
"""How much of what a card would bring counts while it is in the hand, for the best card first."""


@lru_cache(_REMEMBERED)
def area_outlook(symbols: int, spots: int, turns: int) -> float:
    """What visible symbols and open places are good for with so many turns to come."""
    if turns <= 0:
        return 0.0
    seen = counts(symbols)
    kingdoms = sum(KINGDOM_SEEN[min(count, len(KINGDOM_SEEN) - 1)] for count in seen[: len(KINGDOMS)])
    objects = OBJECT * sum(seen[len(KINGDOMS) :])
    return (kingdoms + objects) * min(1.0, turns / FEW_TURNS) + SPOTS[min(spots, len(SPOTS) - 1)]


@lru_cache(_REMEMBERED)
def card_outlook(card: int, symbols: int) -> float:
    """What a card in the hand would bring when it is played."""
    if card >= FIRST_BACK:
        return _back_outlook(card, symbols)
    face = 2 * card
    points = float(POINTS[face])
    if card < FIRST_GOLD:
        return 0.6 + 0.9 * points
    per = PER[face]
    if per == CORNER_SHIFT:
        points *= CORNERS
    elif per != FLAT:
        points *= (symbols + GAIN[face] >> per & MOST) + 0.3
    cost = COST[face]
    lacking = sum(max(0, (cost >> shift & MOST) - (symbols >> shift & MOST)) for shift in SHIFTS)
    return max(0.4, points * LACKING**lacking)


def _back_outlook(back: int, symbols: int) -> float:
    """The mean of the cards with that back."""
    cards = _BEHIND[back]
    return sum(card_outlook(card, symbols) for card in cards) / len(cards)


_BEHIND: Final = {
    back: [card for card in range(FIRST_STARTER) if BACK[card] == back] for back in set(BACK[:FIRST_STARTER])
} | {UNKNOWN_RESOURCE: list(RESOURCES), UNKNOWN_GOLD: list(GOLDS)}


def hand_outlook(cards: list[int], symbols: int, turns: int) -> float:
    """What the hand is worth, with so many turns to play cards from it."""
    if turns <= 0:
        return 0.0
    worths = sorted([card_outlook(card, symbols) for card in cards], reverse=True)
    worth = 0.0
    for part, one in zip(IN_HAND[:turns], worths, strict=False):
        worth += part * one
    return worth
