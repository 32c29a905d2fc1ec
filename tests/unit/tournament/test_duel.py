"""A duel: who sits, when it ends, and what it says."""

from __future__ import annotations

from random import Random

import pytest

from arena.errors import UsageError
from arena.rating import Decision
from arena.record import Result
from arena.tournament.system import Played, Sitting
from arena.tournament.systems import Field, make
from arena.tournament.systems.duel import Duel, DuelOptions


def a_duel(bots: str = "ab", players: int = 2, **options: float) -> Duel:
    field = Field(tuple(bots), (players,), seed=7, copies=True)
    return Duel(field, DuelOptions(**options))  # type: ignore[arg-type]


def played(sitting: Sitting, block: int, wins: list[bool]) -> Played:
    """A block of two games, each won by the first bot or by the second."""
    results = [
        Result("cup", 2 * block + game, block, "shelfie", ("a", "b"), (1, 2) if won else (2, 1), (0, 0), (False, False))
        for game, won in enumerate(wins)
    ]
    return Played(sitting, tuple(results))


def decided(duel: Duel, chance: Random, strength: float) -> Decision:
    """What a duel finds when the first bot wins so often."""
    block = 0
    while (sitting := duel.next()) is not None:
        duel.learn(played(sitting, block, [chance.random() < strength for _ in range(2)]))
        block += 1
    return duel.test.decision


def test_error_rates_hold() -> None:
    """An equal bot is rarely called better, and one that is better by the margin rarely called not better."""
    runs = 200
    equal = [decided(a_duel(margin=0.15), Random(run), 0.5) for run in range(runs)]
    better = [decided(a_duel(margin=0.15), Random(run), 0.65) for run in range(runs)]
    assert equal.count(Decision.BETTER) <= 0.05 * runs + 2 * (0.05 * 0.95 * runs) ** 0.5
    assert better.count(Decision.NOT_BETTER) <= 0.05 * runs + 2 * (0.05 * 0.95 * runs) ** 0.5
    assert better.count(Decision.BETTER) > 0.9 * runs


def test_it_ends_undecided() -> None:
    """After the most blocks it ends, whatever is known."""
    assert decided(a_duel(most=2), Random(1), 0.5) is Decision.UNDECIDED


def test_the_field_is_drawn_by_lot() -> None:
    """At larger tables both bots sit in every block, with others who change from block to block."""
    duel = a_duel("abcdef", 4)
    sittings = [duel.next() for _ in range(30)]
    lineups = [sitting.lineup for sitting in sittings if sitting is not None]
    assert all(lineup[:2] == ("a", "b") and len(set(lineup)) == 4 for lineup in lineups)
    assert {bot for lineup in lineups for bot in lineup[2:]} == set("cdef")


def test_copies_fill_the_table() -> None:
    """Without a field the other seats go to copies of the second bot."""
    sitting = a_duel("ab", 4).next()
    assert sitting is not None
    assert sitting.lineup == ("a", "b", "b", "b")


def test_a_field_needs_room() -> None:
    """At a table of two there is no seat for a field."""
    with pytest.raises(UsageError, match="no room for a field"):
        make("duel", Field(("a", "b", "c"), (2,)), {})


@pytest.mark.parametrize("bot", ["a", "b"])
def test_who_is_taken_out_ends_it(bot: str) -> None:
    """When one of the two is taken out there is nothing left to find out."""
    duel = a_duel()
    duel.withdraw(bot)
    assert duel.next() is None
    assert any("forfeited too often" in line for line in duel.findings())
