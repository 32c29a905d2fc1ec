"""Laws of systems that go by rounds: Swiss tournaments and knockouts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import networkx as nx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.tournament.system import Sitting
from arena.tournament.systems import Field, make
from arena.tournament.systems.knockout import Knockout, KnockoutOptions
from arena.tournament.systems.swiss import Swiss, SwissOptions
from tests.schedules import Story, Table, by_order, drive, meetings, names

SEATS = st.sampled_from([2, 3, 4])
SEEDS = st.integers(0, 2**64 - 1)


def by_strength(bots: int, seed: int, grain: float = 0.5) -> Table:
    return Table({bot: 2 - number / bots for number, bot in enumerate(names(bots))}, seed, grain=grain)


def rounds(story: Story) -> list[list[Sitting]]:
    """The sittings of each round of a Swiss tournament."""
    stages = list(dict.fromkeys(sitting.stage for sitting in story.sittings))
    assert stages == [f"round {number}" for number in range(1, len(stages) + 1)]
    return [[sitting for sitting in story.sittings if sitting.stage == stage] for stage in stages]


def idle(sittings: Sequence[Sitting], bots: int) -> set[str]:
    return set(names(bots)) - {bot for sitting in sittings for bot in sitting.lineup}


# Swiss


@settings(max_examples=25, deadline=None)
@given(bots=st.integers(4, 20), seats=SEATS, count=st.integers(1, 8), repeat=st.integers(1, 2), seed=SEEDS)
def test_a_swiss_round_seats_everybody_who_fits(bots: int, seats: int, count: int, repeat: int, seed: int) -> None:
    """In every round each bot plays at one table, and fewer sit out than a table seats."""
    system = make("swiss", Field(names(bots), (seats,), seed), {"rounds": count, "repeat": repeat})
    story = drive(system, by_strength(bots, seed))
    assert story.over
    assert len(story.sittings) == system.length.exact
    assert len(rounds(story)) == count
    for sittings in rounds(story):
        played = Counter(bot for sitting in sittings for bot in sitting.lineup)
        assert set(played.values()) == {repeat}
        assert len(idle(sittings, bots)) == bots % seats


@settings(max_examples=25, deadline=None)
@given(bots=st.integers(5, 15), seats=SEATS, seed=SEEDS)
def test_nobody_has_two_byes_before_everybody_had_one(bots: int, seats: int, seed: int) -> None:
    """Byes go round the whole field before they start again."""
    assume(bots % seats)
    story = drive(make("swiss", Field(names(bots), (seats,), seed), {"rounds": 2 * bots}), by_strength(bots, seed))
    byes: Counter[str] = Counter(dict.fromkeys(names(bots), 0))
    for sittings in rounds(story):
        byes.update(idle(sittings, bots))
        assert max(byes.values()) - min(byes.values()) <= 1


@settings(max_examples=25, deadline=None)
@given(bots=st.integers(4, 24), count=st.integers(2, 23), seed=SEEDS)
def test_pairs_meet_again_only_when_it_cannot_be_avoided(bots: int, count: int, seed: int) -> None:
    """With two seats a round has a rematch only if those who play in it cannot all be paired without."""
    story = drive(make("swiss", Field(names(bots), (2,), seed), {"rounds": count}), by_strength(bots, seed))
    met: set[frozenset[str]] = set()
    for sittings in rounds(story):
        pairs = {frozenset(sitting.lineup) for sitting in sittings}
        if pairs & met:
            fresh: nx.Graph[str] = nx.Graph()
            playing = sorted({bot for pair in pairs for bot in pair})
            fresh.add_edges_from(pair for pair in combinations(playing, 2) if frozenset(pair) not in met)
            assert len(nx.max_weight_matching(fresh, maxcardinality=True)) < len(pairs)
        met |= pairs


@settings(max_examples=25, deadline=None, derandomize=True)
@given(bots=st.integers(16, 40), seats=st.sampled_from([3, 4]), seed=SEEDS)
def test_tables_of_a_swiss_round_are_new_company(bots: int, seats: int, seed: int) -> None:
    """With three or four seats, nobody meets anybody again while most of the field is still to be met."""
    fresh_rounds = (bots - 1) // (seats - 1) // 3 + 1
    story = drive(make("swiss", Field(names(bots), (seats,), seed), {"rounds": fresh_rounds}), by_strength(bots, seed))
    assert max(meetings(story.lineups, names(bots)).values()) == 1


def test_winners_meet_winners() -> None:
    """From the second round on, pairs are neighbours in the standings."""
    story = drive(make("swiss", Field(names(32), (2,), 7), {"rounds": 5}), by_order)
    points: Counter[str] = Counter()
    for number, sittings in enumerate(rounds(story)):
        apart = [abs(points[one] - points[other]) for one, other in (sitting.lineup for sitting in sittings)]
        assert sum(apart) <= 2 * number
        points.update(min(sitting.lineup) for sitting in sittings)
    assert points["bot000"] == 5


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_a_swiss_tournament_finds_the_best(seed: int) -> None:
    """When the stronger always wins, the best and the second are on top after a few rounds of a field of 40."""
    system = Swiss(Field(names(40), (2,), seed), SwissOptions(rounds=8))
    drive(system, by_order)
    assert system.findings()[0] == "bot000 has 8 of 8 points"


def test_mixed_rounds_take_the_sizes_in_turn() -> None:
    """With several sizes of tables, the first round has the smallest, the next one more, and so on."""
    story = drive(make("swiss", Field(names(13), (2, 3, 4), 5), {"rounds": 4}))
    assert [{len(sitting.lineup) for sitting in sittings} for sittings in rounds(story)] == [{2}, {3}, {4}, {2}]


@pytest.mark.parametrize(
    ("options", "blocks"), [({"blocks": 25}, 24), ({"games": 50}, 24), ({"games": 24, "repeat": 2}, 12)]
)
def test_a_swiss_budget_buys_whole_rounds(options: dict[str, int], blocks: int) -> None:
    """A budget of blocks or games is used up to the last whole round."""
    assert make("swiss", Field(names(13)), options).length.exact == blocks


def test_a_swiss_budget_below_a_round_is_refused() -> None:
    """Less than a round is no tournament, and the sentence says so."""
    with pytest.raises(UsageError, match="5 blocks are less than a round"):
        make("swiss", Field(names(13)), {"blocks": 5})


@settings(max_examples=25, deadline=None)
@given(bots=st.integers(5, 16), seats=SEATS, after=st.integers(0, 30), leaver=st.integers(0, 4), seed=SEEDS)
def test_a_swiss_tournament_survives_withdrawals(bots: int, seats: int, after: int, leaver: int, seed: int) -> None:
    """Who withdraws is not seated again, and the rounds go on with the others while they fill a table."""
    system = make("swiss", Field(names(bots), (seats,), seed), {"rounds": 6})
    gone = names(bots)[leaver]
    story = drive(system, by_strength(bots, seed), withdrawals={after: gone})
    assert story.over
    assert all(gone not in lineup for lineup in story.lineups[after:])
    if bots > seats:
        assert story.sittings[-1].stage == "round 6"


# Knockout


@settings(max_examples=80, deadline=None)
@given(
    bots=st.integers(4, 40),
    seats=SEATS,
    double=st.booleans(),
    best_of=st.integers(1, 4),
    lot=st.booleans(),
    seed=SEEDS,
)
def test_the_best_wins_a_knockout(bots: int, seats: int, double: bool, best_of: int, lot: bool, seed: int) -> None:
    """When the stronger always wins, the best bot wins; everybody gets one place, and no table is short."""
    options = KnockoutOptions(best_of=best_of, double=double, seeding="lot" if lot else "entry")
    system = Knockout(Field(names(bots), (seats,), seed), options)
    story = drive(system, by_order)
    assert story.over
    assert system.places[0] == ("bot000",)
    assert sorted(bot for place in system.places for bot in place) == list(names(bots))
    assert {len(lineup) for lineup in story.lineups} == {seats}
    assert {bot for lineup in story.lineups for bot in lineup} == set(names(bots))
    if seats > 2 and not lot:
        assert system.places[1] == ("bot001",)


@pytest.mark.parametrize("bots", [2, 3, 5, 8, 13, 16, 21])
def test_a_knockout_of_pairs_puts_one_out_in_each(bots: int) -> None:
    """A field needs one meeting less than it has bots, and twice as many when everybody has two lives."""
    assert len(drive(make("knockout", Field(names(bots)), {})).sittings) == bots - 1
    assert len(drive(make("knockout", Field(names(bots)), {"double": True})).sittings) == 2 * (bots - 1)


def test_the_best_seeds_meet_late() -> None:
    """In a field that is no power of two the best seeds have a bye, and the two best meet in the final only."""
    story = drive(make("knockout", Field(names(11)), {}))
    first = {bot for sitting in story.sittings if sitting.stage == "round 1" for bot in sitting.lineup}
    assert first == set(names(11)[5:])
    assert [sitting.stage for sitting in story.sittings[3:]] == ["quarter-final"] * 4 + ["semi-final"] * 2 + ["final"]
    assert sorted(story.lineups[-1]) == ["bot000", "bot001"]


def test_third_place_is_played_for() -> None:
    """The losers of the semi-finals meet, and the winner of that is third."""
    system = Knockout(Field(names(8)), KnockoutOptions(third_place=True))
    story = drive(system)
    assert sorted(story.lineups[-1]) == ["bot002", "bot003"]
    assert system.findings()[:4] == ("place 1: bot000", "place 2: bot001", "place 3: bot002", "place 4: bot003")


@pytest.mark.parametrize(("best_of", "blocks"), [(1, 1), (2, 2), (3, 2), (5, 3), (7, 4)])
def test_best_of_ends_when_it_is_decided(best_of: int, blocks: int) -> None:
    """Blocks that cannot change who goes on are not played."""
    assert len(drive(make("knockout", Field(names(2)), {"best_of": best_of})).sittings) == blocks


@pytest.mark.parametrize("extra", [0, 1, 3])
def test_a_level_table_plays_on_and_then_the_better_seed_wins(extra: int) -> None:
    """Two bots who always tie play the further blocks that are allowed, and the one entered first goes on."""
    system = Knockout(Field(("zoe", "ada")), KnockoutOptions(best_of=2, extra=extra))
    story = drive(system, Table({"ada": 0, "zoe": 0}, grain=1000))
    assert len(story.sittings) == 2 + extra
    assert system.places == (("zoe",), ("ada",))


def test_two_lives_have_to_be_beaten_twice() -> None:
    """Who lost once and wins the final has to win another one."""

    def upset(block: int, sitting: Sitting) -> Any:
        winner = "bot001" if sitting.stage == "final" else min(sitting.lineup)
        strengths = {bot: float(bot == winner) for bot in sitting.lineup}
        return Table(strengths, luck=0)(block, sitting)

    story = drive(system := Knockout(Field(names(4)), KnockoutOptions(double=True)), upset)
    assert [sitting.stage for sitting in story.sittings[-2:]] == ["final", "final"]
    assert system.places[:2] == (("bot001",), ("bot000",))


@settings(max_examples=80, deadline=None)
@given(bots=st.integers(4, 14), seats=SEATS, double=st.booleans(), luck=SEEDS, data=st.data())
def test_a_knockout_survives_withdrawals(bots: int, seats: int, double: bool, luck: int, data: st.DataObject) -> None:
    """However many bots withdraw and whenever, it ends, with a place for everybody and nobody seated who left."""
    leavers = data.draw(st.lists(st.sampled_from(names(bots)), unique=True, max_size=bots))
    points = sorted(Random(luck).sample(range(30), len(leavers)))
    withdrawals = dict(zip(points, leavers, strict=True))
    options = KnockoutOptions(double=double, best_of=2, third_place=seats == 2 and not double)
    system = Knockout(Field(names(bots), (seats,), luck), options)
    story = drive(system, by_strength(bots, luck), withdrawals=withdrawals)
    assert story.over
    assert sorted(bot for place in system.places for bot in place) == list(names(bots))
    for after, gone in withdrawals.items():
        assert all(gone not in lineup for lineup in story.lineups[after:])


@pytest.mark.parametrize(
    ("players", "options", "sentence"),
    [
        ((2, 3), {}, "knockout is played at tables of one size, not of 2, 3"),
        ((3,), {"third_place": True}, "leave out third_place"),
        ((2,), {"third_place": True, "double": True}, "leave out third_place or double"),
        ((2,), {"seeding": "rating"}, "seeding must be one of entry, lot, not 'rating'"),
    ],
)
def test_an_impossible_knockout_gets_a_sentence(
    players: tuple[int, ...], options: dict[str, Any], sentence: str
) -> None:
    """What a knockout cannot do is refused with what to change."""
    with pytest.raises(UsageError, match=sentence):
        make("knockout", Field(names(4), players), options)
