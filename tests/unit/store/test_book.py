"""The book of ratings: pages by tournament, in schedule order, written by one process at a time."""

from __future__ import annotations

import math

import pytest

from arena.errors import Unknown
from arena.store import Fit, Fold, Point, Pool, Rating, Store
from tests.unit.store.table import arena_of, match

ALL = Pool("shelfie")


def test_a_page_comes_back_bit_for_bit(store: Store) -> None:
    """Ratings are read as exactly the numbers that were written, with their counts and details."""
    arena_of(store, "ann", "bob")
    rows = [
        Rating("ann@1", math.pi * 8, 25 / 3, 5, 4, 1, 0, 6, 120, 0, {"by seat": [1, 0.1]}),
        Rating("bob@1", 1e-300, 0.1 + 0.2, 5, 0, 1, 4, 10, -7, 2),
    ]
    counted = {"lineup 2 ann@1 bob@1": "3 4 5", "seats 2 2": "1 2"}
    with store.writing() as book:
        book.save(ALL, "cup", 10, rows, counted, details={"draws": 0.05})
        assert book.ratings(ALL, "cup") == rows
        assert book.tallies(ALL, "cup") == counted
    assert store.ratings(ALL) == [("cup", rating) for rating in rows]
    assert store.tallies(ALL) == sorted(counted.items())
    assert store.folds(ALL) == [Fold("cup", 0, 10, 0, {"draws": 0.05})]


def test_a_page_is_written_anew(store: Store) -> None:
    """What is saved of a tournament replaces what was saved before; only its history grows."""
    arena_of(store, "ann", "bob")
    with store.writing() as book:
        book.save(ALL, "cup", 2, [Rating("ann@1", 1, 2, 3)], {"a": "1"}, [Point("ann@1", "cup", 1, 1, 2)])
    with store.writing() as book:
        book.save(ALL, "cup", 4, [Rating("bob@1", 4, 5, 6)], {"b": "2"}, [Point("bob@1", "cup", 3, 4, 5)])
    assert store.leaderboard_rows(ALL) == [Rating("bob@1", 4, 5, 6)]
    assert store.tallies(ALL) == [("b", "2")]
    assert store.folds(ALL)[0].folded == 4
    assert store.history(ALL) == [Point("ann@1", "cup", 1, 1, 2), Point("bob@1", "cup", 3, 4, 5)]


def chain(store: Store) -> None:
    """Three tournaments, opened in another order than they were made."""
    arena_of(store, "ann", "bob", "cy", tournaments=[])
    for name, opened_us in (("third", 3), ("first", 1), ("second", 2)):
        store.open_tournament(name, "shelfie", "round-robin", {}, opened_us)
    with store.writing() as book:
        book.save(ALL, "third", 9, [Rating("ann@1", 30, 1, 3, 3)], {"c": "3"})
        book.save(ALL, "first", 9, [Rating("ann@1", 10, 3, 1, 1), Rating("bob@1", 11, 2, 1)], {"a": "1"})
        book.save(ALL, "second", 9, [Rating("ann@1", 20, 2, 2, 2), Rating("cy@1", 21, 3, 2)], {"b": "2"})


def test_the_leaderboard_is_the_end_of_the_chain(store: Store) -> None:
    """Everybody stands with the last rating in schedule order and the counts of all tournaments, best score first."""
    chain(store)
    assert store.leaderboard_rows(ALL) == [
        Rating("ann@1", 30, 1, 6, 6),
        Rating("cy@1", 21, 3, 2),
        Rating("bob@1", 11, 2, 1),
    ]
    assert store.leaderboard_rows(Pool("shelfie", 2)) == []


def test_ratings_before_a_tournament(store: Store) -> None:
    """A tournament starts from the last ratings of the tournaments before it, whenever those were written."""
    chain(store)
    with store.writing() as book:
        assert book.ratings_before(ALL, "first") == {}
        assert book.ratings_before(ALL, "second") == {"ann@1": (10, 3), "bob@1": (11, 2)}
        assert book.ratings_before(ALL, "third") == {"ann@1": (20, 2), "bob@1": (11, 2), "cy@1": (21, 3)}
        with pytest.raises(Unknown, match="there is no tournament named fourth"):
            book.ratings_before(ALL, "fourth")


def test_forgetting(store: Store) -> None:
    """From a tournament on, or from the first on, all pages of a pool and its fit are gone; other pools stay."""
    chain(store)
    pairs = Pool("shelfie", 2)
    with store.writing() as book:
        book.save(pairs, "third", 9, [Rating("ann@1", 1, 1)], {})
        book.save(ALL, "third", 9, [], {}, [Point("ann@1", "third", 1, 1, 1)])
        book.save_fit(ALL, Fit(9, {"bots": ["ann@1"]}))
    assert store.fit(ALL) == Fit(9, {"bots": ["ann@1"]})
    with store.writing() as book:
        book.forget(ALL, "second")
    assert [(fold.tournament, fold.folded) for fold in store.folds(ALL)] == [("first", 9), ("second", 0), ("third", 0)]
    assert [tournament for tournament, _ in store.ratings(ALL)] == ["first", "first"]
    assert store.tallies(ALL) == [("a", "1")]
    assert store.history(ALL) == []
    assert store.fit(ALL) is None
    with store.writing() as book:
        book.forget(ALL)
    assert store.ratings(ALL) == []
    assert len(store.ratings(pairs)) == 1
    assert store.pools() == [ALL, pairs]


def test_folds_tell_what_is_to_be_done(store: Store) -> None:
    """The tournaments of a pool come in schedule order with what is settled and what of it is in the ratings."""
    arena_of(store, "ann", "bob", tournaments=["b", "a"])
    store.open_tournament("friendly", "shelfie", "round-robin", {}, 5, rated=False)
    store.open_tournament("other", "codex", "round-robin", {}, 5)
    store.record([match(0, tournament="a"), match(1, tournament="a")], through=2)
    with store.writing() as book:
        book.save(ALL, "a", 1, [Rating("ann@1", 1, 1)], {})
        assert book.folds(ALL) == [Fold("b", 0, 0, 0), Fold("a", 1, 1, 2)]
    assert store.folds(Pool("shelfie", tournament="a")) == [Fold("a", 1, 0, 2)]
    assert store.folds(Pool("shelfie", tournament="friendly")) == [Fold("friendly", 5, 0, 0)]


def test_a_fit_is_kept(store: Store) -> None:
    """The last fit of a pool is kept with the number of its matches."""
    assert store.fit(ALL) is None
    with store.writing() as book:
        book.save_fit(ALL, Fit(1, {"a": 0.1}))
        book.save_fit(ALL, Fit(2, {"b": [1, None]}))
    assert store.fit(ALL) == Fit(2, {"b": [1, None]})


def test_a_bot_in_all_pools(store: Store) -> None:
    """The page of a bot has all of its versions in every pool, and nobody else."""
    arena_of(store, "ann", "ann@2", "bob", tournaments=["one", "two"])
    pairs = Pool("shelfie", 2)
    with store.writing() as book:
        book.save(ALL, "one", 1, [Rating("ann@1", 1, 1, 1), Rating("ann@2", 2, 1, 1), Rating("bob@1", 3, 1, 1)], {})
        book.save(ALL, "two", 1, [Rating("ann@2", 5, 1, 1)], {})
        book.save(pairs, "two", 1, [Rating("ann@2", 4, 1, 1)], {})
    assert store.bot_ratings("ann") == [
        (ALL, Rating("ann@1", 1, 1, 1)),
        (ALL, Rating("ann@2", 5, 1, 2)),
        (pairs, Rating("ann@2", 4, 1, 1)),
    ]


def test_a_page_with_a_stranger_is_not_kept(store: Store) -> None:
    """When one row cannot be written, nothing of the transaction is."""
    arena_of(store, "ann")
    with pytest.raises(Unknown, match="there is no version zoe@1"), store.writing() as book:  # noqa: PT012
        book.save(ALL, "cup", 1, [Rating("ann@1", 1, 1)], {})
        book.save(ALL, "cup", 2, [Rating("zoe@1", 1, 1)], {})
    assert store.pools() == []
