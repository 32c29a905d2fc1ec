"""Ratings of a part of the log: what has been played since some moment, folded as if there had been nothing before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from arena.rating import Skill
from arena.record import Result
from arena.store import Pool, State, Store
from arena.tournament.ledger import Page

LONGEST_BLOCK: Final = 24
"""Four seats in every order."""


def recent_pages(store: Store, pool: Pool, since_us: int) -> list[Page]:
    """What each tournament of a pool adds from that moment on. Nothing is written into the book."""
    skills: dict[str, Skill] = {}
    found: list[Page] = []
    for progress in store.folds(pool):
        page = Page(store, pool, progress.tournament, skills)
        for block in _whole_blocks(store, pool, progress.tournament, since_us):
            page.add(block)
        if page.skills:
            skills |= page.skills
            found.append(page)
    return found


def _whole_blocks(store: Store, pool: Pool, tournament: str, since_us: int) -> Iterator[Sequence[Result]]:
    """The blocks of which all games began since then, and none is still to be played."""
    players = pool.players or None
    recent = {r.index for r in store.results(pool.game, tournament=tournament, players=players, since_us=since_us)}
    if not recent:
        return
    start = max(0, min(recent) - LONGEST_BLOCK)
    results = store.results(pool.game, tournament=tournament, players=players, start=start)
    blocks = [list(games) for _, games in groupby(results, key=lambda result: result.block)]
    if store.tournament(tournament).state is not State.FINISHED:
        blocks.pop()
    yield from (block for block in blocks if all(result.index in recent for result in block))
