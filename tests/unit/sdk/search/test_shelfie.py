"""The eye for My Shelfie: its measures agree with the rules where the rules have a say."""

from __future__ import annotations

from random import Random

import pytest

from arena_rules.shelfie import SHELFIE, ShelfieState
from arena_rules.shelfie.facts import COMMON_GOALS, SHELF_CELLS, TILE_TYPES
from arena_rules.shelfie.goals import common_goal
from arena_rules.shelfie.shelf import shelf_of
from arena_sdk.search.shelfie import expected_points, planned_move, ranked_moves
from arena_sdk.search.shelfie.progress import OUT_OF_REACH, missing_for

LETTERS = {"c": 1, "b": 2, "g": 3, "f": 4, "t": 5, "p": 6, ".": 0}


def shelf(*rows: str) -> list[int]:
    """The shelf with these rows at its bottom, a letter for each tile."""
    cells = [LETTERS[letter] for row in rows for letter in row]
    return shelf_of([0] * (SHELF_CELLS - len(cells)) + cells)


def random_shelves(goal: int, count: int = 150) -> list[list[int]]:
    """Shelves filled column by column, mostly with few types, so that goals come about."""
    rng = Random(goal)
    found = []
    for _ in range(count):
        types = rng.sample(list(TILE_TYPES), rng.choice([1, 2, 3, 6]))
        heights = rng.choice([[rng.randint(0, 6) for _ in range(5)], [6] * 5, [5, 4, 3, 2, 1], [2, 3, 4, 5, 6]])
        cells = [rng.choice(types) if 6 - row <= heights[column] else 0 for row in range(6) for column in range(5)]
        found.append(shelf_of(cells))
    return found


def state_after(moves: int, players: int = 2, seed: int = 5) -> ShelfieState:
    state, rng = SHELFIE.deal(players, seed), Random(seed)
    for _ in range(moves):
        state.advance(state.random_move(rng))
    return state


@pytest.mark.parametrize("goal", COMMON_GOALS)
def test_nothing_is_missing_when_a_goal_is_fulfilled(goal: int) -> None:
    """A shelf that the rules accept lacks nothing, and one that lacks nothing is accepted."""
    check = common_goal(goal, SHELFIE.rules()).check
    shelves = random_shelves(goal)
    fulfilled = [check(one) for one in shelves]
    # Two blocks of one group lack nothing but do not count as two: the measure is an estimate there.
    for one, done in zip(shelves, fulfilled, strict=True):
        if done or COMMON_GOALS[goal]["name"] != "two_squares":
            assert (missing_for(goal)(one) == 0) == done
    assert missing_for(goal)(shelf()) > 0


@pytest.mark.parametrize(
    ("goal", "rows", "missing"),
    [
        (9, ("ccccc", "bbbbb"), 3),
        (4, ("cc...", "bgb.."), 9),
        (12, ("c....", "cc...", "ccc.."), 9),
        (8, ("c...b",), OUT_OF_REACH),
        (8, ("c...c",), 2),
        (6, ("cbgft", "cc..."), 5),
        (10, ("c.c..",), 3),
    ],
)
def test_missing_tiles(goal: int, rows: tuple[str, ...], missing: int) -> None:
    """Tiles that lie well count, ways that are closed do not."""
    assert missing_for(goal)(shelf(*rows)) == missing


def test_the_end_is_what_the_score_sheet_says() -> None:
    """When the game is over nothing is left to expect."""
    state = SHELFIE.deal(players=3, seed=4)
    rng = Random(1)
    while state.to_move >= 0:
        state.advance(state.random_move(rng))
    goals = state.deal.personal_goals
    assert expected_points(state, goals) == [state.score(seat).total for seat in range(3)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ranked_moves_are_legal(players: int) -> None:
    """Every move that is suggested may be made; the best comes first, and the weights add up to 1."""
    state = state_after(9, players)
    ranked = ranked_moves(state, state.deal.personal_goals[state.to_move])
    assert set(ranked.moves) <= set(state.legal_moves())
    assert ranked.worths == sorted(ranked.worths, reverse=True)
    assert sum(weight for weight, _ in ranked.weighted) == pytest.approx(1.0)


def test_the_last_move_takes_the_most_points() -> None:
    """With no turn to come, the move that looks best is one that scores most."""
    state = state_after(30)
    state.first_full = 0
    state.to_move = 1
    goal = state.deal.personal_goals[1]
    totals = {move: state.apply(move).score(1).total for move in state.legal_moves()}
    assert totals[ranked_moves(state, goal).moves[0]] == max(totals.values())


def test_a_plan_knows_no_secrets() -> None:
    """The planner is given a view: deals that look alike from its seat are played alike."""
    state = state_after(6)
    other = state.view(0).sample(Random(8))
    assert other != state
    assert planned_move(state.view(0)) == planned_move(other.view(0))
