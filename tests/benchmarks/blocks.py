"""How many games duplicate deals save: the variance of block scores against that of as many independent games.

A block is one deal over all rotations of a line-up. Its first games, taken over all blocks, are games with a deal of
their own each, and so are its second ones; so the blocks themselves tell how much as many independent games with the
same bots in the same seats would vary. When the variance of block scores is r times that, r times as many games are
enough for the same certainty.

The bots look at a few moves only and take the one with most points, so thousands of games are played in this process,
without wire and clocks. What is compared is the bot that looks at 6 with the one that looks at 5. They were chosen for
being close, before any variance was looked at: 0.54 to 0.59 of the games of two, on deals that are not used here. They
come in two tempers. Moody ones draw their moves from the chance that a seat is dealt with the game; steady ones have a
list of their own, the same in every game. (Two copies of one bot would not do: over a block they are level by
construction.)

Scores are the platform's (the share of games in which the one ranks above the other), and the difference of points
beside it. Intervals are 95% by the bootstrap, over blocks; all seeds are fixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from arena.rating.blocks import block_score
from arena.record import Result
from arena.tournament.definition import Deals
from arena_rules import Game, game, games
from arena_rules.chance import derive
from arena_sdk import Bot, Turn
from tests.benchmarks.ladder import play

GAMES = 2400
"""For every line-up; whole blocks at two, three and four seats."""
RESAMPLES = 2000
LOOKS = (6, 5, 7, 4)
"""At how many moves the bots look, in the order of the line-up; tables of two and three take the first of them."""
MOVE_MS = 60_000
"""Nobody of these looks at the clock, so the games are the same everywhere."""

Scores = np.ndarray[Any, np.dtype[np.float64]]
"""A row for every block, with a score for each of its games."""


class Glancer(Bot):
    """Looks at so many of its moves and takes the one after which it has most points."""

    def __init__(self, looks: int, *, moody: bool) -> None:
        self.looks = looks
        self.moody = moody

    def choose(self, turn: Turn) -> object:
        chance = turn.rng if self.moody else Random(f"{self.looks} {turn.number}")
        moves = turn.legal
        return max(chance.sample(moves, min(self.looks, len(moves))), key=lambda move: self.points(turn.view, move))

    def points(self, view: Any, move: Any) -> int:
        after = view.public.copy()
        after.advance(move)
        total: int = after.score(view.seat).total
        return total


@dataclass(frozen=True)
class Tables:
    """Plays one line-up at one game."""

    game: Game[Any]
    seats: int
    moody: bool

    def scores(self, blocks: int) -> tuple[Scores, Scores]:
        """Of the first bot against the second, game by game: wins, and the difference of points."""
        bots = {f"looks at {looks}": Glancer(looks, moody=self.moody) for looks in LOOKS[: self.seats]}
        played = [list(self.results(number, bots)) for number in range(blocks)]
        one, other, *_ = bots
        wins = [[block_score([result], one, other) for result in block] for block in played]
        margins = [[_points(result, one) - _points(result, other) for result in block] for block in played]
        return np.array(wins, float), np.array(margins, float)

    def results(self, number: int, bots: Mapping[str, Bot]) -> Iterator[Result]:
        """The games of a block."""
        seed = derive(self.seats, f"deal {number}")
        for index, lineup in enumerate(Deals.ROTATIONS.orders(tuple(bots))):
            outcome = play(self.game, [bots[bot] for bot in lineup], seed, MOVE_MS)
            totals = tuple(score.total for score in outcome.scores)
            yield Result("", index, number, self.game.name, lineup, outcome.ranks, totals, (False,) * self.seats)


def _points(result: Result, bot: str) -> int:
    return result.scores[result.bots.index(bot)]


def ratio(scores: Scores) -> tuple[float, float, float]:
    """How the variance of blocks compares with that of as many independent games, and the interval of that."""
    chance = np.random.default_rng(1)
    resampled = [_ratio(scores[chance.integers(len(scores), size=len(scores))]) for _ in range(RESAMPLES)]
    low, high = np.quantile(resampled, (0.025, 0.975))
    return _ratio(scores), float(low), float(high)


def _ratio(scores: Scores) -> float:
    games = scores.shape[1]
    independent = scores.var(axis=0, ddof=1).sum() / games**2
    return float(scores.mean(axis=1).var(ddof=1) / independent)


def saving(low: float, value: float, high: float) -> str:
    """In words, and no more than is known."""
    worth = f"100 games in blocks tell as much as {100 / value:.0f} independent ones"
    if high < 1:
        return f"{worth}: blocks save {1 - value:.0%} of the games"
    return f"{worth}: blocks cost games" if low > 1 else f"no saving is seen (from {1 - high:+.0%} to {1 - low:+.0%})"


def main(count: int = GAMES) -> None:
    for moody in (False, True):
        print(f"{'moody' if moody else 'steady'} bots, {count:,} games at each table")
        for name in games():
            for seats in game(name).players:
                wins, margins = Tables(game(name), seats, moody).scores(count // seats)
                print(f"  {name}, {seats} seats: the first scores {wins.mean():.3f}")
                for what, scores in (("wins", wins), ("points", margins)):
                    value, low, high = ratio(scores)
                    print(f"    {what:6} {value:.2f}x the variance ({low:.2f} to {high:.2f}); ", end="")
                    print(saving(low, value, high), flush=True)


if __name__ == "__main__":
    main()
