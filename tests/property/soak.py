"""Thousands of random games of every registered game, over all player counts and with options mixed at random.

    python -m tests.property.soak --games 10000

Each game must end without an exception, in ranks that fit its scores. In one game of fifty every state is written and
read back, seen by every seat and sampled on the way. A failure names the table and the seed, so it can be played again.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from typing import Any

from arena_rules import Game, State, games
from arena_rules.chance import derive
from arena_rules.playthrough import MOST_TURNS

LOOKED_AT = 50


def soak(game: Game[Any], count: int, seed: int = 0) -> int:
    """Play so many games. Returns the number of moves. Raises AssertionError for the first game that goes wrong."""
    moves = 0
    for number in range(seed, seed + count):
        rng = Random(derive(number, "soak"))
        players = rng.choice(game.players)
        options = game.rules(
            overrides={name: rng.choice(list(option.choices)) for name, option in game.options.items()}
        )
        try:
            moves += play(game, game.deal(players, number, options), rng, closely=number % LOOKED_AT == 0)
        except Exception as error:
            raise AssertionError(f"{game.name}, {players} players, seed {number}, {options}: {error!r}") from error
    return moves


def play(game: Game[Any], state: State[Any], rng: Random, *, closely: bool) -> int:
    """One random game to its end."""
    while state.to_move >= 0:
        assert state.turn < MOST_TURNS, "the game does not end"
        if closely:
            look_at(game, state, rng)
        state.advance(state.random_move(rng))
    outcome = state.outcome()
    assert outcome is not None, "there is no outcome at the end"
    best = max(score.total for score in outcome.scores)
    assert all(outcome.scores[seat].total == best for seat in outcome.winners), "a winner has fewer points than another"
    return state.turn


def look_at(game: Game[Any], state: State[Any], rng: Random) -> None:
    """A state survives being written, and each seat's view being written, sampled and sampled again."""
    assert game.read_state(str(state)) == state, "a state is read as another"
    for seat in range(state.players):
        view = state.view(seat)
        assert game.read_view(str(view)) == view, "a view is read as another"
        assert view.sample(rng).view(seat) == view, "a sample looks different"
    for move in state.legal_moves():
        state.check(move)


def main() -> None:
    parser = argparse.ArgumentParser(description="Play random games of every registered game.")
    parser.add_argument("--games", type=int, default=10_000, help="how many of each game (default 10000)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (default 0)")
    arguments = parser.parse_args()
    for game in games().values():
        moves = soak(game, arguments.games, arguments.seed)
        sys.stdout.write(f"{game.name}: {arguments.games} games, {moves} moves, nothing went wrong\n")


if __name__ == "__main__":
    main()
