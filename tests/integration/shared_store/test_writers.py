"""Processes that share a store: what was acknowledged stays, whoever is killed, and nobody is in the way of another."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from random import Random

import pytest

from arena.store import Store
from tests.integration.shared_store.writers import POOL
from tests.tree import ROOT
from tests.unit.store.table import arena_of, match

KILLS = 100
LONG_S = 30


class Writers:
    """Writing processes and what they say."""

    def __init__(self, place: str) -> None:
        command = [sys.executable, "-m", "tests.integration.shared_store.writers", place]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
        )
        assert self.process.stdin
        assert self.process.stdout
        self.orders, self.news = self.process.stdin, self.process.stdout
        self._selector = selectors.DefaultSelector()
        self._selector.register(self.news, selectors.EVENT_READ)
        self._begun = b""

    def start(self, start: int, step: int = 1, stop: int = 1_000_000) -> None:
        self.orders.write(f"{start} {step} {stop}\n".encode())

    def heard(self, within_s: float) -> list[list[str]]:
        """What is said next, in words; nothing when nobody says anything in that time."""
        if not self._selector.select(within_s):
            return []
        *lines, self._begun = (self._begun + os.read(self.news.fileno(), 65_536)).split(b"\n")  # nothing at the end
        return [line.decode().split() for line in lines]

    def close(self) -> None:
        self.orders.close()
        self.process.wait(LONG_S)
        self.news.close()


@pytest.fixture
def writers(place: str, store: Store) -> Iterator[Writers]:
    """Writers for a fresh store with two bots and a tournament, of which the first match has been written."""
    arena_of(store, "ann", "bob")
    writers = Writers(place)
    assert [words for _, *words in writers.heard(LONG_S)] == [["wrote", "0"]]
    yield writers
    writers.close()


def test_killing_writers(store: Store, writers: Writers) -> None:
    """Of a hundred writers killed at any moment none loses an acknowledged match or leaves one half written."""
    rng = Random(8)
    acknowledged = {0}

    def listen(within_s: float) -> list[tuple[int, str]]:
        """Who said what."""
        lines = writers.heard(within_s)
        for _, word, *rest in lines:
            assert word in {"wrote", "born"}, rest
            acknowledged.update(map(int, rest))
        return [(int(pid), word) for pid, word, *_ in lines]

    for _ in range(KILLS):
        writers.start(max(acknowledged) + 1)  # as somebody who goes on from what is known
        said = list[tuple[int, str]]()
        while not (born := [pid for pid, word in said if word == "born"]):
            said += listen(LONG_S)
        batches = rng.randint(0, 3)
        while said.count((born[0], "wrote")) < batches:
            said += listen(LONG_S)
        time.sleep(rng.uniform(0, 0.01))  # not to wait for anything: the moment is left to chance
        os.kill(born[0], signal.SIGKILL)
    writers.orders.close()
    while listen(LONG_S):
        pass
    written = [kept.record() for kept in store.records()]
    assert [record.spec.index for record in written] == list(range(len(written)))
    assert written == [match(index) for index in range(len(written))]
    assert acknowledged == set(range(len(acknowledged)))
    assert len(acknowledged) <= len(written) == store.tournament("cup").through
    assert len(acknowledged) > KILLS
    assert len(list(store.results("shelfie"))) == len(written)
    assert store.check() == []


def all_written(writers: Writers, count: int) -> list[int]:
    """What so many writers say they have written, when all are done."""
    done, written = 0, list[int]()
    while done < count:
        lines = writers.heard(LONG_S)
        assert lines, "the writers are stuck"
        for _, word, *rest in lines:
            assert word in {"born", "wrote", "done"}, rest
            done += word == "done"
            written += map(int, rest)
    return written


def test_four_writers_at_once(store: Store, writers: Writers) -> None:
    """Four processes that write at the same time lose no match, no count of the book and no mark, and see no error."""
    count = 400
    for number in range(4):
        writers.start(number + 1, 4, count)
    assert sorted(all_written(writers, 4)) == list(range(1, count))
    assert [kept.record() for kept in store.records()] == [match(index) for index in range(count)]
    assert store.tournament("cup").through == count
    assert sum(rating.games for rating in store.leaderboard_rows(POOL)) == count
    assert store.check() == []


def test_four_writers_of_the_same_matches(store: Store, writers: Writers) -> None:
    """Processes that write the very same matches at the same time are all told that they are written, once each."""
    count = 150
    for _ in range(4):
        writers.start(1, 1, count)
    assert sorted(all_written(writers, 4)) == sorted(4 * list(range(1, count)))
    assert [kept.record() for kept in store.records()] == [match(index) for index in range(count)]
    assert store.check() == []
