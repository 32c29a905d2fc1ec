"""Six processes that open the same store at the same moment: ``python -m ...openers PLACE...``.

Each registers the same bot and opens the same tournament. What goes wrong is printed.
"""

from __future__ import annotations

import os
import sys
import traceback

import alembic.command  # imported once here rather than in each of them
import alembic.config  # noqa: F401

from arena.store import open_store

PROCESSES = 6


def use(place: str) -> None:
    with open_store(place) as store:
        store.register("ann", "content", {}, trusted=True)
        store.open_tournament("cup", "shelfie", "round-robin", {}, 1)


def race(place: str) -> None:
    gun, start = os.pipe()
    runners = []
    for _ in range(PROCESSES):
        runners.append(os.fork())
        if not runners[-1]:
            os.close(start)
            os.read(gun, 1)  # ends for all at once, when the other end is closed
            try:
                use(place)
            except BaseException:  # noqa: BLE001  # whatever it is, the test shall see it
                traceback.print_exc(file=sys.stdout)
                sys.stdout.flush()
            os._exit(0)
    os.close(start)
    os.close(gun)
    for runner in runners:
        os.waitpid(runner, 0)


if __name__ == "__main__":
    for place in sys.argv[1:]:
        race(place)
