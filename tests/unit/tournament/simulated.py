"""A tournament without bots: results by a rule, a log in memory, an executor that ends matches in any order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from random import Random

from arena.archive import Sealed, seal
from arena.record import Entrant, MatchRecord, MatchSpec, Result, Verdict, VerdictKind
from arena.tournament.definition import Definition
from arena.tournament.system import WAIT, Length, Played, Sitting, System, Wait
from arena.tournament.worker import void
from arena_rules import Outcome, Score, Termination
from arena_sdk.events import TimeControl


def a_definition(*bots: str, **changes: object) -> Definition:
    values = {
        "name": "cup",
        "game": "shelfie",
        "edition": "it",
        "players": (2,),
        "system": "round-robin",
        "bots": bots or ("ann", "bob", "cy"),
        "seed": 7,
        "time": TimeControl(),
    }
    return Definition(**(values | changes))  # type: ignore[arg-type]


def record_of(spec: MatchSpec, ranks: Sequence[int], forfeits: Sequence[int] = ()) -> MatchRecord:
    """The record of a match that ended so, without its moves."""
    scores = tuple(Score((("points", 10 * (5 - rank)),)) for rank in ranks)
    return MatchRecord(
        spec=spec,
        rules_version="1",
        lineup=tuple(Entrant(name) for name in spec.lineup),
        moves=(),
        outcome=Outcome(tuple(ranks), scores, Termination.COMPLETED),
        verdicts=tuple(Verdict(seat, VerdictKind.CRASHED, 0, "It fell.") for seat in forfeits),
        started_us=1,
        elapsed_us=1,
    )


def by_name(spec: MatchSpec) -> MatchRecord:
    """The first name in the alphabet wins."""
    order = sorted(spec.lineup)
    return record_of(spec, [order.index(bot) + 1 for bot in spec.lineup])


class Pairs(System):
    """Every pair so many times; with ``patient``, each time around only when all is known of the time before."""

    def __init__(self, bots: Sequence[str], times: int, *, patient: bool = False) -> None:
        self._sittings = [Sitting(pair, f"round {time}") for time in range(times) for pair in combinations(bots, 2)]
        self._pairs = len(self._sittings) // times
        self._patient = patient
        self._given = 0
        self.calls: list[object] = []
        """What was asked and told, in order."""
        self.out: set[str] = set()

    @property
    def length(self) -> Length:
        return Length.of(len(self._sittings))

    def next(self) -> Sitting | Wait | None:
        answer = self._answer()
        self.calls.append(answer)
        return answer

    def _answer(self) -> Sitting | Wait | None:
        while self._given < len(self._sittings):
            learned = sum(isinstance(call, Played) for call in self.calls)
            if self._patient and learned < self._given // self._pairs * self._pairs:
                return WAIT
            sitting = self._sittings[self._given]
            self._given += 1
            if not self.out.intersection(sitting.lineup):
                return sitting
        return None

    def learn(self, played: Played) -> None:
        self.calls.append(played)

    def withdraw(self, bot: str) -> None:
        self.calls.append(bot)
        self.out.add(bot)


class MemoryJournal:
    """A log that forgets nothing but what was never written."""

    def __init__(self) -> None:
        self.records: list[MatchRecord] = []
        self.through = 0

    def results(self) -> Iterator[Result]:
        return iter(sorted(map(Result.of, self._counting()), key=lambda result: result.index))

    def attempts(self) -> dict[int, int]:
        void = [record.spec for record in self.records if record.outcome is None]
        return {spec.index: spec.attempt + 1 for spec in void}

    def write(self, records: Sequence[Sealed], through: int) -> None:
        self.records += [sealed.record for sealed in records]
        self.through = through

    def _counting(self) -> list[MatchRecord]:
        return [record for record in self.records if record.outcome is not None]


class Shuffling:
    """An executor that ends matches in an order of its own, and may fail after so many."""

    def __init__(
        self,
        capacity: int,
        chance: Random,
        *,
        plays: Callable[[MatchSpec], MatchRecord] = by_name,
        breaks_after: int | None = None,
    ) -> None:
        self.capacity = capacity
        self.eased = 0
        self.played: list[MatchSpec] = []
        self._chance = chance
        self._plays = plays
        self._breaks_after = breaks_after

    async def play(self, spec: MatchSpec) -> Sealed:
        for _ in range(self._chance.randrange(5)):
            await asyncio.sleep(0)
        if len(self.played) == self._breaks_after:
            raise Broken
        self.played.append(spec)
        return seal(self._plays(spec))

    def ease(self) -> None:
        self.eased += 1


class Broken(Exception):
    """The machine has gone."""


def void_first(spec: MatchSpec) -> MatchRecord:
    """Every third match is void when it is first played."""
    if spec.index % 3 == 0 and spec.attempt == 0:
        return void(spec, tuple(Entrant(name) for name in spec.lineup), "The machine stood still.")
    return by_name(spec)


class Audience:
    """Who counts what it sees."""

    def __init__(self) -> None:
        self.resumed_indices: list[int] = []
        self.records: list[MatchRecord] = []
        self.reasons: list[str] = []

    def waits(self, reason: str) -> None:
        self.reasons.append(reason)

    def resumed(self, result: Result) -> None:
        self.resumed_indices.append(result.index)

    def played(self, record: MatchRecord) -> None:
        self.records.append(record)
