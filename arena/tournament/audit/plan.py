"""What was played, compared with what the definition of the tournament would have had played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

from arena.errors import ArenaError
from arena.record import MatchRecord, MatchSpec, Result
from arena.tournament import systems
from arena.tournament.definition import Definition
from arena.tournament.schedule import Block, Schedule
from arena.tournament.systems import SYSTEMS

_COMPARED: Final = [field.name for field in fields(MatchSpec) if field.name not in {"index", "attempt", "tournament"}]


class Plan:
    """The schedule of a tournament, drawn up again from its definition and the results, match by match."""

    def __init__(self, definition: Mapping[str, Any]) -> None:
        self._schedule = _schedule(definition)
        """Nothing when the tournament has none, or when the log has left it."""
        self._specs: dict[int, MatchSpec] = {}

    def problems(self, record: MatchRecord) -> Iterator[str]:
        """What is not as it was drawn up, in words. To be asked in the order of the log, as far as that follows it."""
        if self._schedule is None:
            return
        planned = self._planned(record.spec.index)
        differing = list(_differing(record.spec, planned))
        yield from differing
        if differing:
            self._schedule = None
        elif record.outcome is not None:
            self._schedule.take(Result.of(record))
            self._specs.pop(record.spec.index)

    def _planned(self, index: int) -> MatchSpec | None:
        assert self._schedule is not None
        while index not in self._specs:
            block = self._schedule.next()
            if not isinstance(block, Block):
                return None
            self._specs.update((spec.index, spec) for spec in block.specs)
        return self._specs[index]


def _schedule(definition: Mapping[str, Any]) -> Schedule | None:
    if definition.get("system") not in SYSTEMS:
        return None
    try:
        plan = Definition.from_json(definition)
        return Schedule(plan, systems.of(plan))
    except (ArenaError, KeyError, TypeError, ValueError):
        return None  # not one of ours; that it was changed is found by its hash


def _differing(spec: MatchSpec, planned: MatchSpec | None) -> Iterator[str]:
    if planned is None:
        yield "the schedule of the tournament does not have it"
        return
    for name in _COMPARED:
        said, meant = getattr(spec, name), getattr(planned, name)
        if said != meant:
            yield f"its {name} is {_shown(said)}, and the schedule of the tournament says {_shown(meant)}"


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
