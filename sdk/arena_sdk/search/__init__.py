"""Look ahead in any game, with what a seat may know: `docs/search.md` shows how.

Games with an eye trained for them: `arena_sdk.search.codex` and `arena_sdk.search.shelfie`.
"""

from arena_sdk.search.budget import Budget
from arena_sdk.search.guide import Guide
from arena_sdk.search.playout import rewards, rollout
from arena_sdk.search.tree import Found, Tree, Tried, determinised, ismcts

__all__ = ["Budget", "Found", "Guide", "Tree", "Tried", "determinised", "ismcts", "rewards", "rollout"]
