"""The eye for Codex Naturalis: its measures agree with the rules where the rules have a say."""

from __future__ import annotations

from random import Random

import pytest

from arena_rules.codex import CODEX, CodexState
from arena_rules.codex.objectives import OBJECTIVES, kingdoms_of, objective_points
from arena_sdk.search.codex import expected_points, planned_move, ranked_moves
from arena_sdk.search.codex.patterns import pattern_points, set_points


def state_after(moves: int, players: int = 2, seed: int = 5) -> CodexState:
    state, rng = CODEX.deal(players, seed), Random(seed)
    for _ in range(moves):
        if state.to_move >= 0:
            state.advance(state.random_move(rng))
    return state


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_whole_objectives_count_as_the_rules_count_them(objective: int) -> None:
    """Without parts, patterns and sets are worth what the card says; with parts never less."""
    for seed in range(12):
        area = state_after(60, seed=seed).areas[0]
        cells = kingdoms_of(area)
        whole = set_points(objective, area.symbols, partly=False) + pattern_points(objective, area, cells, partly=False)
        parts = set_points(objective, area.symbols, partly=True) + pattern_points(objective, area, cells, partly=True)
        assert whole == objective_points(area, cells, objective)
        assert parts >= whole


def test_the_end_is_what_the_score_sheet_says() -> None:
    """When the game is over nothing is left to expect."""
    state = state_after(1000, players=3)
    goals = [state.objectives(seat) for seat in range(3)]
    assert expected_points(state, goals) == [state.score(seat).total for seat in range(3)]


@pytest.mark.parametrize("moves", [0, 1, 2, 3, 4, 12, 30])
def test_ranked_moves_are_legal(moves: int) -> None:
    """Every move that is suggested may be made, in every phase, and the best comes first."""
    state = state_after(moves)
    ranked = ranked_moves(state, state.objectives(state.to_move))
    assert {move for _, move in ranked} <= set(state.legal_moves())
    assert [worth for worth, _ in ranked] == sorted((worth for worth, _ in ranked), reverse=True)


def test_the_last_move_takes_the_most_points() -> None:
    """With no turn to come, the move that looks best is one that scores most."""
    for seed in range(5):
        state = state_after(30, seed=seed)
        state.phase = 4
        seat = state.to_move
        totals = {move: state.apply(move).score(seat).total for move in state.legal_moves()}
        assert totals[ranked_moves(state, state.objectives(seat))[0][1]] == max(totals.values())


def test_a_plan_knows_no_secrets() -> None:
    """The planner is given a view: deals that look alike from its seat are played alike."""
    state = state_after(16)
    other = state.view(0).sample(Random(8))
    assert other != state
    assert planned_move(state.view(0)) == planned_move(other.view(0))
