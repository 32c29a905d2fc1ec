"""Laws of systems that follow what they learn without rounds: ladder and adaptive; and of all systems alike."""

from __future__ import annotations

import time
from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.tournament.system import Played, Sitting
from arena.tournament.systems import SYSTEMS, Field, make
from arena.tournament.systems.adaptive import Adaptive, AdaptiveOptions
from arena.tournament.systems.belief import Belief
from arena.tournament.systems.ladder import Ladder, LadderOptions
from arena.tournament.systems.statement import Statement
from tests.schedules import Story, Table, appearances, drive, meetings, names, result, spread

PLAYERS = st.sampled_from([(2,), (3,), (4,), (2, 3, 4)])
SEEDS = st.integers(0, 2**64 - 1)
SHORT: dict[str, dict[str, Any]] = {
    "round-robin": {"blocks": 40},
    "swiss": {"rounds": 5},
    "gauntlet": {"blocks": 40},
    "knockout": {"best_of": 2},
    "ladder": {"blocks": 40},
    "adaptive": {"blocks": 40},
}


def field(bots: int, step: float, seed: int = 0) -> Table:
    """Bots who are each a step weaker than the one before."""
    return Table({bot: -step * number for number, bot in enumerate(names(bots))}, seed)


# All systems


@pytest.mark.parametrize("name", sorted(set(SYSTEMS) - {"duel"}))  # which has a test of its own
@settings(max_examples=8, deadline=None)
@given(bots=st.integers(4, 12), players=PLAYERS, lead=st.integers(1, 9), seed=SEEDS, leaver=st.integers(0, 3))
def test_the_same_calls_give_the_same_schedule(
    name: str, bots: int, players: tuple[int, ...], lead: int, seed: int, leaver: int
) -> None:
    """A tournament that is told the same again goes the same way again, also when somebody withdraws."""

    def story() -> Story:
        system = make(name, Field(names(bots), players, seed), SHORT[name])
        return drive(system, field(bots, 0.3, seed), lead=lead, withdrawals={11: names(bots)[leaver]})

    players = players[:1] if name == "knockout" else players
    first = story()
    assert first.over
    assert story().sittings == first.sittings


@pytest.mark.parametrize("name", sorted(set(SYSTEMS) - {"duel"}))  # which has a test of its own
@settings(max_examples=8, deadline=None)
@given(bots=st.integers(4, 12), players=PLAYERS, seed=SEEDS)
def test_everybody_plays_and_nobody_plays_itself(name: str, bots: int, players: tuple[int, ...], seed: int) -> None:
    """In every system each bot gets to play, at tables of the sizes that were asked for."""
    players = players[:1] if name == "knockout" else players
    story = drive(make(name, Field(names(bots), players, seed), SHORT[name]), field(bots, 0.3, seed))
    assert set(appearances(story.lineups, names(bots))) == set(names(bots))
    assert min(appearances(story.lineups, names(bots)).values()) > 0
    assert {len(lineup) for lineup in story.lineups} <= set(players)
    assert all(len(set(lineup)) == len(lineup) for lineup in story.lineups)


@pytest.mark.parametrize("name", sorted(set(SYSTEMS) - {"duel"}))  # which has a test of its own
@settings(max_examples=8, deadline=None)
@given(players=PLAYERS, seed=SEEDS)
def test_everybody_may_withdraw(name: str, players: tuple[int, ...], seed: int) -> None:
    """However many withdraw, a system never seats them again and comes to its end."""
    players = players[:1] if name == "knockout" else players
    leavers = Random(seed).sample(names(6), 6)
    points = sorted(Random(seed).sample(range(30), 6))
    withdrawals = dict(zip(points, leavers, strict=True))
    story = drive(make(name, Field(names(6), players, seed), SHORT[name]), field(6, 0.3), withdrawals=withdrawals)
    assert story.over
    for after, gone in withdrawals.items():
        assert all(gone not in lineup for lineup in story.lineups[after:])


@pytest.mark.parametrize("name", sorted(set(SYSTEMS) - {"duel"}))  # which has a test of its own
def test_another_seed_gives_another_schedule(name: str) -> None:
    """What is left to chance comes from the seed."""
    schedules = [drive(make(name, Field(names(9), (3,), seed), SHORT[name]), field(9, 0.3)).lineups for seed in (1, 2)]
    assert schedules[0] != schedules[1]


@pytest.mark.parametrize("name", sorted(set(SYSTEMS) - {"duel"}))  # which has a test of its own
@settings(max_examples=10, deadline=None)
@given(bots=st.integers(4, 12), players=PLAYERS, seed=SEEDS, best_of=st.integers(1, 4), double=st.booleans())
def test_a_system_is_as_long_as_it_says(
    name: str, bots: int, players: tuple[int, ...], seed: int, best_of: int, double: bool
) -> None:
    """Before the first block a system knows between which bounds the number of its blocks will be."""
    options = SHORT[name]
    if name == "knockout":
        options, players = {"best_of": best_of, "extra": 2, "double": double}, players[:1]
    system = make(name, Field(names(bots), players, seed), options)
    length = system.length
    story = drive(system, Table(dict.fromkeys(names(bots), 0.0), seed, grain=1.0))
    assert length.most is not None
    assert length.fewest <= len(story.sittings) <= length.most
    assert length.exact in {None, len(story.sittings)}


def test_a_clear_knockout_is_the_shortest() -> None:
    """When the better seed wins every game, a knockout has the fewest blocks that it said, and a level one the most."""
    for options in ({"best_of": 5}, {"best_of": 3, "double": True}, {"best_of": 1, "third_place": True}):
        system = make("knockout", Field(names(11)), options)
        assert len(drive(system).sittings) == system.length.fewest
    level = make("knockout", Field(names(11)), {"best_of": 2, "extra": 3})
    assert len(drive(level, all_level).sittings) == level.length.most == 50


def all_level(block: int, sitting: Sitting) -> Played:
    return Played(sitting, (result(block, sitting.lineup, (1,) * len(sitting.lineup)),))


@pytest.mark.parametrize("name", ["round-robin", "swiss", "gauntlet", "knockout", "duel"])
def test_a_closed_system_lets_nobody_join(name: str) -> None:
    """Where the plan stands from the beginning, who wants to join gets a sentence."""
    with pytest.raises(UsageError, match="nobody can join a tournament of this kind once it has begun"):
        make(name, Field(("ann", "bob")), {}).join("cy")


# Ladder


@settings(max_examples=20, deadline=None, derandomize=True)
@given(bots=st.integers(4, 30), players=PLAYERS, seed=SEEDS)
def test_nobody_starves_on_a_ladder(bots: int, players: tuple[int, ...], seed: int) -> None:
    """Between two blocks of a bot there are never more blocks than twice the number of bots."""
    story = drive(make("ladder", Field(names(bots), players, seed), {"blocks": 300}), field(bots, 0.2, seed), lead=8)
    for bot in names(bots):
        turns = [-1, *(number for number, lineup in enumerate(story.lineups) if bot in lineup), 300]
        assert max(later - earlier for earlier, later in pairwise(turns)) <= 2 * bots + 1


@settings(max_examples=10, deadline=None, derandomize=True)
@given(bots=st.integers(6, 24), seed=SEEDS)
def test_a_ladder_balances_the_sizes_of_tables(bots: int, seed: int) -> None:
    """In mixed play everybody sits about equally often at tables of two, three and four, the leader too."""
    story = drive(make("ladder", Field(names(bots), (2, 3, 4), seed), {"blocks": 400}), field(bots, 0.3, seed), lead=8)
    for bot in names(bots):
        sizes = Counter(len(lineup) for lineup in story.lineups if bot in lineup)
        assert spread(sizes) <= 0.1 * sum(sizes.values()) + 1


def test_a_ladder_pairs_neighbours_with_a_heavy_tail() -> None:
    """The leader meets its neighbours most, but also the far end; and not only the second."""
    story = drive(make("ladder", Field(names(20), (2,), 5), {"blocks": 3000}), field(20, 0.3), lead=8)
    met = meetings(story.lineups, names(20))
    leaders = [met["bot000", bot] for bot in names(20)[1:]]
    assert sum(leaders[:5]) > 3 * sum(leaders[-5:])
    assert min(sum(leaders[far : far + 5]) for far in range(15)) > 0
    assert max(leaders) < 0.5 * sum(leaders)


def test_newcomers_join_a_ladder() -> None:
    """A bot that joins late is seated at once and often, and does not keep the others from playing."""
    ladder = Ladder(Field(names(9)[:8], (2,), 3), LadderOptions())
    before = drive(ladder, field(9, 0.3), most=400)
    ladder.join("bot008")
    after = drive(ladder, field(9, 0.3), most=60)
    assert not before.over
    assert appearances(before.lineups, names(9))["bot008"] == 0
    assert appearances(after.lineups[:10], names(9))["bot008"] >= 4
    assert min(appearances(after.lineups, names(9)).values()) >= 5
    with pytest.raises(UsageError, match="bot003 takes part already"):
        ladder.join("bot003")


# Adaptive


@pytest.mark.parametrize(("bots", "players"), [(6, (2,)), (8, (3,)), (8, (4,)), (9, (2, 3, 4))])
def test_adaptive_finds_the_top_and_stops(bots: int, players: tuple[int, ...]) -> None:
    """With strengths well apart it names the right three and says what that took."""
    system = Adaptive(Field(names(bots), players, 5), AdaptiveOptions())
    story = drive(system, field(bots, 0.8, 1), lead=8)
    assert story.over
    sentence, saving = system.findings()
    assert all(bot in sentence for bot in names(3))
    assert f"at 0.95 confidence, after {story.games} games" in sentence
    assert "a round robin would have needed about" in saving


def test_adaptive_knows_the_order_when_asked() -> None:
    """In order takes at least as long as a set, and names the best first."""
    field_of_six = Field(names(6), (2,), 5)
    ordered = Adaptive(field_of_six, AdaptiveOptions(order=True))
    unordered = Adaptive(field_of_six, AdaptiveOptions())
    assert drive(ordered, field(6, 0.8, 1), lead=8).games >= drive(unordered, field(6, 0.8, 1), lead=8).games
    assert "the best 3 in order: bot000, bot001, bot002," in ordered.findings()[0]


def test_adaptive_asks_about_the_cut() -> None:
    """Most blocks go to those around the third place."""
    system = Adaptive(Field(names(12), (2,), 5), AdaptiveOptions(blocks=600))
    story = drive(system, field(12, 0.1, 1), lead=8)
    played = appearances(story.lineups, names(12))
    near = sum(played[bot] for bot in names(6)[1:])
    far = sum(played[bot] for bot in names(12)[7:])
    assert near > 2 * far


def test_adaptive_forgets_nobody() -> None:
    """Bots that are far below the cut have nothing to tell about it, and yet get a block now and then."""
    strengths = {bot: 0.0 if number < 4 else -4.0 for number, bot in enumerate(names(12))}
    system = Adaptive(Field(names(12), (2,), 5), AdaptiveOptions(blocks=500))
    story = drive(system, Table(strengths), lead=8)
    late = appearances(story.lineups[250:], names(12))
    assert min(late.values()) >= 2


def test_adaptive_says_when_it_could_not_tell() -> None:
    """Bots that are equal are not told apart: the budget ends it, and the sentence says that it is open."""
    system = Adaptive(Field(names(5), (2,), 5), AdaptiveOptions(blocks=150))
    story = drive(system, field(5, 0.0, 1), lead=8)
    assert len(story.sittings) == 150
    assert system.findings()[0].startswith("open after 300 games")


@pytest.mark.parametrize("players", [(2,), (4,)])
def test_adaptive_is_seldom_wrong(players: tuple[int, ...]) -> None:
    """At a stated confidence of 0.8, fewer than one in five of the statements it stops with are wrong."""
    wrong = stopped = 0
    for seed in range(16):
        chance = Random(seed)
        strengths = {bot: chance.gauss(0, 1) for bot in names(6)}
        system = Adaptive(Field(names(6), players, seed), AdaptiveOptions(confidence=0.8, blocks=200))
        drive(system, Table(strengths, seed), lead=8)
        best = sorted(strengths, key=strengths.__getitem__)[-3:]
        sentence = system.findings()[0]
        stopped += "confidence" in sentence
        wrong += "confidence" in sentence and not all(bot in sentence for bot in best)
    assert stopped >= 6
    assert wrong <= 0.2 * stopped


def test_newcomers_join_adaptive_play() -> None:
    """A bot that joins late is explored, and can turn out to be the best."""
    system = Adaptive(Field(names(7)[1:], (2,), 3), AdaptiveOptions(blocks=2000, top=1))
    drive(system, field(7, 0.3), lead=8, most=60)
    system.join("bot000")
    story = drive(system, field(7, 0.3), lead=8)
    assert appearances(story.lineups[:12], names(7))["bot000"] >= 3
    assert "the best 1: bot000" in system.findings()[0]


def test_adaptive_decides_fast_for_a_hundred_bots() -> None:
    """With 100 bots a decision takes about ten milliseconds, learning included."""
    system = Adaptive(Field(names(100), (2,), 3), AdaptiveOptions(blocks=300))
    drive(system, field(100, 0.05), lead=8, most=160)
    began = time.process_time()
    drive(system, field(100, 0.05), lead=8, most=30)
    assert (time.process_time() - began) / 30 < 0.01


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_belief_does_not_depend_on_the_order_of_blocks(seed: int) -> None:
    """The same scores in another order give the same strengths and the same certainty."""
    chance = Random(seed)
    scores = [(chance.sample(range(5), 2), chance.choice([0, 0.25, 0.5, 0.75, 1])) for _ in range(60)]
    strengths, spreads = [], []
    for order in (scores, chance.sample(scores, len(scores))):
        belief = Belief(5)
        for (one, other), score in order:
            belief.learn(one, other, score, 1.0)
        for _ in range(5):
            belief.learn(0, 1, 0.5, 0.0)
            belief.fit()
        strengths.append(belief.strength)
        spreads.append(belief.covariance())
    assert np.allclose(strengths[0], strengths[1], atol=1e-6)
    assert np.allclose(spreads[0], spreads[1], atol=1e-6)


def test_belief_is_where_the_scores_are() -> None:
    """A bot that wins three quarters of its many blocks is believed log(3) stronger, with a small error."""
    belief = Belief(2)
    for score in [1.0, 1.0, 1.0, 0.0] * 400:
        belief.learn(0, 1, score, 1.0)
    belief.fit()
    assert belief.strength[0] - belief.strength[1] == pytest.approx(np.log(3), abs=0.02)
    assert belief.noise == pytest.approx(1.0, abs=0.02)


def test_risk_falls_with_evidence() -> None:
    """The bound on being wrong is a half without evidence and small where differences are many errors wide."""
    strength, bots = np.array([1.0, 0.5, 0.0]), np.arange(3)
    statement = Statement.about(strength, bots, 1, ordered=False)
    risks = [statement.risk(strength, np.eye(3) * variance) for variance in (1.0, 0.1, 0.01, 0.001)]
    assert risks == sorted(risks, reverse=True)
    assert risks[0] > 0.5
    assert risks[-1] < 1e-6
