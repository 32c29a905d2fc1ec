"""Processes that write to a store until they are done or killed: ``python -m ...writers PLACE``.

Each line of its input, ``START STEP STOP``, is the life of one: it writes the matches START, START + STEP, ... in small
batches, and when a batch is on the disk it says so: ``PID wrote INDEX...``. Beside each batch it counts its matches in
the book of ratings. They are forked from one process that has written a batch already, so that they are quick to begin
and killing a hundred does not take long.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from itertools import islice
from random import Random

from arena.store import Pool, Rating, Store, open_store
from tests.unit.store.table import match

POOL = Pool("shelfie")


def say(*words: object) -> None:
    """One line in one piece, whatever others say at the same time and whenever the end comes."""
    os.write(1, (" ".join(map(str, (os.getpid(), *words))) + "\n").encode())


def write(store: Store, indices: range) -> None:
    rng, left = Random(indices.start), iter(indices)
    while batch := list(islice(left, rng.randint(1, 8))):
        store.record([match(index) for index in batch], through=batch[-1] + 1)
        with store.writing() as book:
            games = sum(rating.games for rating in book.ratings(POOL, "cup"))
            book.save(POOL, "cup", batch[-1] + 1, [Rating("ann@1", 25.0, 8.0, games + len(batch))], {})
        say("wrote", *batch)


def live(store: Store, start: int, step: int, stop: int) -> None:
    say("born")
    try:
        write(store, range(start, stop, step))
        say("done")
    except BaseException:  # noqa: BLE001  # whatever it is, the test shall see it
        say("failed", traceback.format_exc().replace("\n", " | "))
    os._exit(0)


def main(place: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody mourns them
    store = open_store(place, create=False)
    write(store, range(1))
    store.close()  # connections do not survive a fork; the next use makes new ones
    for line in sys.stdin:
        if os.fork() == 0:
            live(store, *map(int, line.split()))


if __name__ == "__main__":
    main(sys.argv[1])
