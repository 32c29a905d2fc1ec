"""The store: bots and their versions, tournaments, the log of matches, and the book of ratings."""

from arena.store.book import Book
from arena.store.listing import Filter
from arena.store.store import Store, open_store
from arena.store.values import (
    Fit,
    Fold,
    Kept,
    MatchKey,
    MatchLine,
    Point,
    Pool,
    Rating,
    SeatLine,
    Standing,
    State,
    Tournament,
    Version,
)

__all__ = [
    "Book",
    "Filter",
    "Fit",
    "Fold",
    "Kept",
    "MatchKey",
    "MatchLine",
    "Point",
    "Pool",
    "Rating",
    "SeatLine",
    "Standing",
    "State",
    "Store",
    "Tournament",
    "Version",
    "open_store",
]
