"""Playing a tournament to its end: blocks from the schedule to an executor, records to the log, results back.

A result counts only when its record is in the log, so whatever a schedule has ever been told can be told to it again.
That is all there is to resuming: the schedule is asked from the beginning, and what is in the log is not played.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, Protocol

from arena.archive import Sealed
from arena.errors import ArenaError
from arena.record import MatchRecord, MatchSpec, Result
from arena.tournament.executor import Executor
from arena.tournament.house import EXCUSED
from arena.tournament.runner import again
from arena.tournament.schedule import Block, Schedule
from arena.tournament.scribe import Scribe
from arena.tournament.system import WAIT

ATTEMPTS: Final = EXCUSED + 3
"""How often a match is tried before the arena gives up."""
GATHERED_S: Final = 0.05
"""The least time between two transactions: what ends meanwhile is logged together, for a fraction of the price."""


class Journal(Protocol):
    """The log of one tournament."""

    def results(self) -> Iterator[Result]:
        """What has been played before, by index."""

    def attempts(self) -> dict[int, int]:
        """How often matches came out void that have no result yet, by index."""

    def write(self, records: Sequence[Sealed], through: int) -> None:
        """Make records last, if they are not there yet.

        ``through`` is how many matches from the first on have their result by now. Raises Away, or another StoreError.
        """


class Spectator(Protocol):
    """Who watches a tournament."""

    def resumed(self, result: Result) -> None:
        """A match was played before."""

    def played(self, record: MatchRecord) -> None:
        """A match was played now; it may be void."""

    def waits(self, reason: str) -> None:
        """The tournament has to wait, for a reason that people should know."""


async def play(schedule: Schedule, executor: Executor, journal: Journal, spectator: Spectator) -> None:
    """Play what the schedule says and the log does not have. When it is cancelled, what is logged stays logged."""
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="log") as thread:
        scribe = Scribe(journal, thread, spectator.waits)
        cup = _Cup(schedule, executor, _Past(journal), scribe, spectator)
        try:
            await cup.play()
        finally:
            await cup.close()


class _Past:
    """What was played before, given out in the order of the schedule."""

    def __init__(self, journal: Journal) -> None:
        self._results = journal.results()
        self._next = next(self._results, None)
        self._attempts = journal.attempts()

    def result(self, spec: MatchSpec) -> Result | None:
        """The result of a match, if it has one. To be asked in the order of the schedule."""
        result = self._next
        if result is None or result.index > spec.index:
            return None
        if (result.index, result.bots) != (spec.index, spec.lineup):
            raise ArenaError(
                f"the log of {spec.tournament} does not fit its schedule: match {result.index} was played by "
                f"{', '.join(result.bots)}, and now match {spec.index} is for {', '.join(spec.lineup)}; it was made by "
                "another version of arena, or changed"
            )
        self._next = next(self._results, None)
        return result

    def attempt(self, spec: MatchSpec) -> MatchSpec:
        """The match as it is to be played now."""
        for _ in range(self._attempts.get(spec.index, 0)):
            spec = again(spec)
        return spec


class _Cup:
    def __init__(
        self,
        schedule: Schedule,
        executor: Executor,
        past: _Past,
        scribe: Scribe,
        spectator: Spectator,
    ) -> None:
        self._schedule = schedule
        self._executor = executor
        self._past = past
        self._scribe = scribe
        self._spectator = spectator
        self._matches: set[asyncio.Task[None]] = set()
        """Those that the schedule has given and that are not in the log."""
        self._at_table = 0
        """How many of them the executor has."""
        self._idle = asyncio.Event()
        """It has none, so all wait for the log."""
        self._news = asyncio.Event()
        """A table is free, or a match is in the log."""
        self._finished: list[tuple[Sealed, asyncio.Future[None]]] = []
        """Records on their way to the log, with whom to tell when they are there."""
        self._writing: asyncio.Task[None] | None = None
        self._written_s = -GATHERED_S

    async def play(self) -> None:
        while True:
            block = self._schedule.next() if self._at_table < self._executor.capacity else WAIT
            if isinstance(block, Block):
                self._begin(block)
            elif self._matches:
                await self._go_on()
            elif block is None:
                self._schedule.finish()
                return

    async def close(self) -> None:
        """Call off what is being played, and see what is being written to its end."""
        self._scribe.hurry()
        for match in self._matches:
            match.cancel()
        await asyncio.gather(*self._matches, return_exceptions=True)
        if self._writing is not None:
            await asyncio.gather(self._writing, return_exceptions=True)

    def _begin(self, block: Block) -> None:
        for spec in block.specs:
            result = self._past.result(spec)
            if result is not None:
                self._schedule.take(result)
                self._spectator.resumed(result)
            else:
                self._sit_down()
                match = asyncio.create_task(self._match(self._past.attempt(spec)))
                match.add_done_callback(lambda _: self._news.set())
                self._matches.add(match)

    def _sit_down(self) -> None:
        self._at_table += 1
        self._idle.clear()

    def _get_up(self) -> None:
        self._at_table -= 1
        self._news.set()  # the next match need not wait for the log
        if not self._at_table:
            self._idle.set()

    async def _go_on(self) -> None:
        """Returns when there may be something to do."""
        await self._news.wait()
        self._news.clear()
        for match in [match for match in self._matches if match.done()]:
            self._matches.remove(match)
            match.result()

    async def _match(self, spec: MatchSpec) -> None:
        """Play a match until it counts."""
        while True:
            sealed = await self._executor.play(spec)
            self._get_up()
            await self._log(sealed)
            record = sealed.record
            self._spectator.played(record)
            if record.outcome is not None:
                return
            if spec.attempt + 1 >= ATTEMPTS:
                raise ArenaError(
                    f"match {spec.tournament}/{spec.index} was void {ATTEMPTS} times, the last time because: "
                    f"{record.void_reason} Mend that, then resume the tournament"
                )
            self._executor.ease()
            self._sit_down()
            spec = again(spec)

    async def _log(self, sealed: Sealed) -> None:
        """Returns when the record is in the log, and the schedule knows of it."""
        logged: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._finished.append((sealed, logged))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_on())
        await logged

    async def _write_on(self) -> None:
        """Write whatever has gathered, as one transaction, until nothing is left."""
        while self._finished:
            await self._gather()
            batch, self._finished = self._finished, []
            results = [Result.of(sealed.record) for sealed, _ in batch if sealed.record.outcome is not None]
            through = self._schedule.settled_with(result.index for result in results)
            try:
                await self._scribe.write([sealed for sealed, _ in batch], through)
            except Exception as error:  # noqa: BLE001 - those who wait for it shall have it
                for _, logged in batch:
                    logged.set_exception(error)
                continue
            for result in results:
                self._schedule.take(result)
            for _, logged in batch:
                if not logged.done():
                    logged.set_result(None)

    async def _gather(self) -> None:
        """Wait until it is time for a transaction. For matches that end now and then that is at once."""
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self._written_s + GATHERED_S):
                await self._idle.wait()
        self._written_s = asyncio.get_running_loop().time()
