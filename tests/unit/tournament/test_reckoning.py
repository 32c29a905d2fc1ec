"""Ratings follow from the log alone: not from the order of writing, nor from when they were worked out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.record import MatchRecord
from arena.store import Pool, Store, open_store
from arena.tournament.board import Place, board
from arena.tournament.ledger import settle
from arena.tournament.reckoning import pools_to_rate, reckon
from tests.unit.cli.logged import NOON_US, blocks
from tests.unit.store.table import arena_of

BOTS = ("ada", "bob", "cyd", "dan")
POOL = Pool("shelfie")
POOLS = (POOL, Pool("shelfie", 2), Pool("shelfie", 0, "cup"))


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[[], Store]:
    """Makes an arena with three tournaments and nothing played."""
    made: list[Store] = []

    def make() -> Store:
        made.append(open_store(tmp_path / f"{len(made)}.db"))
        arena_of(made[-1], *BOTS, tournaments=("cup", "open", "tables"))
        return made[-1]

    return make


def logs() -> dict[str, list[MatchRecord]]:
    return {
        "cup": list(blocks("cup", *BOTS, rounds=3)),
        "open": list(blocks("open", *BOTS[1:], rounds=5)),
        "tables": list(blocks("tables", *BOTS, players=3, rounds=2)),
    }


def the_book(store: Store) -> list[Any]:
    """All that it says, to the last bit."""
    return [(store.ratings(pool), store.tallies(pool), store.history(pool), store.fit(pool)) for pool in POOLS]


def written_at_once(store: Store) -> Store:
    for name, records in logs().items():
        store.record(records, through=len(records))
        store.finish(name)
    for pool in POOLS:
        settle(store, pool)
    return store


def test_insertion_order_does_not_matter(fresh: Callable[[], Store]) -> None:
    """The same matches written in any order and in any portions give the same table."""
    expected = written_at_once(fresh())
    for seed in range(2):
        store, rng = fresh(), Random(seed)
        records = [record for log in logs().values() for record in log]
        rng.shuffle(records)
        while records:
            portion = records[: rng.randrange(1, 20)]
            for name in {record.spec.tournament for record in portion}:
                store.record([record for record in portion if record.spec.tournament == name])
            del records[: len(portion)]
        for name, log in logs().items():
            store.record(log[-1:], through=len(log))
            store.finish(name)
        for pool in POOLS:
            settle(store, pool)
        assert the_book(store) == the_book(expected)
        assert board(store, POOL).places == board(expected, POOL).places


@pytest.mark.parametrize("seed", range(3))
def test_growth_does_not_matter(seed: int, fresh: Callable[[], Store]) -> None:
    """Tournaments that grow side by side, rated whenever somebody looks, come to the table of a log written at once."""
    store, rng = fresh(), Random(seed)
    done = dict.fromkeys(logs(), 0)
    while open_ones := [name for name, log in logs().items() if done[name] < len(log)]:
        name = rng.choice(open_ones)
        log = logs()[name]
        stop = min(len(log), done[name] + rng.randrange(1, 12))
        store.record(log[done[name] : stop], through=stop)
        done[name] = stop
        if stop == len(log):
            store.finish(name)
        for pool in rng.sample(POOLS, rng.randrange(len(POOLS) + 1)):
            settle(store, pool)
    for pool in POOLS:
        settle(store, pool)
    assert the_book(store) == the_book(written_at_once(fresh()))
    assert all(not reckon(store, pool).changes for pool in POOLS)


def test_an_earlier_tournament_that_grows_later(fresh: Callable[[], Store]) -> None:
    """What is added to a tournament after a later one was rated is rated in its place, as a rebuild would."""
    store, records = fresh(), logs()
    store.record(records["cup"][:10], through=10)
    for name in ("open", "tables"):
        store.record(records[name], through=len(records[name]))
        store.finish(name)
    settle(store, POOL)
    before = store.ratings(POOL, "tables")
    store.record(records["cup"][10:], through=len(records["cup"]))
    store.finish("cup")
    settle(store, POOL)
    assert store.ratings(POOL, "tables") != before
    after = the_book(store)[0]
    assert reckon(store, POOL).changes == ()
    assert the_book(store)[0] == after


def test_what_was_changed_is_named_and_mended(fresh: Callable[[], Store]) -> None:
    """A rating that somebody has touched is found, and is right again."""
    store = written_at_once(fresh())
    expected = the_book(store)
    (name, first), *_ = store.ratings(POOL, "cup")
    rows = [replace(first, mu=first.mu + 1e-12), *(rating for _, rating in store.ratings(POOL, "cup")[1:])]
    with store.writing() as book:
        book.save(POOL, name, len(logs()["cup"]), rows, dict(store.tallies(POOL, "cup")))
    found = reckon(store, POOL)
    assert found.changes == ("the rating of ada@1 after cup was wrong",)
    assert (found.games, found.bots) == (len([r for log in logs().values() for r in log]), 4)
    assert the_book(store)[0][0] == expected[0][0]
    assert reckon(store, POOL).changes == ()


def test_every_pool_is_rated(fresh: Callable[[], Store]) -> None:
    """Every pool that has ratings is worked out, and every game has one."""
    store = written_at_once(fresh())
    store.open_tournament("den", "codex", "round-robin", {}, 9)
    assert pools_to_rate(store) == [Pool("codex"), POOL, Pool("shelfie", 0, "cup"), Pool("shelfie", 2)]
    assert pools_to_rate(store, "codex") == [Pool("codex")]


def test_since_is_a_fold_of_its_own(fresh: Callable[[], Store]) -> None:
    """A board since some moment is that of an arena in which only the whole blocks since then were played."""
    store = written_at_once(fresh())
    hour = 3_600_000_000
    since = NOON_US + 7 * hour  # within a block of two games, and within one of three
    recent = board(store, POOL, since_us=since)
    other = fresh()
    for name, records in logs().items():
        size = 3 if name == "tables" else 2
        late = [record for record in records if record.spec.block * size * hour + NOON_US >= since]
        other.record(late, through=len(records))
        other.finish(name)
    alone = board(other, POOL)
    assert recent.games == alone.games < board(store, POOL).games
    assert [plain(place) for place in recent.places] == [plain(place) for place in alone.places]
    assert list(recent.standing.rows()) == list(alone.standing.rows())
    assert recent.tally.lineups == alone.tally.lineups
    assert the_book(store) == the_book(written_at_once(fresh()))
    assert board(store, POOL, since_us=NOON_US + 10_000 * hour).places == ()


def plain(place: Place) -> Place:
    """Without the counts by seat, which are compared for themselves."""
    return replace(place, rating=replace(place.rating, details={}))
