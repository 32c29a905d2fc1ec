"""Bots and their versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from arena.errors import Unknown, UsageError
from arena.store.tables import BOTS, PACKS, VERSIONS
from arena.store.values import NAME, Standing, Version

_PARENTS = VERSIONS.alias("parents")
_FOUND = (
    select(
        *(VERSIONS.c.id, VERSIONS.c.number, VERSIONS.c.content_hash, VERSIONS.c.facts, VERSIONS.c.source),
        *(VERSIONS.c.submitted_us, VERSIONS.c.standing, VERSIONS.c.retired_us, VERSIONS.c.trusted),
        BOTS.c.name,
        _PARENTS.c.number.label("parent"),
        PACKS.c.version_id.is_not(None).label("packed"),
    )
    .join(BOTS, BOTS.c.id == VERSIONS.c.bot_id)
    .outerjoin(_PARENTS, _PARENTS.c.id == VERSIONS.c.parent_id)
    .outerjoin(PACKS, PACKS.c.version_id == VERSIONS.c.id)
)


def register(
    connection: Connection,
    name: str,
    content_hash: str,
    facts: Mapping[str, Any],
    *,
    pack: bytes | None,
    trusted: bool,
    source: str,
    parent: int | None,
    submitted_us: int,
) -> Version:
    if NAME.fullmatch(name) is None:
        raise UsageError(f"'{name}' cannot be the name of a bot; write 1 to 64 letters, digits, '.', '_' or '-'")
    bot_id = _bot_id(connection, name)
    mine = VERSIONS.c.bot_id == bot_id
    version_id = connection.scalar(select(VERSIONS.c.id).where(mine, VERSIONS.c.content_hash == content_hash))
    if version_id is None:
        latest = connection.scalar(select(func.max(VERSIONS.c.number)).where(mine)) or 0
        before = select(VERSIONS.c.id).where(mine, VERSIONS.c.number == (latest if parent is None else parent))
        row = {
            "bot_id": bot_id,
            "number": latest + 1,
            "content_hash": content_hash,
            "facts": dict(facts),
            "source": source,
            "parent_id": connection.scalar(before),
            "submitted_us": submitted_us,
            "standing": Standing.REGISTERED.value,
            "trusted": trusted,
        }
        version_id = connection.scalar(insert(VERSIONS).values(row).returning(VERSIONS.c.id))
    if pack is not None and not connection.scalar(select(func.count()).where(PACKS.c.version_id == version_id)):
        connection.execute(insert(PACKS).values(version_id=version_id, content=pack))
    return _value(connection.execute(_FOUND.where(VERSIONS.c.id == version_id)).one())


def version(connection: Connection, label: str) -> Version:
    """By label, or by name alone the newest version that is neither retired nor rejected. Raises Unknown."""
    name, _, number = label.partition("@")
    versions = lineage(connection, name)
    if number:
        found = [version for version in versions if str(version.number) == number]
    else:
        found = [
            version for version in versions if version.retired_us is None and version.standing is not Standing.REJECTED
        ]
    if not found:
        reason = f"its versions are {_numbers(versions)}" if number else "all its versions are retired or rejected"
        raise Unknown(f"there is no bot {label} to play here: {reason}")
    return found[-1]


def lineage(connection: Connection, name: str) -> list[Version]:
    """All versions of a bot, oldest first. Raises Unknown."""
    rows = connection.execute(_FOUND.where(BOTS.c.name == name).order_by(VERSIONS.c.number)).all()
    if not rows:
        raise Unknown(
            f"there is no bot named {name} in this arena: bring it in with 'arena submit', or name its folder"
        )
    return [_value(row) for row in rows]


def newest(connection: Connection) -> list[Version]:
    """The newest version of every bot, by name."""
    last = select(func.max(VERSIONS.c.id)).group_by(VERSIONS.c.bot_id)
    return [_value(row) for row in connection.execute(_FOUND.where(VERSIONS.c.id.in_(last)).order_by(BOTS.c.name))]


def pack_of(connection: Connection, label: str) -> bytes | None:
    wanted = version_ids(connection, [label])[label]
    content: bytes | None = connection.scalar(select(PACKS.c.content).where(PACKS.c.version_id == wanted))
    return content


def change(connection: Connection, label: str, **values: Any) -> None:
    """Change what the arena thinks of a version, never what it is. Raises Unknown."""
    wanted = version_ids(connection, [label])[label]
    connection.execute(update(VERSIONS).where(VERSIONS.c.id == wanted).values(values))


def version_ids(connection: Connection, labels: Iterable[str]) -> dict[str, int]:
    """The keys of versions by label. Raises Unknown."""
    wanted = sorted(set(labels))
    names = {label.partition("@")[0] for label in wanted}
    query = select(VERSIONS.c.id, BOTS.c.name, VERSIONS.c.number).join(BOTS, BOTS.c.id == VERSIONS.c.bot_id)
    found = {f"{row.name}@{row.number}": row.id for row in connection.execute(query.where(BOTS.c.name.in_(names)))}
    missing = [label for label in wanted if label not in found]
    if missing:
        raise Unknown(f"there is no version {missing[0]} in this arena")
    return {label: found[label] for label in wanted}


def labels(connection: Connection) -> dict[int, str]:
    """The labels of all versions by key."""
    query = select(VERSIONS.c.id, BOTS.c.name, VERSIONS.c.number).join(BOTS, BOTS.c.id == VERSIONS.c.bot_id)
    return {row.id: f"{row.name}@{row.number}" for row in connection.execute(query)}


def _bot_id(connection: Connection, name: str) -> int:
    found = connection.scalar(select(BOTS.c.id).where(BOTS.c.name == name))
    if found is None:
        found = connection.scalar(insert(BOTS).values(name=name).returning(BOTS.c.id))
    assert found is not None
    return int(found)


def _numbers(versions: Sequence[Version]) -> str:
    return ", ".join(version.label for version in versions)


def _value(row: Any) -> Version:
    return Version(
        name=row.name,
        number=row.number,
        content_hash=row.content_hash,
        facts=row.facts,
        source=row.source,
        parent=row.parent,
        submitted_us=row.submitted_us,
        standing=Standing(row.standing),
        retired_us=row.retired_us,
        trusted=bool(row.trusted),
        packed=bool(row.packed),
    )
