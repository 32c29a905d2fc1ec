"""The book of ratings, worked out from the log and compared page by page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

from arena.rating import Parameters, Tally
from arena.store import Pool, Rating, Store
from arena.tournament.audit.finding import Finding, Report
from arena.tournament.ledger import Page, fit_document, pages

_TRIES: Final = 5
"""How often a pool is looked at in which another process writes."""
_CLOSE: Final = 1e-6
"""The fit comes from linear algebra, whose last digits are not the same on every machine."""
_NUMBERS: Final = [field.name for field in fields(Rating) if field.name not in {"bot", "details"}]


def check_book(store: Store, report: Report, tournament: str | None = None) -> None:
    """Compare all pages of all pools, or those of one tournament."""
    for pool in store.pools():
        for _ in range(_TRIES):
            before = store.folds(pool)
            compared, found = _compared(store, pool, tournament)
            if store.folds(pool) == before:
                report.pages += compared
                report.findings += found
                break
        else:
            report.unchecked.append(f"{_name(pool)}: another process is writing them")


def _compared(store: Store, pool: Pool, tournament: str | None) -> tuple[int, list[Finding]]:
    found: list[Finding] = []
    count = 0
    for page in pages(store, pool):
        if tournament in {None, page.tournament}:
            place = f"{_name(pool)} after {page.tournament}"
            found += [Finding(place, problem) for problem in _differences(store, pool, page)]
            count += 1
    if tournament is None and not found:
        found += [Finding(f"the order-free fit of {_pool(pool)}", problem) for problem in _misfit(store, pool)]
    return count, found


def _differences(store: Store, pool: Pool, page: Page) -> Iterator[str]:
    book = {rating.bot: rating for _, rating in store.ratings(pool, page.tournament)}
    log = {rating.bot: rating for rating in page.ratings}
    for bot in sorted(book.keys() | log.keys()):
        yield from _differing(bot, book.get(bot), log.get(bot))
    yield from _miscounted(dict(store.tallies(pool, page.tournament)), page.tallies)
    past = [point for point in store.history(pool) if point.tournament == page.tournament]
    order = sorted(page.history, key=lambda point: (point.index, point.bot))
    if sorted(past, key=lambda point: (point.index, point.bot)) != order:
        wrong = set(past) ^ set(order)
        who = min(wrong, key=lambda point: (point.index, point.bot))
        yield f"the history of {who.bot} is not what the log gives, from match {page.tournament}/{who.index} on"


def _differing(bot: str, book: Rating | None, log: Rating | None) -> Iterator[str]:
    if book is None or log is None:
        yield f"{bot} is missing, and it played" if book is None else f"{bot} is there, and it did not play"
        return
    for name in _NUMBERS:
        said, found = getattr(book, name), getattr(log, name)
        if said != found:
            yield f"{bot}: {name} is {said}, and the log gives {found}"
    if sorted(map(tuple, book.details["cells"])) != sorted(map(tuple, log.details["cells"])):
        yield f"{bot}: the counts by seat are not what the log gives"


def _miscounted(book: Mapping[str, str], log: Mapping[str, str]) -> Iterator[str]:
    for key in sorted(book.keys() | log.keys()):
        if book.get(key) != log.get(key):
            yield f"the tally of {key} is {book.get(key, 'missing')}, and the log gives {log.get(key, 'nothing')}"


def _misfit(store: Store, pool: Pool) -> Iterator[str]:
    kept = store.fit(pool)
    tally = Tally.from_rows(store.tallies(pool))
    if kept is None or kept.matches != tally.games:
        return  # it is made anew before it is shown
    order = [rating.bot for rating in store.leaderboard_rows(pool)]
    made = fit_document(tally, Parameters.of(pool.game), order)
    for said, found in zip(kept.document["bots"], made["bots"], strict=False):
        if not _alike(said, found):
            yield f"{said['bot']} has {_told(said)}, and the log gives {found['bot']} {_told(found)}"
    if len(kept.document["bots"]) != len(made["bots"]):
        yield f"it has {len(kept.document['bots'])} bots, and the log {len(made['bots'])}"


def _alike(said: Any, found: Any) -> bool:
    if isinstance(found, float) and isinstance(said, int | float):
        return math.isclose(said, found, rel_tol=_CLOSE, abs_tol=_CLOSE)
    if isinstance(found, Mapping) and isinstance(said, Mapping):
        return said.keys() == found.keys() and all(_alike(said[key], value) for key, value in found.items())
    if isinstance(found, list) and isinstance(said, list):
        return len(said) == len(found) and all(map(_alike, said, found))
    return bool(said == found)


def _told(row: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in row.items() if key != "bot")


def _pool(pool: Pool) -> str:
    players = f" with {pool.players} players" if pool.players else ""
    return f"{pool.game}{players}{f' in {pool.tournament}' if pool.tournament else ''}"


def _name(pool: Pool) -> str:
    return f"the ratings of {_pool(pool)}"
