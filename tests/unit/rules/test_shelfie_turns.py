"""What happens at the end of a turn: tokens, refills, the last round, and who has won."""

from __future__ import annotations

from itertools import cycle
from random import Random

import pytest

from arena_rules import Termination
from arena_rules.shelfie import SHELFIE, ShelfieState
from arena_rules.shelfie.facts import SPACES
from arena_rules.shelfie.moves import cell_name
from arena_rules.testing import play_on, random_game
from tests.unit.rules.drawn import board_of, fields, played, table

APART = "d4C e4B b5G h5F d7T f7P"
ROOM = "d4C e4B f4G d5F e5T f5P d6C e6B f6G"
FULL_BUT_ONE = ".BGFT BGFTP GFTPC FTPCB TPCBG PCBGF"


def tokens(state: ShelfieState) -> str:
    return fields(state)["tokens"]


# ── tokens ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("players", "order"), [(2, "8,0;4,0"), (3, "8,0;6,0;4,0"), (4, "8,0;6,0;4,0;2,0")], ids=["2", "3", "4"]
)
def test_tokens_go_down_in_the_order_of_fulfilling(players: int, order: str) -> None:
    """The first to have eight of a kind takes the highest token, the next one the next."""
    seven = {seat: f"{t}.... {t}{t}... {t}{t}{t}{t}." for seat, t in enumerate("CBGF"[:players])}
    state = table(players=players, board="d4C d5B d6G d7F e2T e3P", shelves=seven, goals=(9, 2), edition="it")
    after = played(state, *["d4>5", "d5>5", "d6>5", "d7>5"][:players])
    assert tokens(after) == order


def test_a_seat_takes_one_token_of_a_goal() -> None:
    """To fulfil the goal again, or still, is worth nothing more."""
    eight = "C.... CC... CCCCC"
    state = table(board="d4C e4C b5G h5F d7T f7P", shelves={0: eight}, goals=(9, 2), tokens={0: (8, 0)}, edition="it")
    assert tokens(played(state, "d4>2")) == "8,0;0,0"


def test_both_goals_may_be_fulfilled_in_one_turn() -> None:
    """A single tile completes a staircase and makes eight cats."""
    state = table(board=APART, shelves={0: "C.... CC... CCB.. CCBG. BFGT."}, goals=(9, 12))
    assert tokens(played(state, "d4>5")) == "8,8;0,0"


def test_goals_are_looked_at_for_the_seat_that_moved() -> None:
    """A shelf that fulfils a goal earns its token at the end of the own turn, not of another's."""
    state = table(board=APART, shelves={1: "C.... CC... CCCCC"}, goals=(9, 2))
    after = played(state, "d4>1")
    assert tokens(after) == "0,0;0,0"
    assert tokens(played(after, str(after.legal_moves()[0]))) == "0,0;8,0"


def test_a_goal_that_was_passed_by_is_missed() -> None:
    """Only the shelf at the end of the turn counts: a staircase that is built over earns nothing."""
    stairs_but_one = "C.... CC... CCB.. CCBG."
    state = table(board="d4C e4B b5G h5F d7T f7P", shelves={0: f"{stairs_but_one} BFGT."}, goals=(11, 12))
    assert tokens(played(state, "d4e4>5")) == "0,0;0,0"


def test_the_first_game_has_one_common_goal() -> None:
    """With one goal in play each seat can take one token; the goal is the first of the two of the full game."""
    first = SHELFIE.deal(3, seed=5, options=SHELFIE.rules(overrides={"common_goals": "1"}))
    assert fields(first)["goals"] == fields(SHELFIE.deal(3, seed=5))["goals"].split(",")[0]
    assert tokens(first) == "0;0;0"
    eight = "C.... CC... CCCC."
    state = table(board=APART, shelves={0: eight}, goals=(9,), options={"common_goals": "1"})
    assert tokens(played(state, "d4>1")) == "8;0"


# ── refills ─────────────────────────────────────────────────────────────────────────────────────────────────────────

APART_EDITIONS = {"en-2022", "it"}
FEW_EDITIONS = {"en-revised", "de"}


@pytest.mark.parametrize(
    ("board", "move", "refilled_in"),
    [
        (APART, "d4e4>1", APART_EDITIONS | FEW_EDITIONS),  # four tiles are left, none beside another
        (APART, "d4>1", APART_EDITIONS),  # five tiles are left, none beside another
        ("d4C e4B f4G", "d4>1", FEW_EDITIONS),  # two tiles are left, side by side
        (APART, "b5>1", set()),  # five tiles are left, two of them side by side
    ],
)
def test_when_the_living_room_is_refilled(board: str, move: str, refilled_in: set[str]) -> None:
    """Two editions wait until no tile touches another one, the other two until four tiles are left."""
    found = {e for e in SHELFIE.editions if len(board_of(played(table(board=board, edition=e), move))) == 29}
    assert found == refilled_in


@pytest.mark.parametrize("edition", SHELFIE.editions)
def test_what_a_refill_leaves(edition: str) -> None:
    """All spaces are full; leftovers stay in the Italian edition and go through the bag in the others."""
    before = table(board=APART, edition=edition)
    after = played(before, "d4e4>1")
    leftovers = {"b5": "G", "h5": "F", "d7": "T", "f7": "P"}
    assert len(board_of(after)) == 29
    assert len(fields(after)["bag"]) == len(fields(before)["bag"]) + 4 - 29
    assert (leftovers.items() <= board_of(after).items()) == (edition == "it")


def nearly_over(edition: str) -> ShelfieState:
    """Four shelves with 112 tiles, 5 tiles on the board and 15 in the bag."""
    letters = cycle("CBGFTP")
    drawn = {0: "....."} | dict.fromkeys((1, 2, 3), "." + "".join(next(letters) for _ in range(4)))
    shelves = {
        seat: " ".join([top, *("".join(next(letters) for _ in range(5)) for _ in range(5))])
        for seat, top in drawn.items()
    }
    return table(players=4, board="d4C e4B b5G h5F d7T", shelves=shelves, edition=edition)


def test_a_bag_that_runs_short_leaves_the_last_spaces_empty() -> None:
    """Fifteen tiles of the bag and four leftovers fill the first nineteen spaces in reading order."""
    after = played(nearly_over("en-revised"), "d4>1")
    assert list(board_of(after)) == [cell_name(cell) for cell in SPACES[4][:19]]
    assert fields(after)["bag"] == "-"


def test_a_bag_that_runs_short_fills_the_first_empty_spaces() -> None:
    """Where leftovers stay, the fifteen tiles of the bag go to the first empty spaces in reading order."""
    after = played(nearly_over("it"), "d4>1")
    empty = [cell_name(cell) for cell in SPACES[4] if cell_name(cell) not in {"e4", "b5", "h5", "d7"}]
    assert set(board_of(after)) == {"e4", "b5", "h5", "d7", *empty[:15]}
    assert fields(after)["bag"] == "-"


@pytest.mark.parametrize("edition", SHELFIE.editions)
def test_a_game_goes_on_with_an_empty_bag(edition: str) -> None:
    """The last tiles are enough for everybody to finish."""
    after = played(nearly_over(edition), "d4>1")
    for luck in range(20):
        assert play_on(after, Random(luck)).outcome() is not None


# ── the last round ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("filling", "rest"), [(0, [1, 2]), (1, [2]), (2, [])])
def test_the_round_is_played_to_its_end(filling: int, rest: list[int]) -> None:
    """After a full shelf the seats up to the last one have one more turn each; if it is the last one's, none has."""
    state = table(players=3, board=ROOM, shelves={filling: FULL_BUT_ONE}, to_move=filling, turn=filling, edition="it")
    state = played(state, "d4>1")
    assert fields(state)["first-full"] == str(filling)
    order = []
    while state.to_move >= 0:
        assert state.outcome() is None
        order.append(state.to_move)
        state = played(state, str(state.legal_moves()[0]))
    assert order == rest
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.termination is Termination.COMPLETED


def test_only_the_first_full_shelf_counts() -> None:
    """A seat that fills its shelf later in the last round does not get the end-game token."""
    state = table(players=3, board=ROOM, shelves={0: FULL_BUT_ONE, 1: FULL_BUT_ONE}, edition="it")
    assert fields(played(state, "d4>1", "e4>1"))["first-full"] == "0"


@pytest.mark.parametrize("players", SHELFIE.players)
def test_everybody_has_the_same_number_of_turns(players: int) -> None:
    """The number of moves in a whole game is a multiple of the number of players."""
    assert {random_game(SHELFIE, players, seed).last.turn % players for seed in range(20)} == {0}


def test_the_last_round_ends_when_the_seats_still_to_move_leave() -> None:
    """Nobody waits for a seat that has left the game."""
    state = played(table(players=3, board=ROOM, shelves={0: FULL_BUT_ONE}, edition="it"), "d4>1")
    over = played(state.retire(2), str(state.legal_moves()[0]))
    outcome = over.outcome()
    assert outcome is not None
    assert (outcome.ranks[2], outcome.termination) == (3, Termination.COMPLETED)


# ── who has won ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("shelves", "ranks"),
    [
        ({}, (4, 3, 2, 1)),
        ({0: "CCC..", 2: "FFF.."}, (2, 4, 1, 3)),
        ({0: "CCCC.", 2: "FFF.."}, (1, 4, 2, 3)),
    ],
)
def test_of_tied_players_the_one_further_from_the_first_player_wins(
    shelves: dict[int, str], ranks: tuple[int, ...]
) -> None:
    """Points decide, and among equals the later seat comes first, so no two seats share a rank."""
    outcome = table(players=4, shelves=shelves, to_move=None).outcome()
    assert outcome is not None
    assert outcome.ranks == ranks
    assert outcome.winners == (ranks.index(1),)


def test_a_game_with_one_seat_left_is_abandoned() -> None:
    """The seat that stays wins whatever the points say, and the first to leave is last."""
    state = table(players=3, board=ROOM, shelves={0: "CCCC."})
    outcome = state.retire(0).retire(2).outcome()
    assert outcome is not None
    assert (outcome.ranks, outcome.termination) == ((3, 1, 2), Termination.ABANDONED)
