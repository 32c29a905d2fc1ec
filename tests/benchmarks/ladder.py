"""The ladder of the bundled bots: who beats whom, and how surely.

`python -m tests.benchmarks.ladder --seconds 600` plays duplicate deals in one process, for every pair of bots at every
game, two and four at the table, and ends by itself. In a game each bot scores against each seat of the other: 1 above
it, 1/2 level with it, 0 below. A block is one deal over all seatings of the pair, and the 95% intervals are Student's
over blocks, with one level block added so that a pair that always ends the same way does not look certain.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import module_from_spec, spec_from_file_location
from itertools import combinations
from pathlib import Path
from typing import Any

from arena_rules import Game, Outcome, games
from arena_rules.chance import derive
from arena_sdk import Bot, GameStarted, Table, TimeControl, Turn

LADDER = ("random", "greedy", "planner", "mcts")
PLAYERS = (2, 4)
MOVE_MS = 200
SECONDS = 300.0
NARROW = 0.06
"""Half of an interval that is narrow enough to spend the time on others."""
FEWEST = 12
"""Blocks before an interval is believed to be narrow."""

Line = tuple[str, ...]


@dataclass
class Pair:
    """What is known of two bots at one kind of table."""

    upper: str
    lower: str
    scores: list[float] = field(default_factory=list)
    """Of the upper bot, block by block."""

    def lineups(self, players: int) -> list[Line]:
        pair = (self.upper, self.lower)
        return [(pair * players)[start : start + players] for start in range(2)]

    @property
    def mean(self) -> float:
        return statistics.fmean(self.scores) if self.scores else 0.5

    @property
    def half_width(self) -> float:
        scores = [*self.scores, 0.5]
        if len(scores) < 3:
            return 0.5
        return student(len(scores) - 1) * statistics.stdev(scores) / math.sqrt(len(scores))

    @property
    def settled(self) -> bool:
        return len(self.scores) >= FEWEST and self.half_width < NARROW

    def __str__(self) -> str:
        return f"{self.mean:.2f} ±{self.half_width:.2f} ({len(self.scores)})"


def student(freedom: int) -> float:
    """The 97.5% point of Student's distribution, by the expansion around the normal one; good from 3 on."""
    z = statistics.NormalDist().inv_cdf(0.975)
    first = (z**3 + z) / (4 * freedom)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    return z + first + second + third


def bundled(name: str) -> Bot:
    """A bot of the folder bots, in this process."""
    path = Path(__file__).parents[2] / "bots" / name / "bot.py"
    spec = spec_from_file_location(f"bundled_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__]
    (kind,) = [kind for kind in kinds if issubclass(kind, Bot)]
    bot: Bot = kind()
    return bot


def play(game: Game[Any], bots: Sequence[Bot], seed: int, move_ms: int) -> Outcome:
    """One game, straight from the rules. The bots look at their own clocks; nobody puts them out."""
    rules = game.rules()
    control = TimeControl(move_ms=move_ms)
    tables = [
        Table(1, GameStarted(game, rules, len(bots), seat, derive(seed, f"seat {seat}"), control))
        for seat in range(len(bots))
    ]
    state = game.deal(len(bots), seed, rules)
    while (seat := state.to_move) >= 0:
        move = bots[seat].choose(Turn(tables[seat], state.turn, move_ms, state.view(seat)))
        state.check(move)
        state.advance(move)
    outcome = state.outcome()
    assert outcome is not None
    return outcome


def block_score(pair: Pair, results: Mapping[Line, Outcome]) -> float:
    """The mean over all games and all pairs of seats with different bots."""
    scores = [
        1.0 if outcome.ranks[mine] < outcome.ranks[other] else 0.5 * (outcome.ranks[mine] == outcome.ranks[other])
        for lineup, outcome in results.items()
        for mine, bot in enumerate(lineup)
        for other, rival in enumerate(lineup)
        if bot == pair.upper and rival == pair.lower
    ]
    return statistics.fmean(scores)


class Tables:
    """Every pair at every kind of table, each getting a block in turn until time is up or all is settled."""

    def __init__(self, played: Sequence[Game[Any]], players: Sequence[int], names: Sequence[str], move_ms: int) -> None:
        self.bots = {name: bundled(name) for name in names}
        self.move_ms = move_ms
        self.first_deal = 0
        self.pairs = {
            (game.name, count): [Pair(upper, lower) for lower, upper in combinations(names, 2)]
            for game in played
            for count in players
        }
        self.games = {game.name: game for game in played}

    def blocks(self) -> Iterator[tuple[Game[Any], int, Pair]]:
        """What to play next, over and over, as long as anything is open."""
        while True:
            open_pairs = [
                (self.games[name], players, pair)
                for (name, players), pairs in self.pairs.items()
                for pair in pairs
                if not pair.settled
            ]
            if not open_pairs:
                return
            yield from open_pairs

    def run(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        for game, players, pair in self.blocks():
            if time.monotonic() > deadline:
                return
            self.play_block(game, players, pair)

    def play_block(self, game: Game[Any], players: int, pair: Pair) -> None:
        """The next deal of a pair, from every seating."""
        seed = derive(self.first_deal + len(pair.scores), "ladder")
        results = {
            lineup: play(game, [self.bots[name] for name in lineup], seed, self.move_ms)
            for lineup in pair.lineups(players)
        }
        pair.scores.append(block_score(pair, results))

    def show(self) -> None:
        for (name, players), pairs in self.pairs.items():
            print(f"{name}, {players} players: score of the row against the column, 95% interval (blocks)")
            lowers = list(dict.fromkeys(pair.lower for pair in pairs))
            print(" " * 10 + "".join(f"{lower:>20}" for lower in lowers))
            for upper in dict.fromkeys(pair.upper for pair in pairs):
                cells = [str(pair) for pair in pairs if pair.upper == upper]
                print(f"{upper:10}" + "".join(f"{cell:>20}" for cell in cells))


def main(
    seconds: float = SECONDS,
    names: Sequence[str] = LADDER,
    only: str = "",
    players: Sequence[int] = PLAYERS,
    move_ms: int = MOVE_MS,
    first_deal: int = 0,
) -> None:
    played = [game for name, game in games().items() if not only or name == only]
    tables = Tables(played, players, names, move_ms)
    tables.first_deal = first_deal
    tables.run(seconds)
    tables.show()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Cross tables of the bundled bots.")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="when to stop")
    parser.add_argument("--game", default="", help="one game alone")
    parser.add_argument("--players", type=int, nargs="+", default=PLAYERS, help="seats at the table")
    parser.add_argument("--first-deal", type=int, default=0, help="from which deal on; others than those tuned with")
    parser.add_argument("--move-ms", type=int, default=MOVE_MS, help="the time for a move")
    parser.add_argument("bots", nargs="*", default=LADDER, help="folders of bots/, the weakest first")
    given = parser.parse_args(sys.argv[1:])
    main(given.seconds, given.bots, given.game, given.players, given.move_ms, given.first_deal)
