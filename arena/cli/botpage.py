"""Bots as people and programs want them: the list of all, and all about one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.cli.boards import NOT_ENOUGH, UNKNOWN, band, place_json, pool_words
from arena.cli.matchlist import match_json, match_table
from arena.cli.screen import clean, moment
from arena.cli.tables import plain_table
from arena.store import MatchLine, Pool, Version
from arena.tournament.board import Place

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

Stand = tuple[Pool, Place]
"""Where a version stands in a pool."""


@dataclass(frozen=True, slots=True)
class BotPage:
    """All about a bot, or about one version of it."""

    versions: Sequence[Version]
    """Oldest first."""
    stands: Sequence[Stand]
    matches: Sequence[MatchLine]
    """The latest."""

    @property
    def newest(self) -> Version:
        return self.versions[-1]


def state(version: Version) -> str:
    """Whether it may play."""
    return "retired" if version.retired_us is not None else version.standing.value


# ── one bot ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def page_parts(page: BotPage) -> Iterator[RenderableType]:
    """The page from top to bottom."""
    from rich.text import Text

    about = clean(str(page.newest.facts.get("description") or ""))
    games = ", ".join(map(clean, page.newest.facts.get("games", ())))
    yield Text(f"{clean(page.newest.name)}, for {games}", style="bold")
    yield from [about] if about else []
    yield from ("", _version_table(page.versions))
    if page.stands:
        yield from ("", _rating_table(page.stands))
    if page.matches:
        yield from ("", match_table(page.matches))
    else:
        yield from ("", "It has not played yet.")


def _version_table(versions: Sequence[Version]) -> Table:
    table = plain_table("version", "came (UTC)", "state", "follows", "content", "from")
    for version in versions:
        follows = f"@{version.parent}" if version.parent else UNKNOWN
        style = "dim" if version.retired_us is not None else None
        row = (version.label, moment(version.submitted_us), state(version), follows, version.content_hash[:12])
        table.add_row(*row, clean(version.source), style=style)
    return table


def _rating_table(stands: Sequence[Stand]) -> Table:
    table = plain_table(
        "version", "among", right=("rank", "score", "mu", "sigma", "games", "won/drawn/lost", "forfeits")
    )
    for pool, place in stands:
        counts = place.rating
        skill = (place.score, place.skill.mu, place.skill.sigma)
        numbers = [f"{number:.1f}" for number in skill] if place.enough else [NOT_ENOUGH, UNKNOWN, UNKNOWN]
        results = f"{counts.wins:,}/{counts.draws:,}/{counts.losses:,}"
        row = (clean(place.bot), pool_words(pool), band(place) or UNKNOWN, *numbers, f"{counts.games:,}", results)
        table.add_row(*row, f"{counts.forfeits:,}")
    return table


def page_json(page: BotPage) -> dict[str, Any]:
    return {
        "bot": page.newest.name,
        "versions": [version_json(version) for version in page.versions],
        "ratings": [_stand_json(stand) for stand in page.stands],
        "matches": [match_json(line) for line in page.matches],
    }


def version_json(version: Version) -> dict[str, Any]:
    return {
        "bot": version.name,
        "version": version.number,
        "content_hash": version.content_hash,
        "standing": version.standing.value,
        "retired_us": version.retired_us,
        "submitted_us": version.submitted_us,
        "follows": version.parent,
        "source": version.source,
        "games": list(version.facts.get("games", ())),
        "description": version.facts.get("description"),
    }


def _stand_json(stand: Stand) -> dict[str, Any]:
    pool, place = stand
    return {
        "game": pool.game,
        "players": pool.players or None,
        "tournament": pool.tournament or None,
        **place_json(place),
    }


# ── all bots ────────────────────────────────────────────────────────────────────────────────────────────────────────


def list_table(bots: Sequence[Version], stands: Mapping[str, Sequence[Stand]]) -> Table:
    """One row per bot: its newest version, and where the best of its versions stands in each game."""
    table = plain_table("bot", "state", "came (UTC)", "where it stands", right=("games", "forfeits"))
    for version in bots:
        mine = stands.get(version.name, ())
        games = sum(place.rating.games for _, place in mine)
        forfeits = sum(place.rating.forfeits for _, place in mine)
        row = (version.label, state(version), moment(version.submitted_us), _where(version, mine))
        table.add_row(*row, f"{games:,}", f"{forfeits:,}", style="dim" if version.retired_us is not None else None)
    return table


def _where(newest: Version, stands: Sequence[Stand]) -> str:
    best: dict[str, Place] = {}
    for pool, place in stands:
        if pool.game not in best or place.score > best[pool.game].score:
            best[pool.game] = place
    return ", ".join(f"{clean(game)} {_rank(newest, place)}" for game, place in best.items()) or UNKNOWN


def _rank(newest: Version, place: Place) -> str:
    if not place.enough:
        return NOT_ENOUGH
    older = "" if place.version == newest.number else f" (@{place.version})"
    return f"{band(place) or UNKNOWN}{older}"


def list_json(bots: Sequence[Version], stands: Mapping[str, Sequence[Stand]]) -> list[dict[str, Any]]:
    return [
        {**version_json(version), "ratings": [_stand_json(stand) for stand in stands.get(version.name, ())]}
        for version in bots
    ]
