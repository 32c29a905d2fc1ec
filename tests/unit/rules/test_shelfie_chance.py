"""Chance in My Shelfie: each deck and bag has a stream of its own, and samples of the hidden part are fair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from arena_rules.shelfie import SHELFIE
from arena_rules.testing import random_game
from tests.unit.rules.drawn import board_of, fields


def is_within(part: str, whole: str) -> bool:
    """Whether the letters of the part come in the whole in the same order, others between them or not."""
    rest = iter(whole)
    return all(letter in rest for letter in part)


def tiles_in_order(players: int, seed: int) -> str:
    """All tiles in the order in which they are drawn: those on the board, then the bag from its end."""
    state = SHELFIE.deal(players, seed)
    return "".join(board_of(state).values()) + fields(state)["bag"][::-1]


def test_deals_differ_from_seed_to_seed() -> None:
    """Another seed gives another bag and other goals."""
    deals = [fields(SHELFIE.deal(2, seed)) for seed in range(30)]
    assert len({deal["bag"] for deal in deals}) == 30
    assert len({deal["goals"] for deal in deals}) > 20
    assert len({deal["personals"] for deal in deals}) > 20


def test_goals_and_bag_do_not_depend_on_the_number_of_players() -> None:
    """With one seed, two, three and four players meet the same goals and draw the same tiles in the same order."""
    for seed in range(10):
        assert len({fields(SHELFIE.deal(players, seed))["goals"] for players in (2, 3, 4)}) == 1
        assert len({tiles_in_order(players, seed) for players in (2, 3, 4)}) == 1
        two, three, four = (fields(SHELFIE.deal(players, seed))["personals"] for players in (2, 3, 4))
        assert four.startswith(three)
        assert three.startswith(two)


@pytest.mark.parametrize("option", SHELFIE.options)
def test_options_do_not_change_the_deal(option: str) -> None:
    """Whatever the rules, a seed gives the same tiles and personal goals, and the same first common goal."""
    deals = [
        fields(SHELFIE.deal(3, 4, SHELFIE.rules(overrides={option: value})))
        for value in SHELFIE.options[option].choices
    ]
    assert len({(d["board"], d["bag"], d["personals"], d["goals"].split(",")[0]) for d in deals}) == 1


def test_players_do_not_change_the_order_of_the_bag() -> None:
    """Where leftovers never come back, the bag is the same row of tiles whatever the players choose."""
    dealt = fields(SHELFIE.deal(4, 8))["bag"]
    for luck in range(5):
        play = random_game(SHELFIE, 4, 8, SHELFIE.rules("it"), Random(luck))
        bags = [fields(state)["bag"].replace("-", "") for state in play.states]
        assert all(dealt.startswith(bag) for bag in bags)
        assert len(set(bags)) > 1


@pytest.mark.parametrize("edition", ["en-2022", "en-revised"])
def test_leftovers_are_mixed_in_without_disturbing_the_bag(edition: str) -> None:
    """The bag stays as it is until a refill, and then the tiles that were in it keep their order among themselves."""
    refills = 0
    for seed in range(5):
        play = random_game(SHELFIE, 3, seed, SHELFIE.rules(edition))
        for turn, state, move in play.turns():
            before, after = fields(state)["bag"], fields(play.states[turn + 1])["bag"].replace("-", "")
            if before == after:
                continue
            refills += 1
            leftovers = len(board_of(state)) - len(str(move)[:-2]) // 2
            assert is_within(before[: max(0, len(after) - leftovers)], after)
    assert refills > 5


# ── samples ─────────────────────────────────────────────────────────────────────────────────────────────────────────

DRAWS = 6_000
# By degrees of freedom: one fair sample in a thousand lies beyond. Ours never will, since their seed is fixed.
LIMITS = {5: 20.5, 10: 29.6}


def surprise(found: Counter[str], shares: Mapping[str, float]) -> float:
    """The chi-square statistic: how far the counts are from what their shares let expect."""
    expected = {key: share * found.total() / sum(shares.values()) for key, share in shares.items()}
    assert found.keys() <= expected.keys()
    return sum((found[key] - count) ** 2 / count for key, count in expected.items())


@pytest.fixture(scope="module")
def samples() -> list[dict[str, str]]:
    """Many samples for seat 1 from the middle of a game."""
    view = random_game(SHELFIE, 3, 11).states[20].view(1)
    rng = Random(2)
    return [fields(view.sample(rng)) for _ in range(DRAWS)]


@pytest.mark.parametrize("place", [-1, -2, 0], ids=["next", "next but one", "last"])
def test_every_tile_of_the_bag_is_as_likely_in_every_place(samples: list[dict[str, str]], place: int) -> None:
    """The types come up, wherever in the bag, in proportion to the tiles that are left of them."""
    shares = Counter(samples[0]["bag"])
    assert surprise(Counter(sample["bag"][place] for sample in samples), shares) < LIMITS[5]


def test_tiles_next_to_each_other_in_the_bag_are_independent(samples: list[dict[str, str]]) -> None:
    """After a cat the other types are as likely as their tiles let expect."""
    shares = Counter(samples[0]["bag"]) - Counter("C")
    assert surprise(Counter(s["bag"][-2] for s in samples if s["bag"][-1] == "C"), shares) < LIMITS[5]


@pytest.mark.parametrize("seat", [0, 2])
def test_every_card_is_as_likely_for_every_other_seat(samples: list[dict[str, str]], seat: int) -> None:
    """Each of the eleven personal goals that the seat does not hold itself may be that of another."""
    own = samples[0]["personals"].split(",")[1]
    shares = {str(card): 1.0 for card in range(1, 13) if str(card) != own}
    assert surprise(Counter(sample["personals"].split(",")[seat] for sample in samples), shares) < LIMITS[10]


def test_no_card_is_dealt_twice(samples: list[dict[str, str]]) -> None:
    """In a sample, too, there is only one of each personal goal, and the seat keeps its own."""
    assert all(len(set(sample["personals"].split(","))) == 3 for sample in samples)
    assert len({sample["personals"].split(",")[1] for sample in samples}) == 1


def test_samples_refill_in_different_ways(samples: list[dict[str, str]]) -> None:
    """What later refills mix in is unknown to a seat, so samples do not share it."""
    assert len({sample["seed"] for sample in samples}) == DRAWS
