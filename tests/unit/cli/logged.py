"""An arena with a log of made-up matches, in which the strong usually beat the weak."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random

from arena.record import MatchRecord
from arena.store import Store, open_store
from tests.unit.store.table import arena_of, match

HOUR_US = 3_600_000_000
NOON_US = 1_793_534_400_000_000
"""2026-11-01 12:00 UTC."""


def home_with(folder: Path) -> Store:
    """An empty arena in that folder, opened."""
    (folder / ".arena").mkdir()
    return open_store(folder / ".arena" / "arena.db")


def blocks(
    tournament: str, *labels: str, players: int = 2, rounds: int = 1, game: str = "shelfie", seed: int = 7
) -> Iterator[MatchRecord]:
    """Every line-up in every round, each deal with all rotations, an hour apart. The first label is the strongest."""
    rng, index = Random(f"{tournament} {seed}"), 0
    for _ in range(rounds):
        for lineup in combinations(labels, players):
            luck = {label: rng.gauss(-2.0 * labels.index(label), 1.5) for label in lineup}
            for turn in range(players):
                seats = [*lineup[turn:], *lineup[:turn]]
                yield played(tournament, index, seats, [luck[bot] + rng.gauss(0, 0.5) for bot in seats], game)
                index += 1


def played(tournament: str, index: int, seats: Sequence[str], strength: Sequence[float], game: str) -> MatchRecord:
    order = sorted(range(len(seats)), key=lambda seat: -strength[seat])
    ranks = [order.index(seat) + 1 for seat in range(len(seats))]
    forfeits = [order[-1]] if index % 25 == 24 else []
    if not forfeits and abs(strength[order[0]] - strength[order[-1]]) < 0.1:
        ranks = [1] * len(seats)
    return match(
        index,
        *seats,
        tournament=tournament,
        ranks=ranks,
        game=game,
        forfeits=forfeits,
        started_us=NOON_US + index * HOUR_US,
    )


def log(store: Store, tournament: str, records: Sequence[MatchRecord], *, finished: bool = True) -> None:
    """Write a tournament into the log."""
    store.record(records, through=len(records))
    if finished:
        store.finish(tournament)


def small_arena(folder: Path) -> Store:
    """Four bots, one of them hardly seen; a cup at tables of two, an open at tables of three, and some Codex."""
    store = home_with(folder)
    arena_of(store, "ada", "bob", "cyd", "dan", "bob@2", tournaments=("cup", "open", "trial"))
    store.open_tournament("den", "codex", "round-robin", {}, 5)
    log(store, "cup", list(blocks("cup", "ada", "bob", "cyd", rounds=12)))
    log(store, "open", list(blocks("open", "ada", "bob@2", "cyd", players=3, rounds=10)))
    log(store, "trial", list(blocks("trial", "dan", "cyd", rounds=3)))
    log(store, "den", list(blocks("den", "ada", "cyd", rounds=9, game="codex")))
    return store
