"""Playing a tournament to its end, with matches that end in any order, machines that break, and voids."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.archive import Sealed
from arena.errors import ArenaError, Away
from arena.record import MatchRecord, MatchSpec
from arena.tournament import cup, scribe
from arena.tournament.schedule import Schedule
from arena.tournament.worker import void
from tests.unit.tournament.simulated import (
    Audience,
    Broken,
    MemoryJournal,
    Pairs,
    Shuffling,
    a_definition,
    void_first,
)


def a_schedule() -> Schedule:
    return Schedule(a_definition(), Pairs("abcd", 3, patient=True), 4)


async def finished(journal: MemoryJournal, executor: Shuffling) -> list[MatchRecord]:
    """The counting records of the tournament, played on to its end."""
    await cup.play(a_schedule(), executor, journal, Audience())
    return sorted((one for one in journal.records if one.outcome is not None), key=lambda one: one.spec.index)


@pytest.fixture(autouse=True, scope="module")
def written_at_once() -> Iterator[None]:
    """No test waits for others to end, whose records could be written along."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cup, "GATHERED_S", 0.0)
        yield


@given(st.integers(0, 2**32), st.integers(1, 8))
async def test_any_executor_gives_the_same_log(seed: int, capacity: int) -> None:
    """However many matches are played at once and whichever ends first, the records are the same."""
    expected = await finished(MemoryJournal(), Shuffling(1, Random(0)))
    journal = MemoryJournal()
    assert await finished(journal, Shuffling(capacity, Random(seed))) == expected
    assert len(expected) == journal.through == 36


@given(st.integers(0, 2**32), st.lists(st.integers(0, 20), min_size=1, max_size=4))
async def test_resumed_after_any_failure(seed: int, breaks: list[int]) -> None:
    """Broken off anywhere, again and again, and resumed: each match counts once, and the log is the same."""
    expected = await finished(MemoryJournal(), Shuffling(1, Random(0)))
    journal = MemoryJournal()
    for number, after in enumerate(breaks):
        executor = Shuffling(3, Random(seed + number), breaks_after=after)
        try:
            await cup.play(a_schedule(), executor, journal, Audience())
        except Broken:
            assert len(executor.played) >= after
    assert await finished(journal, Shuffling(2, Random(seed))) == expected


async def test_void_matches_are_played_again() -> None:
    """A void match is logged, played again under the next attempt, and the executor is told to do less."""
    journal, executor = MemoryJournal(), Shuffling(3, Random(1), plays=void_first)
    records = await finished(journal, executor)
    assert [record.spec.index for record in records] == list(range(36))
    assert {record.spec.index for record in records if record.spec.attempt == 1} == set(range(0, 36, 3))
    assert executor.eased == 12
    assert len(journal.records) == 48


async def test_an_attempt_is_never_made_twice() -> None:
    """A tournament that is resumed after a void attempt goes on with the next attempt."""
    journal = MemoryJournal()
    with pytest.raises(Broken):
        await cup.play(a_schedule(), Shuffling(1, Random(1), plays=void_first, breaks_after=1), journal, Audience())
    assert [(record.spec.index, record.spec.attempt) for record in journal.records] == [(0, 0)]
    executor = Shuffling(1, Random(1))
    await finished(journal, executor)
    assert (executor.played[0].index, executor.played[0].attempt) == (0, 1)


def always_void(spec: MatchSpec) -> MatchRecord:
    return void(spec, (), "The disk is on fire.")


async def test_an_arena_that_keeps_failing_gives_up() -> None:
    """A match that is void time after time ends the tournament with the reason."""
    journal = MemoryJournal()
    with pytest.raises(ArenaError, match=r"cup/0 was void 5 times.*The disk is on fire\."):
        await cup.play(a_schedule(), Shuffling(1, Random(1), plays=always_void), journal, Audience())
    assert [record.spec.attempt for record in journal.records if record.spec.index == 0] == [0, 1, 2, 3, 4]


async def test_a_log_of_another_schedule_is_refused() -> None:
    """A log whose matches are not those of the schedule is not continued."""
    journal = MemoryJournal()
    await finished(journal, Shuffling(2, Random(1)))
    other = Schedule(a_definition(), Pairs("wxyz", 3), 4)
    with pytest.raises(ArenaError, match="does not fit its schedule"):
        await cup.play(other, Shuffling(1, Random(1)), journal, Audience())


async def test_a_log_that_cannot_be_written_ends_it() -> None:
    """When a record cannot be logged, the tournament ends with that error, and the match does not count."""

    class Full(MemoryJournal):
        def write(self, records: object, through: int) -> None:
            raise ArenaError("the disk is full")

    schedule = a_schedule()
    with pytest.raises(ArenaError, match="the disk is full"):
        await cup.play(schedule, Shuffling(2, Random(1)), Full(), Audience())
    assert schedule.settled == 0


class Restarted(MemoryJournal):
    """A log whose database goes away after some matches, for so many tries."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def write(self, records: Sequence[Sealed], through: int) -> None:
        if len(self.records) > 5 and self.times:
            self.times -= 1
            raise Away("the server was shut down")
        super().write(records, through)


async def test_a_database_that_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tournament waits for it, says so once, and comes to the same log."""
    monkeypatch.setattr(scribe, "_A_MOMENT_S", 0.001)
    expected = await finished(MemoryJournal(), Shuffling(1, Random(0)))
    journal, audience = Restarted(times=7), Audience()
    await cup.play(a_schedule(), Shuffling(3, Random(1)), journal, audience)
    assert sorted(journal.records, key=lambda one: one.spec.index) == expected
    assert audience.reasons == ["the server was shut down; waiting up to 60 s for it to come back"]


async def test_a_database_that_stays_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """When it does not come back in time the tournament ends with that error."""
    monkeypatch.setattr(scribe, "_A_MOMENT_S", 0.001)
    monkeypatch.setattr(scribe, "PATIENCE_S", 0.05)
    with pytest.raises(Away, match="was shut down"):
        await cup.play(a_schedule(), Shuffling(3, Random(1)), Restarted(times=10_000), Audience())


async def test_ending_a_tournament_that_waits() -> None:
    """Whoever ends it does not have to wait for the database as well."""
    waits = asyncio.Event()

    class Watchful(Audience):
        def waits(self, reason: str) -> None:
            waits.set()

    playing = asyncio.create_task(cup.play(a_schedule(), Shuffling(3, Random(1)), Restarted(times=10_000), Watchful()))
    await waits.wait()
    playing.cancel()
    async with asyncio.timeout(5):
        with pytest.raises(asyncio.CancelledError):
            await playing
