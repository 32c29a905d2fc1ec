"""The store: bots and their versions, tournaments, the log of matches, and the book of ratings."""

from arena.store.store import Store, open_store
from arena.store.values import (
    Kept,
    MatchKey,
    Standing,
    State,
    Tournament,
    Version,
)

__all__ = ["Kept", "MatchKey", "Standing", "State", "Store", "Tournament", "Version", "open_store"]
