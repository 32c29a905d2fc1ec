"""Results for tests: games written down in a line, and games drawn from bots of known strength."""

from __future__ import annotations

from collections.abc import Sequence

from arena.record import Result


def result(
    bots: str | Sequence[str], ranks: Sequence[int], *, block: int = 0, index: int = 0, tournament: str = "cup"
) -> Result:
    """A game of bots with names of one letter, as in ``result("ab", (1, 2))``."""
    bots, count = tuple(bots), len(ranks)
    return Result(tournament, index, block, "shelfie", bots, tuple(ranks), (0,) * count, (False,) * count)


def blocks_of(bots: Sequence[str], games: Sequence[Sequence[int]], *, first: int = 0) -> list[Result]:
    """Whole blocks: the ranks of each game in turn, the line-up rotated from game to game."""
    players = len(bots)
    return [
        result((*bots[index % players :], *bots[: index % players]), ranks, block=first + index // players, index=index)
        for index, ranks in enumerate(games)
    ]
