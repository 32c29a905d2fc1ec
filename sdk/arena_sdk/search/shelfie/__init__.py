"""An eye trained for My Shelfie: what positions are worth, and which moves to look at first."""

from arena_sdk.search.shelfie.foresight import planned_move
from arena_sdk.search.shelfie.guide import ShelfieGuide
from arena_sdk.search.shelfie.insight import Ranked, expected_points, ranked_moves

__all__ = ["Ranked", "ShelfieGuide", "expected_points", "planned_move", "ranked_moves"]
