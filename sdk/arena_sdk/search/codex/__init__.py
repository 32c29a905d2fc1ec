"""An eye trained for Codex Naturalis: what positions are worth, and which moves to look at first."""

from arena_sdk.search.codex.guide import CodexGuide, planned_move
from arena_sdk.search.codex.insight import expected_points, ranked_moves

__all__ = ["CodexGuide", "expected_points", "planned_move", "ranked_moves"]
