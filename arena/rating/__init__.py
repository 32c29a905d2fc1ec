"""Ratings and statistics: results in, values out. numpy is loaded when something is fitted, not before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.rating.blocks import block_score
from arena.rating.effects import PlayersEffect, SeatEffect, players_effects, seat_effects
from arena.rating.fold import Fold
from arena.rating.headtohead import Encounter, HeadToHead
from arena.rating.interval import ENOUGH_BLOCKS, Interval
from arena.rating.sequential import Decision, SequentialTest, elo_difference
from arena.rating.skill import Parameters, Skill
from arena.rating.standing import Count, Standing
from arena.rating.tally import Tally

if TYPE_CHECKING:
    from arena.rating.fitting import Fit

__all__ = [
    "ENOUGH_BLOCKS",
    "Count",
    "Decision",
    "Encounter",
    "Fold",
    "HeadToHead",
    "Interval",
    "Parameters",
    "PlayersEffect",
    "SeatEffect",
    "SequentialTest",
    "Skill",
    "Standing",
    "Tally",
    "block_score",
    "elo_difference",
    "fit",
    "players_effects",
    "seat_effects",
]


def fit(tally: Tally, parameters: Parameters) -> Fit:
    """Fit the TrueSkill model to a whole history of one game. The order in which it was played does not matter."""
    from arena.rating.fitting import fit as fitted

    return fitted(tally, parameters)
