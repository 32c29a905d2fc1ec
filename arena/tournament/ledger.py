"""The ledger: the book of ratings brought up to the log.

Ratings are a fold over the matches in schedule order, tournament by tournament. What was folded before is kept, a page
of the book for each tournament, so only what is new has to be worked out: usually the end of the last tournament. When
an earlier one has grown, everything after it is folded again, and the book comes out as if it had been written at once.

Blocks are folded whole. The last one of a tournament that goes on waits until all its matches are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Final

from arena.rating import Fold, Parameters, Skill, Standing, Tally, fit
from arena.record import Result
from arena.store import Fit, Point, Pool, Rating, State, Store
from arena.store import Fold as Progress

if TYPE_CHECKING:
    from arena.rating.fitting import Fit as Fitted

LARGEST_FIT: Final = 300
"""With more bots the order-free fit takes its time, so it is made only when it is asked for."""


def settle(store: Store, pool: Pool, *, fitted: bool = False) -> None:
    """Bring the ratings of a pool up to the log. ``fitted`` asks for the order-free fit however large the field is."""
    while not _settled(store, pool):
        pass
    _refit(store, pool, fitted=fitted)


def rebuild(store: Store, pool: Pool) -> None:
    """Work out the ratings of a pool from the log alone."""
    with store.writing() as book:
        book.forget(pool)
    settle(store, pool, fitted=True)


def pages(store: Store, pool: Pool) -> Iterator[Page]:
    """The pages of a pool from the beginning of the log, as they should stand in the book."""
    skills: dict[str, Skill] = {}
    for progress in store.folds(pool):
        page = Page(store, pool, progress.tournament, skills)
        page.read(0, progress.folded, complete=True)
        skills |= page.skills
        yield page


class Page:
    """What one tournament adds to a pool."""

    def __init__(self, store: Store, pool: Pool, tournament: str, skills: Mapping[str, Skill]) -> None:
        """It begins with the skills that bots brought along."""
        self._store = store
        self._pool = pool
        self.tournament = tournament
        self.parameters = Parameters.of(pool.game, ladder=store.tournament(tournament).system == "ladder")
        self.through = 0
        """How many matches of the schedule are in it."""
        self.history: list[Point] = []
        self._fold = Fold(self.parameters, skills)
        self._standing = Standing()
        self._tally = Tally()

    def take_up(self, through: int) -> None:
        """Begin with what is in the book."""
        rows = [rating for _, rating in self._store.ratings(self._pool, self.tournament)]
        known = {rating.bot: Skill(rating.mu, rating.sigma) for rating in rows}
        self._fold = Fold(self.parameters, {**self._fold.skills, **known})
        self._standing = Standing.from_rows((row.bot, *cell) for row in rows for cell in row.details["cells"])
        self._tally = Tally.from_rows(self._store.tallies(self._pool, self.tournament))
        self.through = through

    def read(self, start: int, stop: int, *, complete: bool) -> bool:
        """Fold these matches, as far as blocks are whole; the last one is if they are ``complete``.

        Gives whether there were any.
        """
        results = self._store.results(
            self._pool.game, tournament=self.tournament, players=self._pool.players or None, start=start, stop=stop
        )
        grew = False
        held: list[Result] = []
        for _, games in groupby(results, key=lambda result: result.block):
            if held:
                self.add(held)
                grew = True
            held = list(games)
        self.through = held[0].index if held else stop
        if held and complete:
            self.add(held)
            grew, self.through = True, stop
        return grew

    def add(self, block: Sequence[Result]) -> None:
        """Fold a whole block."""
        self._tally.add(block)
        for result in block:
            self._fold.add(result)
            self._standing.add(result)
            self._note(result)

    def _note(self, result: Result) -> None:
        """Keep a point of the history of those for whom it is time, by the number of their games alone."""
        for bot in sorted(set(result.bots)):
            if _worth_a_point(self._standing.count(bot).games):
                skill = self._fold.skills[bot]
                self.history.append(Point(bot, self.tournament, result.index, skill.mu, skill.sigma))

    @property
    def skills(self) -> dict[str, Skill]:
        """Of those who played in it."""
        return {bot: self._fold.skills[bot] for bot in self._standing.bots}

    @property
    def ratings(self) -> list[Rating]:
        cells: dict[str, list[tuple[int, ...]]] = {}
        for bot, *cell in self._standing.rows():
            cells.setdefault(bot, []).append(tuple(cell))
        return [
            Rating(bot, skill.mu, skill.sigma, **asdict(self._standing.count(bot)), details={"cells": cells[bot]})
            for bot, skill in self.skills.items()
        ]

    @property
    def games(self) -> int:
        """How many matches of it count."""
        return self._tally.games

    @property
    def tallies(self) -> dict[str, str]:
        return dict(self._tally.rows())


def _worth_a_point(games: int) -> bool:
    """At 1, 2, 3, 4, 6, 8, 12, 16, 24, ... games: as many points for each doubling."""
    half = 1 << max(0, games.bit_length() - 2)
    return games > 0 and games % half == 0


def _settled(store: Store, pool: Pool) -> bool:
    """Work out what is new and write it into the book; False when another process has written there meanwhile."""
    before = store.folds(pool)
    news = _news(store, pool, before)
    if not news:
        return True
    with store.writing() as book:
        if [progress.folded for progress in book.folds(pool)] != [progress.folded for progress in before]:
            return False
        later = [progress.tournament for progress in before if progress.tournament not in _unchanged(before, news)]
        if len(later) > 1:
            book.forget(pool, later[1])
        for page in news:
            details = {"parameters": asdict(page.parameters), "games": page.games}
            book.save(pool, page.tournament, page.through, page.ratings, page.tallies, page.history, details)
    return True


def _unchanged(before: list[Progress], news: list[Page]) -> set[str]:
    """The tournaments before the first that has something new."""
    names = [progress.tournament for progress in before]
    return set(names[: names.index(news[0].tournament)])


def _news(store: Store, pool: Pool, chain: list[Progress]) -> list[Page]:
    """The pages that have to be written: the first that has grown, and all after it."""
    news: list[Page] = []
    skills: dict[str, Skill] = {}
    for progress in chain:
        if not news:
            page = _grown(store, pool, progress)
            if page is None:
                continue
        else:
            page = Page(store, pool, progress.tournament, {**_before(store, pool, news[0].tournament), **skills})
            page.read(0, progress.through, complete=_finished(store, progress))
        news.append(page)
        skills |= page.skills
    return news


def _grown(store: Store, pool: Pool, progress: Progress) -> Page | None:
    """The page of a tournament with what is new in it; None when there is nothing."""
    if progress.folded >= progress.through:
        return None
    page = Page(store, pool, progress.tournament, _before(store, pool, progress.tournament))
    page.take_up(progress.folded)
    grew = page.read(progress.folded, progress.through, complete=_finished(store, progress))
    return page if grew else None


def _finished(store: Store, progress: Progress) -> bool:
    return store.tournament(progress.tournament).state is State.FINISHED


def _before(store: Store, pool: Pool, tournament: str) -> dict[str, Skill]:
    return {bot: Skill(*numbers) for bot, numbers in store.ratings_before(pool, tournament).items()}


def games_rated(store: Store, pool: Pool) -> int:
    """How many matches are in the ratings of a pool."""
    return sum(progress.details.get("games", 0) for progress in store.folds(pool))


def _refit(store: Store, pool: Pool, *, fitted: bool) -> None:
    """Keep the order-free fit up to date with the book."""
    games, kept = games_rated(store, pool), store.fit(pool)
    if not games or (kept is not None and kept.matches == games):
        return
    tally = Tally.from_rows(store.tallies(pool))
    if len(tally.bots) > LARGEST_FIT and not fitted:
        return
    order = [rating.bot for rating in store.leaderboard_rows(pool)]
    found = Fit(tally.games, fit_document(tally, Parameters.of(pool.game), order))
    with store.writing() as book:
        book.save_fit(pool, found)


def fit_document(tally: Tally, parameters: Parameters, order: Sequence[str]) -> dict[str, Any]:
    """The order-free fit as plain values: the bots, the best first.

    Each comes with the probability that it is better than the next on a leaderboard in this order, from which those
    without enough games are left out.
    """
    found = fit(tally, parameters)
    ranked = {one.bot for one in found.table if one.band}
    above = dict(_above_next(found, [bot for bot in order if bot in ranked]))
    return {
        "bots": [
            {
                "bot": one.bot,
                "skill": one.skill,
                "blocks": one.blocks,
                "interval": [one.interval.low, one.interval.high] if one.interval else None,
                "band": list(one.band) if one.band else None,
                "above_next": above.get(one.bot),
            }
            for one in found.table
        ]
    }


def _above_next(found: Fitted, order: Sequence[str]) -> Iterator[tuple[str, float]]:
    for one, other in pairwise(order):
        if found.difference(one, other) is not None:
            yield one, found.above(one, other)
