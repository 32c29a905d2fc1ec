"""How fast the rules are alone: random games in one process, without gRPC."""

from __future__ import annotations

import os
import statistics
import time
from random import Random
from typing import Any

from arena_rules import Game, games

ROUNDS = 15
SECONDS = 0.25


def fixed_loop() -> float:
    """Steps per second of a loop in pure Python that never changes: what this machine makes of Python just now."""
    steps = 200_000
    began = time.perf_counter()
    value = 0
    for step in range(steps):
        value = (value * 31 + step) & 0xFFFF
    return steps / (time.perf_counter() - began)


def random_play(game: Game[Any], players: int, seed: int, rng: Random) -> tuple[float, float]:
    """Moves and games per second: deal, random moves to the end, outcome."""
    options = game.rules()
    began = time.perf_counter()
    moves = played = 0
    while (elapsed := time.perf_counter() - began) < SECONDS:
        state = game.deal(players, seed + played, options)
        while state.to_move >= 0:
            state.advance(state.random_move(rng))
        assert state.outcome() is not None
        moves += state.turn
        played += 1
    return moves / elapsed, played / elapsed


def main(rounds: int = ROUNDS) -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for game in games().values():
        for players in (2, 4):
            rng = Random(players)
            runs = []
            for turn in range(rounds):
                loop = fixed_loop()
                moves, playouts = random_play(game, players, turn << 20, rng)
                runs.append((moves, playouts, moves / loop))
            moves, playouts, ratio = (statistics.median(column) for column in zip(*runs, strict=True))
            print(
                f"{game.name}, {players} players    {moves:9,.0f} moves/s   {playouts:7,.0f} playouts/s   "
                f"{ratio * 1000:6.2f} moves per 1,000 steps of the fixed loop"
            )


if __name__ == "__main__":
    main()
