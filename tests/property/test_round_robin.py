"""Laws of round robins and gauntlets: who meets whom how often, from the first block to the last."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.systems import Field, make
from tests.schedules import appearances, drive, meetings, names, spread

SEATS = st.sampled_from([2, 3, 4])
SEEDS = st.integers(0, 2**64 - 1)


def round_robin(bots: int, players: tuple[int, ...], seed: int, **options: int) -> list[tuple[str, ...]]:
    system = make("round-robin", Field(names(bots), players, seed), options)
    lineups = drive(system).lineups
    assert len(lineups) == system.length.exact
    return lineups


@settings(max_examples=25, deadline=None)
@given(bots=st.integers(4, 11), seats=SEATS, passes=st.integers(1, 2), seed=SEEDS)
def test_all_lineups_are_played_when_they_fit(bots: int, seats: int, passes: int, seed: int) -> None:
    """With blocks for all line-ups, each of them is played, and each equally often."""
    lineups = round_robin(bots, (seats,), seed, blocks=passes * comb(bots, seats))
    tables = Counter(frozenset(lineup) for lineup in lineups)
    assert len(tables) == comb(bots, seats)
    assert set(tables.values()) == {passes}


@settings(max_examples=30, deadline=None)
@given(bots=st.integers(2, 60), blocks=st.integers(1, 300), seed=SEEDS)
def test_pairs_meet_equally_often_at_any_time(bots: int, blocks: int, seed: int) -> None:
    """With two seats, however many blocks are played, no pair has met twice more than another."""
    assert spread(meetings(round_robin(bots, (2,), seed, blocks=blocks), names(bots))) <= 1


@settings(max_examples=30, deadline=None, derandomize=True)
@given(bots=st.integers(5, 60), seats=st.sampled_from([3, 4]), share=st.floats(0.05, 1.0), seed=SEEDS)
def test_a_choice_of_lineups_is_balanced(bots: int, seats: int, share: float, seed: int) -> None:
    """Where not all line-ups fit, everybody meets everybody equally often up to two, and plays about equally often."""
    blocks = max(1, round(share * min(200, comb(bots, seats))))
    lineups = round_robin(bots, (seats,), seed, blocks=blocks)
    assert spread(meetings(lineups, names(bots))) <= 2
    assert spread(appearances(lineups, names(bots))) <= (2 if bots <= 30 else seats)


@pytest.mark.parametrize(
    ("bots", "seats", "blocks"),
    [
        (6, 3, 10),
        (7, 3, 7),
        (7, 4, 7),
        (8, 4, 14),
        (9, 3, 12),
        (10, 4, 12),
        (12, 3, 30),
        (13, 4, 13),
        (20, 4, 50),
        (30, 3, 100),
    ],
)
def test_balance_is_within_one_where_a_design_is_known(bots: int, seats: int, blocks: int) -> None:
    """For budgets that a balanced design exists for, no pair meets twice more than another."""
    assert spread(meetings(round_robin(bots, (seats,), 7, blocks=blocks), names(bots))) <= 1


@pytest.mark.parametrize("seats", [3, 4])
def test_a_choice_is_as_balanced_as_any_can_be(seats: int) -> None:
    """For five bots, no choice of so many line-ups is more balanced than the one that is played."""
    tables = list(combinations(names(5), seats))
    for blocks in range(1, 5):
        choices = combinations_with_replacement(tables, blocks)
        best = min(spread(meetings(choice, names(5))) for choice in choices)
        assert spread(meetings(round_robin(5, (seats,), 7, blocks=blocks), names(5))) == best


@settings(max_examples=30, deadline=None, derandomize=True)
@given(bots=st.integers(4, 14), seats=SEATS, rounds=st.integers(1, 4), seed=SEEDS)
def test_rounds_are_meetings_of_every_pair(bots: int, seats: int, rounds: int, seed: int) -> None:
    """In so many rounds every pair meets about so often: exactly with two seats, up to two otherwise."""
    met = meetings(round_robin(bots, (seats,), seed, rounds=rounds), names(bots))
    assert all(abs(count - rounds) <= (0 if seats == 2 else 2) for count in met.values())


@pytest.mark.parametrize(
    ("bots", "players", "blocks"),
    [(9, (2,), 144), (10, (3,), 120), (10, (4,), 210), (20, (4,), 500), (30, (2, 3, 4), 900)],
)
def test_early_standings_mean_something(bots: int, players: tuple[int, ...], blocks: int) -> None:
    """After a tenth, two tenths, ... of the blocks every pair has had that part of its meetings, up to two or three."""
    lineups = round_robin(bots, players, 3, blocks=blocks)
    final = meetings(lineups, names(bots))
    for tenth in range(1, 10):
        early = meetings(lineups[: blocks * tenth // 10], names(bots))
        assert max(abs(early[pair] - final[pair] * tenth / 10) for pair in final) <= (3 if len(players) == 1 else 4.5)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(bots=st.integers(4, 50), seats=SEATS, blocks=st.integers(20, 200), seed=SEEDS)
def test_seats_are_shared_evenly(bots: int, seats: int, blocks: int, seed: int) -> None:
    """Even counting only the first game of each block, everybody sits about equally often in each seat."""
    sat = Counter(
        (bot, seat) for lineup in round_robin(bots, (seats,), seed, blocks=blocks) for seat, bot in enumerate(lineup)
    )
    for bot in names(bots):
        places = [sat[bot, seat] for seat in range(seats)]
        assert max(places) - min(places) <= 3


@settings(max_examples=20, deadline=None, derandomize=True)
@given(bots=st.integers(4, 20), blocks=st.integers(1, 100), seed=SEEDS)
def test_mixed_tables_take_turns(bots: int, blocks: int, seed: int) -> None:
    """Mixed play has as many blocks of two as of three and of four, and everybody plays each size evenly."""
    lineups = round_robin(bots, (2, 3, 4), seed, blocks=blocks)
    assert [len(lineup) for lineup in lineups] == [2 + turn % 3 for turn in range(blocks)]
    for seats in (2, 3, 4):
        sized = [lineup for lineup in lineups if len(lineup) == seats]
        assert spread(appearances(sized, names(bots))) <= 2


@settings(max_examples=25, deadline=None, derandomize=True)
@given(bots=st.integers(5, 45), seats=SEATS, leaver=st.integers(0, 4), after=st.integers(0, 120), seed=SEEDS)
def test_a_withdrawal_leaves_the_others_balanced(bots: int, seats: int, leaver: int, after: int, seed: int) -> None:
    """Who withdraws plays no more, and the others go on to meet each other equally often."""
    system = make("round-robin", Field(names(bots), (seats,), seed), {"blocks": 100})
    gone = names(bots)[leaver]
    story = drive(system, withdrawals={after: gone})
    assert story.over
    assert all(gone not in lineup for lineup in story.lineups[after:])
    met = {pair: count for pair, count in meetings(story.lineups, names(bots)).items() if gone not in pair}
    assert spread(met) <= (1 if seats == 2 else 3 if bots <= 30 else 6)


@pytest.mark.parametrize("players", [(2,), (4,), (2, 3, 4)])
def test_a_million_games_need_no_memory(players: tuple[int, ...]) -> None:
    """1,000 bots and 1,000,000 games are scheduled within a megabyte, whichever block is next."""
    tracemalloc.start()
    try:
        system = make("round-robin", Field(names(1000), players, 7), {"games": 1_000_000})
        seen = sum(system.next() is not None for _ in range(5_000))
        assert seen == 5_000
        assert system.length.exact is not None
        assert system.length.exact >= 250_000
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@settings(max_examples=25, deadline=None, derandomize=True)
@given(bots=st.integers(6, 20), seats=SEATS, challengers=st.integers(1, 3), rounds=st.integers(1, 5), seed=SEEDS)
def test_a_gauntlet_sets_challengers_against_the_field(
    bots: int, seats: int, challengers: int, rounds: int, seed: int
) -> None:
    """Every table has one challenger; all challengers meet the same choices of the field, and everybody of it."""
    front, field = names(bots)[:challengers], names(bots)[challengers:]
    system = make("gauntlet", Field(names(bots), (seats,), seed), {"challengers": list(front), "rounds": rounds})
    lineups = drive(system).lineups
    assert len(lineups) == system.length.exact
    faced = {bot: [frozenset(lineup) - {bot} for lineup in lineups if bot in lineup] for bot in front}
    assert all(others == faced[front[0]] for others in faced.values())
    assert all(len(others & set(front)) == 0 for others in faced[front[0]])
    met = Counter(bot for others in faced[front[0]] for bot in others)
    assert all(rounds - 1 <= met[bot] <= rounds + 2 for bot in field)
    assert spread({bot: met[bot] for bot in field}) <= 2


@settings(max_examples=25, deadline=None)
@given(seats=SEATS, leaver=st.integers(0, 7), after=st.integers(0, 30), seed=SEEDS)
def test_a_gauntlet_goes_on_without_those_who_withdraw(seats: int, leaver: int, after: int, seed: int) -> None:
    """A challenger or a bot of the field may leave at any time; a gauntlet without challengers is over."""
    gone = names(8)[leaver]
    for front in (names(8)[:1], names(8)[:2]):
        system = make("gauntlet", Field(names(8), (seats,), seed), {"challengers": front, "blocks": 40})
        story = drive(system, withdrawals={after: gone})
        assert story.over
        assert all(gone not in lineup for lineup in story.lineups[after:])
        left = [bot for bot in front if bot != gone]
        if after < 20:
            assert bool(story.lineups[after:]) == bool(left)


def test_pairs_of_the_field_are_balanced_in_a_gauntlet() -> None:
    """Also within the field nobody sits together much more often than others, so that no challenger is favoured."""
    system = make("gauntlet", Field(names(10), (4,), 1), {"rounds": 12})
    lineups = [[bot for bot in lineup if bot != "bot000"] for lineup in drive(system).lineups]
    assert spread(meetings(lineups, names(10)[1:])) <= 1
    assert {pair for lineup in lineups for pair in combinations(sorted(lineup), 2)} == set(
        combinations(names(10)[1:], 2)
    )
