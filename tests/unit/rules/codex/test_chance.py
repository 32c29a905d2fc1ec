"""Chance in Codex Naturalis: each deck has a stream of its own, and samples of what is hidden are like the deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations
from random import Random

import pytest

from arena_rules import IllegalMove
from arena_rules.codex import CODEX, CodexState, CodexView, Move
from arena_rules.codex.deal import Deal
from arena_rules.testing import Playthrough, Table, random_game
from tests.unit.rules.codex.laid import fields, played, table

# ── the deal ────────────────────────────────────────────────────────────────────────────────────────────────────────


def all_dealt(players: int, seed: int) -> CodexState:
    """The table when everybody has chosen."""
    return played(CODEX.deal(players, seed), *["S:front"] * players, *["O:1"] * players)


def test_deals_differ_from_seed_to_seed() -> None:
    """Another seed gives other decks, starters and objectives."""
    deals = [fields(CODEX.deal(2, seed)) for seed in range(30)]
    for name, least in (("resources", 30), ("golds", 30), ("starters", 15), ("objectives", 25)):
        assert len({deal[name] for deal in deals}) >= least


def test_cards_are_dealt_in_a_fixed_order() -> None:
    """The cards face up come first, then the hands seat by seat, so more players change nothing for the first ones."""
    for seed in range(10):
        two, three, four = (fields(all_dealt(players, seed)) for players in (2, 3, 4))
        assert two["shown"] == three["shown"] == four["shown"]
        for name, separator in (("hands", ";"), ("starters", ","), ("objectives", ",")):
            assert four[name].startswith(three[name] + separator)
            assert three[name].startswith(two[name] + separator)


def test_players_do_not_change_the_order_of_the_decks() -> None:
    """Whatever is played, a deck is the same row of cards, only shorter."""
    for luck in range(5):
        play = random_game(CODEX, 3, 8, rng=Random(luck))
        for name in ("resources", "golds"):
            dealt = fields(play.states[0])[name]
            decks = [fields(state)[name].replace("-", "") for state in play.states]
            assert all(dealt.startswith(deck) for deck in decks)
            assert len(set(decks)) > 20


def test_one_deck_does_not_depend_on_how_often_another_is_used() -> None:
    """Drawing gold cards leaves the resource cards where they are."""
    state = all_dealt(2, 3)
    moves = [str(move) for move in state.legal_moves()]
    after = [
        played(state, next(move for move in moves if move.endswith(source))) for source in ("<G", "<G1", "<R", "<R1")
    ]
    resources, golds = ([fields(each)[name] for each in after] for name in ("resources", "golds"))
    assert resources[0] == resources[1] == fields(state)["resources"]
    assert golds[2] == golds[3] == fields(state)["golds"]


@pytest.mark.parametrize("option", CODEX.options)
def test_options_do_not_change_the_deal(option: str) -> None:
    """Whatever the rules, a seed gives the same cards."""
    choices = CODEX.options[option].choices
    deals = [fields(CODEX.deal(3, 4, CODEX.rules(overrides={option: value}))) for value in choices]
    assert all(deal == deals[0] for deal in deals)


# ── samples against every deal that could have been ─────────────────────────────────────────────────────────────────

DRAWS = 6_000
SEAT = 0
SEEDS = (3, 10, 16)
"""Games late in which cards are hidden in the hand and area of the other seat and in decks."""


def surprise(found: Counter[str], shares: Mapping[str, float]) -> float:
    """How far the counts are from what their shares let expect, as a normal deviate: beyond 3.1 once in a thousand.

    It is the chi-square statistic, brought to the normal distribution in the way of Wilson and Hilferty.
    """
    expected = {key: share * found.total() / sum(shares.values()) for key, share in shares.items()}
    assert found.keys() <= expected.keys()
    chi_square = sum((found[key] - count) ** 2 / count for key, count in expected.items())
    freedom = len(expected) - 1
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


def cards_of(state: object) -> str:
    """Where all cards are, objectives apart."""
    return " ".join(fields(state)[name] for name in ("areas", "hands", "resources", "golds"))


def hidden_cards(view: CodexView) -> list[int]:
    """The cards that the seat does not see."""
    named = {card for hand in view.hands for card in hand} | set(view.shown)
    named |= {face >> 1 for cards in view.areas for _, face in cards}
    return [card for card in range(80) if card not in named]


def renamed(play: Playthrough[Move], names: Mapping[int, int], until: int) -> CodexState:
    """The same game up to a turn, had these cards been swapped in the decks. Raises IllegalMove if it could not be."""
    deal = play.states[0].deal  # type: ignore[attr-defined]
    decks = tuple(bytes(names.get(card, card) for card in deck) for deck in deal.decks)
    state = CodexState.dealt(Deal(deal.rules, (decks[0], decks[1]), deal.starters, deal.objectives))
    check_same(state, play.states[0])
    for turn in range(until):
        move = play.moves[turn]
        if not move.word:
            move = Move(2 * names.get(move.card, move.card) + (move.face & 1), move.cell, move.source)
        state.check(move)
        state.advance(move)
        check_same(state, play.states[turn + 1])
    return state


def check_same(state: CodexState, true: object) -> None:
    if str(state.view(SEAT)) != str(true.view(SEAT)):  # type: ignore[attr-defined]
        raise IllegalMove("the seat would have seen something else")


def swaps(cards: Iterable[int]) -> Iterator[dict[int, int]]:
    """All ways to exchange these cards among themselves, each with one of its kind."""
    resources, golds = [[card for card in cards if (card < 40) is kind] for kind in (True, False)]
    for one in permutations(resources):
        for other in permutations(golds):
            yield dict(zip(resources + golds, one + other, strict=True))


def open_game(seed: int) -> Playthrough[Move]:
    """A random game in which the other seat mostly draws what lies face up, so that little of it stays hidden."""
    rng = Random(seed)
    table = Table(2, "", CODEX.rules())
    play: Playthrough[Move] = Playthrough(CODEX, table, seed)
    state = CODEX.deal(2, seed)
    while state.to_move >= 0:
        moves = state.legal_moves()
        shown = [move for move in moves if not str(move).endswith(("<R", "<G"))]
        move = rng.choice(moves if state.to_move == SEAT or rng.random() < 0.15 else shown or moves)
        play.states.append(state)
        play.moves.append(move)
        state = played(state, str(move))
    return play


def late_turn(play: Playthrough[Move]) -> int:
    """The first turn at which no more than seven cards are hidden from the seat."""
    for turn, state in enumerate(play.states):
        view = state.view(SEAT)
        assert isinstance(view, CodexView)
        if len(hidden_cards(view)) <= 7:
            return turn
    raise AssertionError(f"too much stays hidden in game {play.seed}")


@pytest.mark.parametrize("seed", SEEDS)
def test_samples_are_all_the_deals_that_could_have_been(seed: int) -> None:
    """Each deal that would have shown the seat just what it saw, from the first turn on, is sampled equally often."""
    play = open_game(seed)
    turn = late_turn(play)
    state = play.states[turn]
    view = state.view(SEAT)
    assert isinstance(view, CodexView)
    possible = set()
    for names in swaps(hidden_cards(view)):
        try:
            possible.add(cards_of(renamed(play, names, turn)))
        except IllegalMove:
            continue
    assert cards_of(state) in possible
    assert len(possible) >= 8
    rng = Random(seed)
    found = Counter(cards_of(view.sample(rng)) for _ in range(DRAWS))
    assert found.keys() == possible
    assert surprise(found, dict.fromkeys(possible, 1.0)) < 3.1


# ── samples in the middle of a game ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def middle() -> CodexView:
    """A view of seat 0 with hidden cards in another's hand and area, from the middle of a game."""
    areas = {1: "S5@0,0/R33b@1,1/G12b@-1,1"}
    hands = {0: "R02,R05,G07", 1: "R31,R12,G40", 2: "R22*,R13,G21"}
    state = table(players=3, areas=areas, hands=hands, shown="R01,R11,G01,G11", tops="R32,G02", kept="1,2,1")
    return state.view(0)


@pytest.fixture(scope="module")
def samples(middle: CodexView) -> list[dict[str, str]]:
    rng = Random(2)
    return [fields(middle.sample(rng)) for _ in range(DRAWS)]


INSECTS = [f"R{number}" for number in range(31, 41)]
PLANTS = [f"R{number}" for number in range(12, 21)]


def test_a_hidden_card_is_any_card_with_its_back(samples: list[dict[str, str]]) -> None:
    """In a hand, face down in an area or on top of a deck: each card of its kingdom that the seat has not seen."""
    in_hand = Counter(sample["hands"].split(";")[1].split(",")[0] for sample in samples)
    in_area = Counter(sample["areas"].split(";")[1].split("/")[1][:3] for sample in samples)
    on_top = Counter(sample["resources"].split(",")[-1] for sample in samples)
    for found in (in_hand, in_area, on_top):
        assert surprise(found, dict.fromkeys(INSECTS, 1.0)) < 3.1
    plants = Counter(sample["hands"].split(";")[2].split(",")[1] for sample in samples)
    assert surprise(plants, dict.fromkeys(PLANTS, 1.0)) < 3.1


@pytest.mark.parametrize("place", [-2, -3, 0], ids=["next", "next but one", "last"])
def test_below_the_top_any_card_may_lie(samples: list[dict[str, str]], place: int) -> None:
    """A card is there as often as it is neither on top nor in a hand or area."""
    found = Counter(sample["resources"].split(",")[place] for sample in samples)
    fungi = [f"R{number:02}" for number in (3, 4, 6, 7, 8, 9, 10)]
    animals = [f"R{number}" for number in (21, *range(23, 31))]
    shares = dict.fromkeys([*fungi, *animals], 1.0)
    # Three of ten insects and two of nine plants are elsewhere.
    shares |= dict.fromkeys(INSECTS, 7 / 10) | dict.fromkeys(PLANTS, 7 / 9)
    assert len(shares) == 35
    assert surprise(found, shares) < 3.1


def test_neighbours_in_a_deck_are_independent(samples: list[dict[str, str]]) -> None:
    """After an animal the other animals are no more and no less likely than their number lets expect."""
    animals = {f"R{number}" for number in (21, *range(23, 31))}
    pairs = [sample["resources"].split(",")[-3:-1] for sample in samples]
    found = Counter("same" if below in animals else "other" for below, above in pairs if above in animals)
    assert surprise(found, {"same": 8, "other": 7 + 7 + 7}) < 3.1


def test_objectives_of_others_are_any_not_seen(samples: list[dict[str, str]]) -> None:
    """Each of the twelve that are neither common nor the seat's own, whichever of its two the other has kept."""
    others = [f"O{number:02}" for number in range(1, 17) if number not in {9, 10, 11, 12}]
    for seat in (1, 2):
        kept = [int(sample["kept"].split(",")[seat]) - 1 for sample in samples]
        found = Counter(s["objectives"].split(",")[2 + 2 * seat + k] for s, k in zip(samples, kept, strict=True))
        assert surprise(found, dict.fromkeys(others, 1.0)) < 3.1
        assert surprise(Counter(map(str, kept)), {"0": 1, "1": 1}) < 3.1


def test_what_the_seat_knows_stays(samples: list[dict[str, str]]) -> None:
    """Its own hand and objective, and the cards that everybody knows, are the same in every sample."""
    assert {sample["hands"].split(";")[0] for sample in samples} == {"R02,R05,G07"}
    assert {sample["hands"].split(";")[2].split(",")[0] for sample in samples} == {"R22*"}
    assert {tuple(sample["objectives"].split(",")[:4]) for sample in samples} == {("O09", "O10", "O11", "O12")}
    assert {sample["kept"][0] for sample in samples} == {"1"}


def test_before_the_hands_are_dealt_everything_is_open() -> None:
    """While faces of starters are chosen, the seat knows no more than the tops of the decks."""
    view = CODEX.deal(2, 6).view(1)
    rng = Random(3)
    found = [fields(view.sample(rng)) for _ in range(2_000)]
    assert surprise(Counter(s["objectives"].split(",")[4] for s in found), {f"O{n:02}": 1 for n in range(1, 17)}) < 3.1
    assert {s["shown"] for s in found} == {fields(view)["shown"]}
    assert len({s["golds"] for s in found}) == 2_000
