"""Lists of matches: newest first, any filter, page by page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from arena.errors import StoreError, Unknown, UsageError
from arena.record import MatchRecord
from arena.store import Filter, MatchKey, SeatLine, Store
from tests.unit.store.table import arena_of, match

SHELFIE, CODEX = ("cup", "open"), "den"


def log(store: Store) -> list[MatchRecord]:
    """A log of all sorts, written in any order; gives it newest first."""
    labels = ("ann", "ann@2", "bob", "cy")
    arena_of(store, *labels, tournaments=SHELFIE)
    store.open_tournament(CODEX, "codex", "round-robin", {}, 9)
    rng = Random(3)
    records = []
    for place in range(90):
        tournament = rng.choice([*SHELFIE, CODEX])
        game = "codex" if tournament == CODEX else "shelfie"
        bots = rng.choices(labels, k=rng.randint(2, 4))
        forfeits = [0] if rng.random() < 0.2 else []
        void = "Stalled." if rng.random() < 0.2 else ""
        records.append(
            match(
                place,
                *bots,
                tournament=tournament,
                game=game,
                started_us=rng.randrange(40),
                forfeits=forfeits,
                void=void,
            )
        )
    rng.shuffle(records)
    store.record(records)
    numbers = {name: number for number, name in enumerate([*SHELFIE, CODEX])}
    return sorted(records, key=lambda r: (r.started_us, numbers[r.spec.tournament], r.spec.index), reverse=True)


def names(record: MatchRecord) -> set[str]:
    return {f"{bot.name}@{bot.version}" for bot in record.lineup} | {bot.name for bot in record.lineup}


def forfeited(record: MatchRecord, bot: str | None = None) -> bool:
    if record.outcome is None:
        return False
    losers = [record.lineup[verdict.seat] for verdict in record.verdicts]
    return any(bot in {None, loser.name, f"{loser.name}@{loser.version}"} for loser in losers)


FILTERS: dict[str, tuple[dict[str, Any], Callable[[MatchRecord], bool]]] = {
    "all": ({}, lambda _: True),
    "tournament": ({"tournament": "open"}, lambda r: r.spec.tournament == "open"),
    "game": ({"game": "codex"}, lambda r: r.spec.game == "codex"),
    "another game": ({"tournament": "open", "game": "codex"}, lambda _: False),
    "players": ({"players": 3}, lambda r: len(r.lineup) == 3),
    "since": ({"since_us": 20}, lambda r: r.started_us >= 20),
    "forfeits": ({"forfeits": True}, forfeited),
    "no forfeits": ({"forfeits": False}, lambda r: not forfeited(r)),
    "void": ({"void": True}, lambda r: r.outcome is None),
    "counting": ({"void": False, "tournament": "cup"}, lambda r: r.outcome is not None and r.spec.tournament == "cup"),
    "bot": ({"bot": "ann"}, lambda r: "ann" in names(r)),
    "version": ({"bot": "ann@2"}, lambda r: "ann@2" in names(r)),
    "bot in a tournament": (
        {"bot": "bob", "tournament": "cup"},
        lambda r: "bob" in names(r) and r.spec.tournament == "cup",
    ),
    "bot in a game": ({"bot": "bob", "game": "codex"}, lambda r: "bob" in names(r) and r.spec.game == "codex"),
    "bot that forfeited": ({"bot": "cy", "forfeits": True}, lambda r: forfeited(r, "cy")),
    "version that did not": ({"bot": "cy@1", "forfeits": False}, lambda r: "cy" in names(r) and not_always(r, "cy")),
    "bot in void matches": ({"bot": "ann", "void": True}, lambda r: "ann" in names(r) and r.outcome is None),
    "all at once": (
        {"bot": "ann", "game": "shelfie", "players": 2, "since_us": 5, "void": False, "forfeits": False},
        lambda r: (
            "ann" in names(r)
            and r.spec.game == "shelfie"
            and len(r.lineup) == 2
            and r.started_us >= 5
            and r.outcome is not None
            and not_always(r, "ann")
        ),
    ),
}


def not_always(record: MatchRecord, bot: str) -> bool:
    """Whether some seat of the bot did not forfeit."""
    out = {verdict.seat for verdict in record.verdicts} if record.outcome else set()
    return any(seat not in out and entrant.name == bot for seat, entrant in enumerate(record.lineup))


def test_every_filter(store: Store) -> None:
    """A filter lets through what it says, newest first, and pages of any size join without gap or overlap."""
    records = log(store)
    for name, (choice, says) in FILTERS.items():
        expected = [(r.spec.tournament, r.spec.index) for r in records if says(r)]
        assert bool(expected) == (name != "another game")
        wanted, found = Filter(**choice), []
        while page := store.matches(wanted, limit=7):
            found += [(line.key.tournament, line.key.index) for line in page]
            wanted = replace(wanted, after=page[-1].mark)
        assert found == expected, name


def test_a_line_says_all(store: Store) -> None:
    """A match in a list has what a table of matches shows."""
    arena_of(store, "ann", "bob")
    store.record([match(5, "bob", "ann", ranks=[2, 1], forfeits=[0], seed=2**64 - 1)])
    (line,) = store.matches()
    assert line.key == MatchKey("cup", 5, 0)
    assert (line.name, line.game, line.edition, line.block, line.seed) == ("cup/5", "shelfie", "it", 2, 2**64 - 1)
    assert (line.started_us, line.elapsed_us, line.turns, line.termination) == (5_000, 5_000, 8, "completed")
    assert (line.void_reason, line.lenient) == (None, False)
    assert line.seats == (
        SeatLine("bob@1", 2, 8, "timed out", 412, 1_000, 2_000),
        SeatLine("ann@1", 1, 9, None, 416, 1_001, 2_001),
    )


def test_a_match_by_name(store: Store) -> None:
    """A match is found by the name that people use for it: with its attempt when it is void."""
    arena_of(store, "ann", "bob")
    records = [match(17, void="Stalled."), match(17, attempt=1), match(18, void="Stalled.")]
    store.record(records)
    assert [line.name for line in store.matches()] == ["cup/18~0", "cup/17", "cup/17~0"]
    for name, record in {"cup/17": records[1], "cup/17~1": records[1], "cup/17~0": records[0]}.items():
        assert store.record_of(name).record() == record
        assert store.match(name).key.attempt == record.spec.attempt
    assert store.match("cup/18~0").void_reason == "Stalled."
    assert store.match("cup/18~0").seats[0] == SeatLine("ann@1", None, None, None, 412, 1_000, 2_000)


@pytest.mark.parametrize(
    ("name", "error", "sentence"),
    [
        ("cup/18", Unknown, "there is no match cup/18 that counts in this arena; there is cup/18~0"),
        ("cup/18~1", Unknown, "there is no match cup/18~1 that counts"),
        ("cup/19", Unknown, "there is no match cup/19 in this arena"),
        ("cap/18", Unknown, "there is no tournament named 'cap'"),
        ("cup", UsageError, "'cup' is not a match; write TOURNAMENT/INDEX as in cup/17"),
        ("cup/x", UsageError, "'cup/x' is not a match"),
        ("cup/-1", UsageError, "'cup/-1' is not a match"),
    ],
)
def test_names_of_no_match(name: str, error: type[Exception], sentence: str, store: Store) -> None:
    """A name that leads nowhere gets a sentence that says what there is."""
    arena_of(store, "ann", "bob")
    store.record([match(18, void="Stalled.")])
    with pytest.raises(error, match=sentence):
        store.match(name)
    with pytest.raises(error, match=sentence):
        store.record_of(name)


@pytest.mark.parametrize("wanted", [Filter(bot="zoe"), Filter(bot="ann@2"), Filter(tournament="cap")])
def test_filters_that_lead_nowhere(wanted: Filter, store: Store) -> None:
    """A bot or tournament that is not there is named, rather than an empty list shown."""
    arena_of(store, "ann")
    with pytest.raises(Unknown, match=r"there is no .*(zoe|ann@2|cap)"):
        store.matches(wanted)


def test_tampering_is_seen(store: Store) -> None:
    """A record that is not what was written is not handed out."""
    import zlib

    from arena.store.tables import RECORDS

    arena_of(store, "ann", "bob")
    store.record([match(0), match(1)])
    for index, content in enumerate([zlib.compress(b"other"), b"no stream"]):
        with store.database.writing() as connection:
            connection.execute(RECORDS.update().where(RECORDS.c.index == index).values(content=content))
        with pytest.raises(StoreError, match=f"the record of cup/{index}~0 was changed after it was written"):
            store.record_of(f"cup/{index}")
