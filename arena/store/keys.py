"""The numbers by which tables refer to tournaments and versions. They never change, so each is looked up once."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, select

from arena.errors import Unknown
from arena.record import Entrant
from arena.store.tables import BOTS, TOURNAMENTS, VERSIONS
from arena.store.versions import labels


class TournamentKey(NamedTuple):
    id: int
    game: str


class VersionKey(NamedTuple):
    bot_id: int
    version_id: int


class Keys:
    """What one process has looked up so far. Of what is not committed yet nothing may be asked."""

    def __init__(self) -> None:
        self._tournaments: dict[str, TournamentKey] = {}
        self._versions: dict[tuple[str, str], VersionKey] = {}
        self._labels: dict[int, str] = {}

    def tournament(self, connection: Connection, name: str) -> TournamentKey:
        """Raises Unknown."""
        if name not in self._tournaments:
            query = select(TOURNAMENTS.c.id, TOURNAMENTS.c.game).where(TOURNAMENTS.c.name == name)
            row = connection.execute(query).one_or_none()
            if row is None:
                raise Unknown(f"there is no tournament named '{name}' in this arena")
            self._tournaments[name] = TournamentKey(row.id, row.game)
        return self._tournaments[name]

    def version(self, connection: Connection, entrant: Entrant) -> VersionKey:
        """Raises Unknown."""
        known = (entrant.name, entrant.content_hash)
        if known not in self._versions:
            query = select(VERSIONS.c.bot_id, VERSIONS.c.id).join(BOTS, BOTS.c.id == VERSIONS.c.bot_id)
            row = connection.execute(
                query.where(BOTS.c.name == entrant.name, VERSIONS.c.content_hash == entrant.content_hash)
            ).one_or_none()
            if row is None:
                content = entrant.content_hash[:12] or "nothing"
                raise Unknown(f"no version of bot {entrant.name} with content {content} is registered in this arena")
            self._versions[known] = VersionKey(*row)
        return self._versions[known]

    def label(self, connection: Connection, version_id: int) -> str:
        if version_id not in self._labels:
            self._labels = labels(connection)
        return self._labels[version_id]
