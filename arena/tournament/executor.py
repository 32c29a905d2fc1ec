"""Where matches are played. The runner of a tournament knows executors only by what `Executor` says."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Final, Protocol, Self

from arena.archive import Sealed, from_wire, seal, spec_to_wire
from arena.record import MatchSpec
from arena.tournament.channel import Channel
from arena.tournament.worker import Assignment, Contender, void
from arena_sdk.v1 import record_pb2 as wire

AHEAD: Final = 1
"""How many matches wait at each worker for those in play, so that it never waits for the next one."""
FAREWELL_SECONDS: Final = 5.0
"""How long a worker may take to send its bots home."""


class Executor(Protocol):
    """Plays matches somewhere."""

    @property
    def capacity(self) -> int:
        """How many matches it wants to have at once."""

    async def play(self, spec: MatchSpec) -> Sealed:
        """Play a match. It is void when the arena failed; a bot's failure is a result."""

    def ease(self) -> None:
        """The machine is overloaded: play fewer matches at once from now on."""


def cores() -> list[int]:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


class LocalExecutor:
    """Referees on this machine, each in a process of its own that keeps to one core with its bots.

    At most one bot of a match thinks at a time, so a core for each referee is what fair clocks need. Use as an async
    context manager.
    """

    def __init__(self, contenders: Mapping[str, Contender], *, jobs: int, in_flight: int = 1) -> None:
        self._contenders = contenders
        self._jobs = jobs
        self._in_flight = in_flight
        self._crew: list[Worker] = []
        """Those that are given matches. They are hired when there is a first match."""
        self._hiring = asyncio.Lock()
        self._started: list[Worker] = []
        self._homes: dict[int, Worker] = {}
        """Which worker has matches of a block: the others of that block go there too, where their bots are."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(worker.dismissed() for worker in self._started))

    async def _hire(self, assignment: Assignment) -> Worker:
        worker = await Worker.started(assignment)
        self._started.append(worker)
        return worker

    async def _hire_crew(self) -> None:
        places = cores()
        pinned = self._jobs <= len(places) and hasattr(os, "sched_setaffinity")
        for number in range(self._jobs):
            core = places[-1 - number] if pinned else None
            self._crew.append(await self._hire(Assignment(self._contenders, self._in_flight, core)))

    @property
    def capacity(self) -> int:
        return (len(self._crew) or self._jobs) * (self._in_flight + AHEAD)

    async def play(self, spec: MatchSpec) -> Sealed:
        async with self._hiring:
            if not self._crew:
                await self._hire_crew()
        worker = self._homes.get(spec.block)
        if worker is None or worker not in self._crew:
            worker = self._homes[spec.block] = min(self._crew, key=lambda one: one.matches)
        record = await worker.play(spec)
        if not worker.has_block(spec.block):
            self._homes.pop(spec.block, None)
        if worker.gone:
            await self._replace(worker)
        return record

    async def _replace(self, worker: Worker) -> None:
        """Hire somebody in the place of a worker that is gone, once, however many matches it had."""
        async with self._hiring:
            if worker in self._crew:
                successor = await self._hire(worker.assignment)
                self._crew = [successor if one is worker else one for one in self._crew]

    def ease(self) -> None:
        # The last worker finishes what it has; it is asked for nothing more.
        if len(self._crew) > 1:
            self._crew.pop()


class Worker:
    """A worker process, seen from the arena that started it."""

    def __init__(self, assignment: Assignment, process: subprocess.Popen[bytes], channel: Channel) -> None:
        self.assignment = assignment
        self.gone = False
        """Whether it has ended without being asked to."""
        self._process = process
        self._channel = channel
        self._waiting: dict[tuple[int, int], tuple[MatchSpec, asyncio.Future[Sealed]]] = {}
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def started(cls, assignment: Assignment) -> Worker:
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(  # noqa: ASYNC220 - it does not wait for anything
                [sys.executable, "-m", "arena.tournament.worker", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C is for the arena, which then tells its workers
            )
        channel = await Channel.on(ours)
        channel.send(assignment.to_json())
        return cls(assignment, process, channel)

    @property
    def matches(self) -> int:
        return len(self._waiting)

    def has_block(self, block: int) -> bool:
        return any(spec.block == block for spec, _ in self._waiting.values())

    async def play(self, spec: MatchSpec) -> Sealed:
        record: asyncio.Future[Sealed] = asyncio.get_running_loop().create_future()
        self._waiting[spec.index, spec.attempt] = spec, record
        self._channel.send(spec_to_wire(spec).SerializeToString())
        if self.gone:
            self._give_up()
        return await record

    async def dismissed(self) -> None:
        """Ask it to end, and see that it does, with all its bots."""
        self._channel.close()
        try:
            await asyncio.to_thread(self._process.wait, FAREWELL_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()  # its bots are on a leash
            self._process.wait()
        finally:
            self._listening.cancel()

    async def _listen(self) -> None:
        while (message := await self._channel.receive()) is not None:
            record = from_wire(wire.MatchRecord.FromString(message))
            _, waiting = self._waiting.pop((record.spec.index, record.spec.attempt))
            if not waiting.done():
                waiting.set_result(Sealed(record, message))
        self.gone = True
        self._give_up()

    def _give_up(self) -> None:
        """The worker has died: what it was playing is void."""
        for spec, waiting in self._waiting.values():
            entrants = tuple(self.assignment.contenders[name].entrant for name in spec.lineup)
            if not waiting.done():
                waiting.set_result(seal(void(spec, entrants, "The referee's process ended before the match did.")))
        self._waiting.clear()
