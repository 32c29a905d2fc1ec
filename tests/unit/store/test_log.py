"""The log: what was acknowledged is there, once, and comes back in the order of the schedule."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from arena.archive import seal
from arena.errors import Conflict, Unknown, UsageError
from arena.record import MatchRecord, Result
from arena.store import Store, open_store
from tests.unit.store.table import arena_of, match


def test_what_was_written_comes_back(store: Store, place: str) -> None:
    """A record is read as it was written, by another process too."""
    arena_of(store, "ann", "bob")
    records = [match(0, seed=2**64 - 1), match(1, forfeits=[1]), match(2, void="Stalled."), match(2, attempt=1)]
    store.record(records)
    with open_store(place, create=False) as another:
        assert [kept.record() for kept in another.records("cup")] == records
        assert [(kept.key.index, kept.key.attempt) for kept in another.records()] == [(0, 0), (1, 0), (2, 0), (2, 1)]


def test_results_are_what_counts(store: Store) -> None:
    """Results have labels, ranks, points and forfeits by seat; void attempts are none."""
    arena_of(store, "ann", "ann@2", "bob")
    store.record(
        [match(0, "ann@2", "bob", ranks=[2, 1], forfeits=[0]), match(1, "bob", "ann", void="Stalled.")], through=2
    )
    assert list(store.results("shelfie")) == [
        Result("cup", 0, 0, "shelfie", ("ann@2", "bob@1"), (2, 1), (8, 9), (True, False))
    ]
    store.record([match(1, "bob", "ann", attempt=1)])
    assert [result.bots for result in store.results("shelfie")] == [("ann@2", "bob@1"), ("bob@1", "ann@1")]


def test_schedule_order(store: Store) -> None:
    """However matches were written, results come by opening and name of the tournament and then by index."""
    arena_of(store, "ann", "bob", tournaments=[])
    names = {"late": 2, "b": 1, "a-": 1, "B": 1, "a.": 1}
    for name, opened_us in names.items():
        store.open_tournament(name, "shelfie", "round-robin", {}, opened_us)
    batch = [match(index, tournament=name) for name in names for index in range(5)]
    random.Random(1).shuffle(batch)
    for record in batch:
        store.record([record])
    for name in names:
        store.record([match(0, tournament=name)], through=5)
    expected = [(name, index) for name in ("B", "a-", "a.", "b", "late") for index in range(5)]
    assert [(result.tournament, result.index) for result in store.results("shelfie")] == expected
    assert [(kept.key.tournament, kept.key.index) for kept in store.records()] == expected


def test_only_settled_matches_are_results(store: Store) -> None:
    """A match that finished before its turn waits until all before it are settled, unless it is asked for."""
    arena_of(store, "ann", "bob")
    store.record([match(0), match(1), match(3)], through=2)
    assert [result.index for result in store.results("shelfie")] == [0, 1]
    assert [result.index for result in store.results("shelfie", unsettled=True)] == [0, 1, 3]
    store.record([match(2)], through=4)
    assert [result.index for result in store.results("shelfie")] == [0, 1, 2, 3]


def test_the_mark_never_goes_back(store: Store) -> None:
    """Somebody who is late does not take away what is settled."""
    arena_of(store, "ann", "bob")
    store.record([match(0), match(1)], through=2)
    store.record([match(0)], through=1)
    assert store.tournament("cup").through == 2


def test_choosing_results(store: Store) -> None:
    """Results can be chosen by game, tournament, number of players, time and index."""
    arena_of(store, "ann", "bob", "cy", tournaments=["one", "two"])
    store.open_tournament("other", "codex", "round-robin", {}, 9)
    store.open_tournament("friendly", "shelfie", "round-robin", {}, 9, rated=False)
    for name in ("one", "two", "friendly"):
        store.record([match(0, tournament=name), match(1, "ann", "bob", "cy", tournament=name)], through=2)
    store.record([match(0, tournament="other", game="codex")], through=1)

    def chosen(game: str = "shelfie", **choice: int | str) -> list[tuple[str, int]]:
        return [(result.tournament, result.index) for result in store.results(game, **choice)]  # type: ignore[arg-type]

    assert chosen() == [("one", 0), ("one", 1), ("two", 0), ("two", 1)]
    assert chosen("codex") == [("other", 0)]
    assert chosen("chess") == []
    assert chosen(tournament="two") == [("two", 0), ("two", 1)]
    assert chosen(tournament="friendly") == [("friendly", 0), ("friendly", 1)]
    assert chosen(players=3) == [("one", 1), ("two", 1)]
    assert chosen(since_us=1_000) == [("one", 1), ("two", 1)]
    assert chosen(start=1) == [("one", 1), ("two", 1)]
    assert chosen(stop=1, tournament="one") == [("one", 0)]


def test_many_results_come_in_pages(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the pages end is not seen, not even where indices are missing."""
    monkeypatch.setattr("arena.store.reading._PAGE", 3)
    arena_of(store, "ann", "bob")
    indices = [0, 1, 2, 4, 5, 6, 100, 4_000_000_000]
    store.record([match(index, started_us=index) for index in indices], through=4_000_000_001)
    store.record([match(2, void="Stalled.", attempt=1)])
    assert [result.index for result in store.results("shelfie")] == indices
    assert [kept.key.index for kept in store.records()] == [0, 1, 2, 2, *indices[3:]]


def test_writing_again_changes_nothing(store: Store) -> None:
    """Whoever did not hear that a batch was written may write it again, alone or with more, also twice in one batch."""
    arena_of(store, "ann", "bob")
    store.record([match(0), match(1)], through=2)
    before = list(store.records())
    store.record([match(0), match(1)], through=2)
    assert list(store.records()) == before
    store.record([match(1), match(2), match(2)], through=3)
    assert [kept.key.index for kept in store.records()] == [0, 1, 2]


def test_the_serialised_form_may_be_given(store: Store) -> None:
    """A sealed record is the same as the record alone."""
    arena_of(store, "ann", "bob")
    record = match(0)
    store.record([seal(record)])
    store.record([record])
    assert [kept.record() for kept in store.records()] == [record]


def test_another_content_in_the_same_place(store: Store) -> None:
    """A match that contradicts the log is refused, with a sentence that names both, and with all of its batch."""
    arena_of(store, "ann", "bob")
    store.record([match(0)])
    (kept,) = store.records()
    sentence = f"cup/0~0 is in the log already with another content .sha256 {kept.sha256[:12]}, the new one has"
    with pytest.raises(Conflict, match=sentence):
        store.record([match(1), match(0, ranks=[2, 1])], through=2)
    assert list(store.records()) == [kept]
    assert store.tournament("cup").through == 0


def test_one_attempt_counts(store: Store) -> None:
    """A match is played again only while it is void: two results in one place are refused."""
    arena_of(store, "ann", "bob")
    store.record([match(0, void="Stalled."), match(0, attempt=1)])
    with pytest.raises(Conflict, match="cup/0~2 cannot be written: attempt 1 at it counts already"):
        store.record([match(0, attempt=2)])
    with pytest.raises(Conflict, match="cup/1~1 cannot be written: attempt 0 at it counts already"):
        store.record([match(1), match(1, attempt=1)])


@pytest.mark.parametrize(
    ("record", "error", "sentence"),
    [
        (match(0, tournament="cap"), Unknown, "there is no tournament named 'cap'"),
        (match(0, tournament=""), Unknown, "there is no tournament named ''"),
        (match(0, "ann", "zoe"), Unknown, "no version of bot zoe with content .* is registered"),
        (match(0, "ann", "bob@2"), Unknown, "no version of bot bob with content .* is registered"),
        (match(0, game="codex"), UsageError, "a match of codex does not belong into cup, a tournament of shelfie"),
    ],
)
def test_matches_that_do_not_belong(store: Store, record: MatchRecord, error: type[Exception], sentence: str) -> None:
    """A match of an unknown tournament, bot or game is refused, and nothing of its batch is written."""
    arena_of(store, "ann", "bob")
    with pytest.raises(error, match=sentence):
        store.record([match(1), record])
    assert list(store.records()) == []


def test_a_bot_may_play_itself(store: Store) -> None:
    """The same version may sit in several seats."""
    arena_of(store, "ann")
    record = replace(match(0, "ann", "ann", "ann"))
    store.record([record], through=1)
    assert next(store.results("shelfie")).bots == ("ann@1",) * 3
