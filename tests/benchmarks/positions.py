"""What a position costs: listing all legal moves, copying, making a view, and the bytes of its message."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from random import Random
from typing import Any

from arena_rules import Game, State, games
from arena_sdk.codec import codec_of, write_turn
from arena_sdk.events import TurnRequested
from arena_sdk.v1 import referee_pb2 as pb

POSITIONS = 200
REPEATS = 20


def positions(game: Game[Any], players: int) -> list[State[Any]]:
    """Positions from all over random games."""
    found: list[State[Any]] = []
    rng = Random(players)
    for seed in range(POSITIONS // 20):
        state = game.deal(players, seed)
        passed = []
        while state.to_move >= 0:
            passed.append(state)
            state = state.apply(state.random_move(rng))
        found += rng.sample(passed, 20)
    return found


def microseconds(what: Callable[[State[Any]], object], states: list[State[Any]]) -> float:
    """The median over rounds of the mean time for a position."""
    rounds = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        for state in states:
            what(state)
        rounds.append((time.perf_counter() - began) / len(states))
    return statistics.median(rounds) * 1e6


def turn_bytes(state: State[Any], game: Game[Any]) -> int:
    message = pb.TurnRequested()
    write_turn(TurnRequested(state.turn, state.view(state.to_move), 1000), codec_of(game.name), message)
    return message.ByteSize()


def main() -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for game in games().values():
        for players in (2, 4):
            states = positions(game, players)
            moves = statistics.mean(len(state.legal_moves()) for state in states)
            sizes = [turn_bytes(state, game) for state in states]
            listing = microseconds(lambda state: state.legal_moves(), states)
            copying = microseconds(lambda state: state.copy(), states)
            viewing = microseconds(lambda state: state.view(state.to_move), states)
            print(
                f"{game.name}, {players} players    {listing:6.1f} us to list {moves:.0f} legal moves   "
                f"{copying:5.2f} us to copy   {viewing:5.1f} us for a view   "
                f"{statistics.mean(sizes):.0f} bytes a turn (at most {max(sizes)})"
            )


if __name__ == "__main__":
    main()
