"""What the store costs as the log grows: recording, the leaderboard, lists of matches, the page of a bot.

`python -m tests.benchmarks.store` fills a log with matches that nobody played, up to a million, and stops at each size
to measure. `--matches N` ends earlier, `--db URL` takes an empty database of PostgreSQL instead of an SQLite file.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import insert

from arena.record import Entrant, MatchRecord
from arena.store import Filter, Fit, Point, Pool, Rating, Store, open_store
from arena.store.log import Entry
from arena.store.tables import MATCHES, RECORDS, SEATS
from tests.unit.cli.played import played, spec_of

SIZES = (1_000, 100_000, 1_000_000)
BOTS, VERSIONS = 40, 3
TOURNAMENT = 10_000
"""Matches of a tournament."""
CHUNK = 20_000
REPEATS = 7
GAMES = ("shelfie", "shelfie", "shelfie", "codex")


class Filler:
    """Fills a log in bulk: rows like those of `Store.record`, without what makes that safe."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.rng = Random(1)
        self.size = 0
        self.versions = [
            store.register(f"bot{number:02}", f"{number}-{version}", {"games": ["shelfie"]}, trusted=True)
            for number in range(BOTS)
            for version in range(VERSIONS)
        ]
        # The first bot sits in a third of all seats.
        self.weights = [len(self.versions) / 2 if version.name == "bot00" else 1 for version in self.versions]
        entry = Entry.of(played(spec_of()))
        self.content = {"sha256": entry.sha256, "content": entry.content}

    def fill(self, size: int) -> None:
        while self.size < size:
            self.add(min(size - self.size, TOURNAMENT))

    def add(self, matches: int) -> None:
        """One more tournament."""
        number = self.size // TOURNAMENT
        name, game = f"cup{number}-{self.size}", GAMES[number % len(GAMES)]
        self.store.open_tournament(name, game, "round-robin", {"number": number}, self.size)
        with self.store.database.writing() as connection:
            rows = list(self.rows(connection, name, game, matches))
            connection.execute(insert(MATCHES), [match for match, _ in rows])
            connection.execute(insert(SEATS), [seat for _, seats in rows for seat in seats])
            connection.execute(insert(RECORDS), [{**key_of(match), **self.content} for match, _ in rows])
        self.rate(name, game, matches)
        self.size += matches

    def rows(self, connection: Any, name: str, game: str, matches: int) -> Iterator[tuple[Any, list[Any]]]:
        tournament = self.store._keys.tournament(connection, name)
        keys = [
            self.store._keys.version(connection, Entrant(version.name, version.content_hash))
            for version in self.versions
        ]
        for index in range(matches):
            players, void = 2 + index % 3, self.rng.random() < 0.005
            forfeit = "timed out" if not void and self.rng.random() < 0.02 else None
            match = {
                "tournament_id": tournament.id,
                "index": index,
                "attempt": 0,
                "block": index // players,
                "game": game,
                "edition": "it",
                "players": players,
                "seed": self.rng.getrandbits(64),
                "started_us": 1_000_000 * (self.size + index),
                "elapsed_us": 250_000,
                "turns": 26,
                "forfeits": int(forfeit is not None),
                "termination": None if void else "completed",
                "void": void,
                "void_reason": "The host stalled." if void else "",
                "lenient": False,
            }
            seats = [
                {
                    **key_of(match),
                    "seat": seat,
                    "bot_id": key.bot_id,
                    "version_id": key.version_id,
                    "started_us": match["started_us"],
                    "players": players,
                    "rank": None if void else seat + 1,
                    "score": None if void else 20 - seat,
                    "forfeit": forfeit if seat == players - 1 else None,
                    "think_us": 100_000,
                    "cpu_us": 50_000,
                    "peak_kb": 30_000,
                }
                for seat, key in enumerate(self.rng.choices(keys, self.weights, k=players))
            ]
            yield match, seats

    def rate(self, name: str, game: str, matches: int) -> None:
        """A page of the book, as long as those of real tournaments."""
        ratings = [
            Rating(
                version.label, self.rng.gauss(25, 5), 1.5, matches // 40, 10, 5, 20, 90, 900, 1, {"seats": [1, 2, 3]}
            )
            for version in self.versions
        ]
        history = [
            Point(rating.bot, name, index, rating.mu, rating.sigma)
            for rating in ratings
            for index in range(0, matches, max(1, matches // 4))
        ]
        tallies = {f"lineup 2 {one.bot} {other.bot}": "10 20 30" for one, other in pairwise(ratings)}
        with self.store.writing() as book:
            book.save(Pool(game), name, matches, ratings, tallies, history)
            book.save_fit(Pool(game), Fit(self.size, {"bots": [rating.bot for rating in ratings]}))


def key_of(match: dict[str, Any]) -> dict[str, Any]:
    return {name: match[name] for name in ("tournament_id", "index", "attempt")}


# ── what is measured ────────────────────────────────────────────────────────────────────────────────────────────────


def questions(store: Store) -> dict[str, Callable[[], object]]:
    """What people ask, among it the worst that can be asked: filters that let nothing through."""
    middle = store.matches(Filter(), limit=1)[0].mark
    middle = replace(middle, started_us=middle.started_us // 2)
    first, last = (store.tournaments()[place].name for place in (0, -1))

    def page(**choice: Any) -> Callable[[], object]:
        return lambda: store.matches(Filter(**choice))

    return {
        "leaderboard": lambda: (store.folds(Pool("shelfie")), store.leaderboard_rows(Pool("shelfie"))),
        "leaderboard, all of it": lambda: (
            store.folds(Pool("shelfie")),
            store.leaderboard_rows(Pool("shelfie")),
            store.ratings(Pool("shelfie")),
            store.history(Pool("shelfie")),
            store.tallies(Pool("shelfie")),
            store.fit(Pool("shelfie")),
        ),
        "page of a bot": lambda: (
            store.lineage("bot00"),
            store.bot_ratings("bot00"),
            store.matches(Filter(bot="bot00")),
        ),
        "matches": page(),
        "matches from the middle": page(after=middle),
        "matches of a game": page(game="codex"),
        "matches of 4 players": page(players=4),
        "matches of 5 players (none)": page(players=5),
        "matches of a game of 5 (none)": page(game="shelfie", players=5),
        "matches of a tournament": page(tournament=first),
        "matches with forfeits": page(forfeits=True),
        "forfeits of a tournament": page(tournament=last, forfeits=True),
        "void matches of 5 (none)": page(void=True, players=5),
        "matches of a bot": page(bot="bot01@2"),
        "of a bot, in a tournament": page(bot="bot00", tournament=first),
        "of a bot, of 5 (none)": page(bot="bot00", players=5),
        "of a bot, forfeits": page(bot="bot00@1", forfeits=True),
        "a match by its name": lambda: (store.match(f"{last}/7"), store.record_of(f"{last}/7")),
    }


def milliseconds(question: Callable[[], object]) -> tuple[float, float]:
    """The first time and the median of the next ones."""
    times = []
    for _ in range(1 + REPEATS):
        began = time.perf_counter()
        question()
        times.append(1_000 * (time.perf_counter() - began))
    return times[0], statistics.median(times[1:])


def recording(store: Store, batch: int, matches: int) -> float:
    """Matches per second."""
    name = f"recorded{time.time_ns()}"
    store.open_tournament(name, "shelfie", "round-robin", {}, time.time_ns() // 1_000)
    records = records_of(name, matches)
    began = time.perf_counter()
    for start in range(0, matches, batch):
        store.record(records[start : start + batch], through=start + batch)
    return matches / (time.perf_counter() - began)


def compare_recording(store: Store, small: Store, batch: int, matches: int) -> tuple[float, float]:
    """Matches per second in this store and in a small SQLite file, in turns: a disk has its moods."""
    rates = [(recording(store, batch, matches), recording(small, batch, matches)) for _ in range(REPEATS)]
    here, there = zip(*rates, strict=True)
    return statistics.median(here), statistics.median(there)


def records_of(name: str, matches: int) -> list[MatchRecord]:
    one = replace(played(spec_of("bot00", "bot01")), lineup=(Entrant("bot00", "0-0"), Entrant("bot01", "1-0")))
    now_us = time.time_ns() // 1_000
    return [
        replace(one, spec=replace(one.spec, tournament=name, index=index, block=index // 2), started_us=now_us + index)
        for index in range(matches)
    ]


def measure(store: Store, small: Store, size: int) -> None:
    print(f"\n{size:9,} matches                          first       median")
    for what, question in questions(store).items():
        first, median = milliseconds(question)
        print(f"  {what:32} {first:10.1f} ms {median:9.1f} ms", flush=True)
    for batch, matches in ((1, 100), (20, 1_000), (50, 1_000)):
        here, there = compare_recording(store, small, batch, matches)
        print(f"  recorded, in batches of {batch:<10} {here:8,.0f} a second, {there:,.0f} in a small file", flush=True)


def run(place: str, folder: Path, matches: int) -> None:
    with open_store(place) as store, open_store(folder / "small.db") as small:
        Filler(small).fill(SIZES[0])
        filler = Filler(store)
        for size in sorted({min(size, matches) for size in SIZES}):
            began, before = time.perf_counter(), filler.size
            filler.fill(size)
            print(
                f"filled with {(size - before) / (time.perf_counter() - began):,.0f} matches a second", file=sys.stderr
            )
            measure(store, small, size)


def main(matches: int = SIZES[-1], place: str | None = None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run(place or str(Path(folder) / "arena.db"), Path(folder), matches)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What the store costs as the log grows.")
    parser.add_argument("--matches", type=int, default=SIZES[-1], help="how long the log gets")
    parser.add_argument("--db", help="an empty database instead of an SQLite file")
    given = parser.parse_args()
    main(given.matches, given.db)
