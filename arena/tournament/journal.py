"""The log of one tournament, as the cup writes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.archive import Sealed
from arena.errors import Conflict
from arena.record import Result
from arena.store import Store
from arena.tournament.definition import Definition


class StoreJournal:
    """A tournament's part of a store."""

    def __init__(self, store: Store, definition: Definition) -> None:
        self._store = store
        self._definition = definition

    def results(self) -> Iterator[Result]:
        plan = self._definition
        return self._store.results(plan.game, tournament=plan.name, unsettled=True)

    def attempts(self) -> dict[int, int]:
        return self._store.voids(self._definition.name)

    def write(self, records: Sequence[Sealed], through: int) -> None:
        name = self._definition.name
        if self._store.tournament(name).definition != self._definition.as_json():
            raise Conflict(f"a bot has joined {name} by another command, so this one has to stop: only one can play it")
        self._store.record(records, through)
