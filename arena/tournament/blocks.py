"""Duplicate-deal blocks: every deal is played with every rotation of the line-up, so luck and seats even out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arena.record import MatchSpec
from arena_rules.chance import derive
from arena_sdk.events import TimeControl


def blocks(
    *,
    game: str,
    edition: str,
    options: Mapping[str, str],
    lineup: Sequence[str],
    seed: int,
    time: TimeControl,
    games: int,
) -> Iterator[MatchSpec]:
    """The first so many games: block after block, each block one deal with every rotation of the line-up.

    The first deal is drawn from the seed itself, so a match of one game can be dealt again from what is printed.
    """
    for index in range(games):
        deal, rotation = divmod(index, len(lineup))
        yield MatchSpec(
            index=index,
            game=game,
            edition=edition,
            lineup=(*lineup[rotation:], *lineup[:rotation]),
            seed=derive(seed, f"deal {deal}") if deal else seed,
            time=time,
            options=options,
        )
