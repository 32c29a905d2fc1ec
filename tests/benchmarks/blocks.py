"""How many games duplicate deals save: the variance of block scores against that of as many independent games.

Bundled bots play in this process, without wire and clocks. A block is one deal over all rotations of a line-up; beside
it as many games are played with the same bots in the same seats, each with a deal of its own. The score is that of the
first bot of the line-up against the second. (Two copies of one bot would not do: over a block they are level by
construction.) When the variance of block scores is r times the other, r times as many
games are enough for the same certainty. Intervals are 95% by the bootstrap, over blocks; all seeds are fixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.rating.blocks import block_score
from arena.record import Result
from arena.tournament.definition import Deals
from arena_rules import Game, game, games
from arena_rules.chance import derive
from arena_sdk import Bot
from tests.benchmarks.ladder import bundled, play

GAMES = 240
"""Of each kind, for every line-up."""
MOVE_MS = 60_000
"""Nobody of these looks at the clock, so the games are the same everywhere."""
RESAMPLES = 4000
LINEUPS = (("planner", "greedy"), ("planner", "greedy", "random", "random"))

Scores = list[float]


@dataclass(frozen=True)
class Tables:
    """Plays one line-up at one game."""

    game: Game[Any]
    lineup: tuple[str, ...]
    bots: Mapping[str, Bot]

    def scores(self, blocks: int) -> tuple[Scores, Scores]:
        """Of duplicate blocks, and of as many independent games."""
        return (
            [self.score(number, [f"deal {number}"] * len(self.lineup)) for number in range(blocks)],
            [self.score(number, [f"deal {number} {turn}" for turn in self.turns]) for number in range(blocks)],
        )

    @property
    def turns(self) -> range:
        return range(len(self.lineup))

    def score(self, number: int, deals: Sequence[str]) -> float:
        return block_score(self.results(number, deals), self.lineup[0], self.lineup[1])

    def results(self, number: int, deals: Sequence[str]) -> Iterator[Result]:
        """One game with each deal, the line-up rotated from game to game."""
        seats = len(self.lineup)
        for index, (deal, bots) in enumerate(zip(deals, Deals.ROTATIONS.orders(self.lineup, number), strict=True)):
            outcome = play(self.game, [self.bots[bot] for bot in bots], derive(seats, deal), MOVE_MS)
            totals = tuple(score.total for score in outcome.scores)
            yield Result("", index, number, self.game.name, bots, outcome.ranks, totals, (False,) * seats)


def ratio(blocks: Scores, singles: Scores) -> tuple[float, float, float]:
    """The ratio of the variances, and its interval."""
    chance = np.random.default_rng(1)
    with np.errstate(divide="ignore"):  # a lopsided pair may win all games of a resample: the interval has no end then
        resampled = _variances(blocks, chance) / _variances(singles, chance)
    low, high = np.quantile(resampled, (0.025, 0.975))
    return float(np.var(blocks, ddof=1) / np.var(singles, ddof=1)), float(low), float(high)


def _variances(scores: Scores, chance: np.random.Generator) -> Any:
    return np.var(chance.choice(scores, (RESAMPLES, len(scores))), axis=1, ddof=1)


def main(count: int = GAMES) -> None:
    bots = {name: bundled(name) for lineup in LINEUPS for name in lineup}
    for name in games():
        for lineup in LINEUPS:
            blocks, singles = Tables(game(name), lineup, bots).scores(count // len(lineup))
            if not (np.var(blocks) and np.var(singles)):
                print(f"{name}, {', '.join(lineup)}: one bot always wins, so there is no variance to compare")
                continue
            value, low, high = ratio(blocks, singles)
            print(
                f"{name}, {', '.join(lineup)}: score {np.mean(blocks):.2f}, {value:.2f}x the variance of single games "
                f"({low:.2f} to {high:.2f}): a duplicate block saves {1 - value:.0%} of the games",
                flush=True,
            )


if __name__ == "__main__":
    main()
