"""From sittings to specs: numbers, deals, seats, and what a system hears when."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.record import MatchSpec, Result
from arena.tournament import systems
from arena.tournament.definition import Deals, Definition, Join
from arena.tournament.schedule import Block, Schedule
from arena.tournament.system import WAIT, Played, Sitting
from tests.unit.tournament.simulated import Pairs, a_definition, by_name, record_of


def whole(schedule: Schedule, chance: Random) -> list[MatchSpec]:
    """All specs of a schedule whose matches end in a random order."""
    specs: list[MatchSpec] = []
    under_way: list[MatchSpec] = []
    while (block := schedule.next()) is not None:
        if isinstance(block, Block):
            specs += block.specs
            under_way += block.specs
        while under_way and (block is WAIT or chance.random() < 0.4):
            schedule.take(Result.of(by_name(under_way.pop(chance.randrange(len(under_way))))))
            if block is WAIT:
                break
    for spec in under_way:
        schedule.take(Result.of(by_name(spec)))
    schedule.finish()
    return specs


@given(st.integers(0, 2**32), st.integers(1, 9), st.booleans())
def test_order_of_finishing_changes_nothing(seed: int, lead: int, patient: bool) -> None:
    """Whichever match ends first, the system is asked and told the same in the same order."""
    one, other = (Pairs("abcd", 4, patient=patient) for _ in range(2))
    first = whole(Schedule(a_definition(), one, lead), Random(seed))
    second = whole(Schedule(a_definition(), other, lead), Random(seed + 1))
    assert first == second
    assert one.calls == other.calls


def test_every_block_is_learned_of_in_order() -> None:
    """By the end the system knows of all blocks, in the order in which it gave them."""
    system = Pairs("abc", 3)
    whole(Schedule(a_definition(), system, 2), Random(1))
    learned = [call.sitting for call in system.calls if isinstance(call, Played)]
    assert learned == [call for call in system.calls if isinstance(call, Sitting)]
    assert len(learned) == 9


def test_numbers_deals_and_seats() -> None:
    """Indices count on, a block is one deal, blocks have different deals, and every bot sits once in every seat."""
    specs = whole(Schedule(a_definition(), Pairs("abc", 5), 3), Random(1))
    assert [spec.index for spec in specs] == list(range(30))
    assert [spec.block for spec in specs] == [index // 2 for index in range(30)]
    assert len({spec.seed for spec in specs}) == 15
    assert all(one.seed == two.seed for one, two in zip(specs[::2], specs[1::2], strict=True))
    assert all(one.lineup == two.lineup[::-1] for one, two in zip(specs[::2], specs[1::2], strict=True))
    assert {spec.tournament for spec in specs} == {"cup"}


@pytest.mark.parametrize(("deals", "games"), [(Deals.ROTATIONS, 3), (Deals.PERMUTATIONS, 6)])
def test_seat_orders(deals: Deals, games: int) -> None:
    """A deal is played in as many orders as asked for, and in them every bot has every seat equally often."""
    lineups = deals.orders(("a", "b", "c"))
    assert len(lineups) == games
    seats = Counter((bot, seat) for order in lineups for seat, bot in enumerate(order))
    assert len(set(seats.values())) == 1


def seats_apart(specs: list[MatchSpec]) -> list[int]:
    """For each bot, by how much its games in one seat are more than those in another, at tables of one size."""
    sat = Counter((bot, seat) for spec in specs for seat, bot in enumerate(spec.lineup))
    seats = range(len(specs[0].lineup))
    rows = [[sat[bot, seat] for seat in seats] for bot in {bot for bot, _ in sat}]
    return [max(row) - min(row) for row in rows]


def single_deals(system: str, bots: int, seats: int, seed: int) -> list[MatchSpec]:
    """A tournament in which each game has its own deal; everybody plays about ten."""
    length = {"rounds": 10} if system == "swiss" else {"blocks": 10 * bots // seats}
    names = tuple(f"bot{number}" for number in range(bots))
    plan = a_definition(*names, players=(seats,), system=system, settings=length, seed=seed, deals=Deals.SINGLE)
    return whole(Schedule(plan, systems.of(plan)), Random(seed))


@pytest.mark.parametrize("system", ["round-robin", "gauntlet", "swiss", "ladder"])
def test_single_deals_share_the_seats(system: str) -> None:
    """Where each game has its own deal, nearly all bots sit in each seat equally often up to one, and all up to three.

    Better cannot be promised: two bots who have both sat more often in the first seat may meet.
    """
    apart: list[int] = []
    for bots, seats, seed in product((4, 5, 6, 9, 12), (2, 3, 4), (1, 2)):
        specs = single_deals(system, bots, seats, seed)
        assert len({spec.seed for spec in specs}) == len(specs)
        apart += seats_apart(specs)
    assert max(apart) <= 3
    assert sum(more <= 1 for more in apart) >= 0.8 * len(apart)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_single_deals_of_a_duel_share_the_seats(seats: int) -> None:
    """In a duel with a deal for each game both bots take the seats in turn."""
    plan = a_definition("a", "b", players=(seats,), system="duel", settings={"most": 12}, deals=Deals.SINGLE)
    system = systems.of(plan)
    lineups = [sitting.lineup for sitting in iter(system.next, None) if isinstance(sitting, Sitting)]
    assert {(lineups[:seats]).count(lineup) for lineup in lineups} == {1}
    assert Counter(lineup.index("a") for lineup in lineups) == dict.fromkeys(range(seats), 12 // seats)


def a_ladder(*joins: Join, blocks: int = 30) -> Definition:
    return a_definition("ann", "bob", "cy", system="ladder", settings={"blocks": blocks}, joins=joins)


@given(st.integers(0, 60), st.integers(0, 2**32))
def test_a_newcomer_joins_behind_what_was_played(after: int, seed: int) -> None:
    """Who joins behind so many matches changes none of them, and plays soon after, whichever matches end first."""
    before = whole(Schedule(a_ladder(), systems.of(a_ladder())), Random(seed))
    plan = a_ladder(Join("dot", after))
    first, second = (whole(Schedule(plan, systems.of(plan)), Random(seed + turn)) for turn in range(2))
    assert first == second
    assert first[:after] == before[:after]
    turns = [spec.index for spec in first if "dot" in spec.lineup]
    assert (turns[0] - after in range(6)) if after < 54 else all(turn >= after for turn in turns)


def test_the_same_command_with_another_bot() -> None:
    """A definition knows who is new in a wish, and which wishes are for another tournament."""
    ladder = a_ladder().joined(["dot"], after=4)
    assert ladder.newcomers(a_ladder()) == []
    assert ladder.newcomers(replace(a_ladder(), bots=("ann", "bob", "cy", "eve", "dot"))) == ["eve"]
    assert ladder.newcomers(replace(a_ladder(), bots=("bob", "ann", "cy"))) is None
    assert ladder.newcomers(replace(a_ladder(), seed=8)) is None
    mixed = replace(a_ladder(), players=(2, 3))
    assert mixed.newcomers(replace(mixed, bots=(*mixed.bots, "eve"), players=(2, 3, 4))) == ["eve"]
    with pytest.raises(UsageError, match="dot takes part in cup already"):
        ladder.joined(["dot"], after=9)


def test_settled_is_the_unbroken_beginning() -> None:
    """Matches count as settled only when all before them have their results."""
    schedule = Schedule(a_definition(), Pairs("ab", 2), 2)
    blocks = [schedule.next(), schedule.next()]
    specs = [spec for block in blocks if isinstance(block, Block) for spec in block.specs]
    seen = []
    for index in (1, 3, 0, 2):
        assert schedule.settled_with([index]) >= schedule.settled
        schedule.take(Result.of(by_name(specs[index])))
        seen.append(schedule.settled)
    assert seen == [0, 0, 2, 4]


def strikes(definition: Definition, forfeits: int, games: int) -> list[str]:
    """Who is out after so many games of ann, of which she forfeits the first."""
    system = Pairs(("ann", "bob"), games)
    schedule = Schedule(definition, system, 1)
    left = forfeits
    while isinstance(block := schedule.next(), Block):
        for spec in block.specs:
            seat = spec.lineup.index("ann")
            ranks = [1 + (bot == "ann") for bot in spec.lineup]
            schedule.take(Result.of(record_of(spec, ranks, [seat] if left > 0 else [])))
            left -= 1
    assert schedule.withdrawn == sorted(system.out)
    return schedule.withdrawn


def test_who_forfeits_too_often_is_taken_out() -> None:
    """The limit of forfeits takes a bot out, one less does not, and 0 means never."""
    assert strikes(a_definition(strikes=4), 4, 10) == ["ann"]
    assert strikes(a_definition(strikes=4), 3, 10) == []
    assert strikes(a_definition(strikes=0), 20, 10) == []


def test_rare_forfeits_do_not_add_up() -> None:
    """A bot that forfeits now and then in a long tournament stays in it."""
    system = Pairs(("ann", "bob"), 100)
    schedule = Schedule(a_definition(strikes=4), system, 1)
    while isinstance(block := schedule.next(), Block):
        for spec in block.specs:
            seat = spec.lineup.index("ann")
            ranks = [1 + (bot == "ann") for bot in spec.lineup]
            schedule.take(Result.of(record_of(spec, ranks, [seat] if spec.index % 20 == 19 else [])))
    assert schedule.withdrawn == []


def test_definition_round_trip() -> None:
    """A definition that went through JSON is the definition that it was."""
    definition = a_definition(settings={"rounds": 3}, deals=Deals.SINGLE, options={"key": "value"}, lenient=True)
    for one in (definition, definition.joined(["dot", "eve"], after=8)):
        assert Definition.from_json(one.as_json()) == one
    assert "joins" not in definition.as_json()
