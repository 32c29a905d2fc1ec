"""Tournaments: what was opened under which name, and how far it is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select, update

from arena.errors import Conflict, Unknown, UsageError
from arena.store.tables import MATCHES, TOURNAMENTS
from arena.store.values import NAME, State, Tournament

SCHEDULE = (TOURNAMENTS.c.opened_us, TOURNAMENTS.c.name)
"""The order of tournaments; within one it is the index that counts."""


def open_tournament(
    connection: Connection,
    name: str,
    game: str,
    system: str,
    definition: Mapping[str, Any],
    *,
    opened_us: int,
    rated: bool,
) -> Tournament:
    if NAME.fullmatch(name) is None:
        raise UsageError(f"'{name}' cannot be the name of a tournament; write 1 to 64 letters, digits, '.', '_' or '-'")
    sha256 = definition_digest(game, system, definition, rated=rated)
    found = connection.execute(_by_name(name)).one_or_none()
    if found is None:
        row = {
            "name": name,
            "opened_us": opened_us,
            "game": game,
            "system": system,
            "definition": dict(definition),
            "definition_sha256": sha256,
            "rated": rated,
            "state": State.RUNNING.value,
            "through": 0,
        }
        connection.execute(insert(TOURNAMENTS).values(row))
    elif _grown(found, game, system, definition, rated=rated):
        _grow(connection, found, definition, sha256)
    elif found.definition_sha256 != sha256:
        raise Conflict(
            f"there is another tournament named {name} (definition {found.definition_sha256[:12]}, this one is "
            f"{sha256[:12]}): choose another name, or repeat the command that opened it"
        )
    if found is not None and found.state == State.STOPPED.value:
        close(connection, name, State.RUNNING)
    return tournament(connection, name)


def _grown(found: Any, game: str, system: str, definition: Mapping[str, Any], *, rated: bool) -> bool:
    """Whether the definition is the one that was found, with further bots that join it."""
    before, now = found.definition.get("joins", []), definition.get("joins", [])
    if len(now) <= len(before) or now[: len(before)] != before:
        return False
    without = {key: value for key, value in definition.items() if key != "joins"}
    known = {**without, "joins": before} if before else without
    return bool(definition_digest(game, system, known, rated=rated) == found.definition_sha256)


def _grow(connection: Connection, found: Any, definition: Mapping[str, Any], sha256: str) -> None:
    """Raises Conflict when a bot would join among matches that have been played without it."""
    new = definition["joins"][len(found.definition.get("joins", [])) :]
    if min(join["after"] for join in new) < reach(connection, found.name):
        raise Conflict(f"{found.name} was played on while a bot was about to join it: stop that, and try again")
    changes = {"definition": dict(definition), "definition_sha256": sha256}
    connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.id == found.id).values(changes))


def reach(connection: Connection, name: str) -> int:
    matches = select(func.max(MATCHES.c.index)).join(TOURNAMENTS, TOURNAMENTS.c.id == MATCHES.c.tournament_id)
    last = connection.execute(matches.where(TOURNAMENTS.c.name == name)).scalar()
    return 0 if last is None else int(last) + 1


def tournament(connection: Connection, name: str) -> Tournament:
    """Raises Unknown."""
    found = connection.execute(_by_name(name)).one_or_none()
    if found is None:
        raise Unknown(f"there is no tournament named {name} in this arena")
    return _value(found)


def tournaments(connection: Connection, game: str | None) -> list[Tournament]:
    """In schedule order."""
    query = select(TOURNAMENTS).order_by(*SCHEDULE)
    if game is not None:
        query = query.where(TOURNAMENTS.c.game == game)
    return [_value(row) for row in connection.execute(query)]


def close(connection: Connection, name: str, state: State) -> None:
    """Raises Unknown."""
    done = connection.execute(update(TOURNAMENTS).where(TOURNAMENTS.c.name == name).values(state=state.value))
    if not done.rowcount:
        raise Unknown(f"there is no tournament named {name} in this arena")


def definition_digest(game: str, system: str, definition: Mapping[str, Any], *, rated: bool) -> str:
    """What tells one tournament from another of the same name, whatever the order of the keys in its definition."""
    whole = {"game": game, "system": system, "definition": dict(definition), "rated": rated}
    return hashlib.sha256(json.dumps(whole, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _by_name(name: str) -> Select[Any]:
    return select(TOURNAMENTS).where(TOURNAMENTS.c.name == name)


def _value(row: Any) -> Tournament:
    return Tournament(
        name=row.name,
        game=row.game,
        system=row.system,
        definition=row.definition,
        opened_us=row.opened_us,
        rated=bool(row.rated),
        state=State(row.state),
        through=row.through,
    )
