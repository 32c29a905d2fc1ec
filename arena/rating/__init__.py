"""Ratings and statistics: results in, values out."""

from arena.rating.blocks import block_score
from arena.rating.fold import Fold
from arena.rating.skill import Parameters, Skill
from arena.rating.standing import Count, Standing
from arena.rating.tally import Tally

__all__ = ["Count", "Fold", "Parameters", "Skill", "Standing", "Tally", "block_score"]
