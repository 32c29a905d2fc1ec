"""How fast the rules are alone: random games in one process, without gRPC. Where they are compiled, pure ones compete.

    python -m tests.benchmarks.rules play    plays; every line on stdin is a game, a number of players and a seed,
                                             answered with moves/s, games/s and moves per step of a fixed loop

Each kind of rules plays in a process of its own, and they take turns, so that a noisy machine disturbs them alike.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import arena_rules
from arena_rules import Game, game, games
from arena_rules.registry import Build, build_of

ROUNDS = 15
SECONDS = 0.25
PLAYERS = (2, 4)


class Speed(NamedTuple):
    moves: float
    playouts: float
    moves_per_step: float


def fixed_loop() -> float:
    """Steps per second of a loop in pure Python that never changes: what this machine makes of Python just now."""
    steps = 200_000
    began = time.perf_counter()
    value = 0
    for step in range(steps):
        value = (value * 31 + step) & 0xFFFF
    return steps / (time.perf_counter() - began)


def random_play(game: Game[Any], players: int, seed: int) -> Speed:
    """Deal, random moves to the end, outcome, over and over."""
    options, rng = game.rules(), Random(seed)
    loop = fixed_loop()
    began = time.perf_counter()
    moves = played = 0
    while (elapsed := time.perf_counter() - began) < SECONDS:
        state = game.deal(players, seed + played, options)
        while state.to_move >= 0:
            state.advance(state.random_move(rng))
        assert state.outcome() is not None
        moves += state.turn
        played += 1
    return Speed(moves / elapsed, played / elapsed, moves / elapsed / loop)


def play() -> None:
    for line in sys.stdin:
        name, players, seed = line.split()
        print(*random_play(game(name), int(players), int(seed)), flush=True)


class Player:
    """A process that plays with one kind of rules."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def play(self, name: str, players: int, seed: int) -> Speed:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{name} {players} {seed}\n")
        self.process.stdin.flush()
        return Speed(*map(float, self.process.stdout.readline().split()))


@contextmanager
def player(folder: Path) -> Iterator[Player]:
    """Plays with the rules in that folder."""
    command = [sys.executable, "-m", "tests.benchmarks.rules", "play"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        yield Player(process)


def pure_copy(folder: Path) -> Path:
    """The rules without what was compiled of them."""
    shutil.copytree(Path(arena_rules.__file__).parent, folder / "arena_rules", ignore=shutil.ignore_patterns("*.so"))
    return folder


def main(rounds: int = ROUNDS) -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        kinds = {"pure": stack.enter_context(player(pure_copy(Path(scratch))))}
        if any(build_of(type(game).__module__) is not Build.PURE for game in games().values()):
            kinds["compiled"] = stack.enter_context(player(Path(arena_rules.__file__).parents[1]))
        for name in games():
            for players in PLAYERS:
                runs = [[kind.play(name, players, turn << 20) for kind in kinds.values()] for turn in range(rounds)]
                report(f"{name}, {players} players", list(kinds), runs)
    if len(kinds) == 1:
        print("(make compile, and the compiled rules are measured beside these)")


def report(table: str, kinds: list[str], runs: list[list[Speed]]) -> None:
    for place, kind in enumerate(kinds):
        own = [run[place] for run in runs]
        moves, playouts, per_step = (statistics.median(column) for column in zip(*own, strict=True))
        line = f"{table}, {kind:8} {moves:9,.0f} moves/s   {playouts:7,.0f} playouts/s   "
        line += f"{per_step * 1000:6.2f} moves per 1,000 steps of the fixed loop"
        if place:
            ratios = sorted(run[place].moves / run[0].moves for run in runs)
            line += f"   {statistics.median(ratios):.2f}x pure (from {ratios[0]:.2f} to {ratios[-1]:.2f})"
        print(line)


if __name__ == "__main__":
    play() if sys.argv[1:] == ["play"] else main()
