"""A referee in a process of its own: specs in, records out, until nobody asks any more.

Run as ``python -m arena.tournament.worker FD``, where FD is one end of a socket pair. The first message is the
`Assignment` in JSON; each further one is a serialised MatchSpec, and each answer a serialised MatchRecord, in the order
in which matches end. When the other end closes, the worker sends its bots home and ends.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import traceback
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import time_ns

from arena.archive import seal, spec_from_wire
from arena.launch import read_manifest
from arena.record import Entrant, MatchRecord, MatchSpec
from arena.tournament.channel import Channel
from arena.tournament.house import House
from arena.tournament.runner import run
from arena_rules import game
from arena_sdk.v1 import record_pb2 as wire


@dataclass(frozen=True, slots=True)
class Contender:
    """A bot that plays in a tournament: who it is, and where its files are."""

    entrant: Entrant
    folder: Path
    trusted: bool = True
    """Whether it may run where there is no sandbox."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a worker has to know before its first match."""

    contenders: Mapping[str, Contender]
    """By the names that line-ups have for them."""
    in_flight: int = 1
    core: int | None = None
    """The one that the worker and its bots are to keep to."""

    def to_json(self) -> bytes:
        contenders = {
            name: {"entrant": asdict(one.entrant), "folder": str(one.folder), "trusted": one.trusted}
            for name, one in self.contenders.items()
        }
        return json.dumps({"contenders": contenders, "in_flight": self.in_flight, "core": self.core}).encode()

    @classmethod
    def from_json(cls, text: bytes) -> Assignment:
        form = json.loads(text)
        contenders = {
            name: Contender(Entrant(**one["entrant"]), Path(one["folder"]), one["trusted"])
            for name, one in form["contenders"].items()
        }
        return cls(contenders, form["in_flight"], form["core"])


async def serve(channel: Channel) -> None:
    """Play what is asked for until the other end closes."""
    first = await channel.receive()
    if first is None:
        return
    assignment = Assignment.from_json(first)
    if assignment.core is not None:
        os.sched_setaffinity(0, {assignment.core})
    bots = {
        name: replace(read_manifest(one.folder), trusted=one.trusted) for name, one in assignment.contenders.items()
    }
    entrants = {name: one.entrant for name, one in assignment.contenders.items()}
    async with House(bots, entrants, measure=True) as house, asyncio.TaskGroup() as group:
        tables = asyncio.Semaphore(assignment.in_flight)
        matches: set[asyncio.Task[None]] = set()

        async def play(spec: MatchSpec) -> None:
            async with tables:
                record = await _played(house, spec, assignment)
            channel.send(seal(record).message)
            await channel.flush()

        while (message := await channel.receive()) is not None:
            match = group.create_task(play(spec_from_wire(wire.MatchSpec.FromString(message))))
            matches.add(match)
            match.add_done_callback(matches.discard)
        for match in matches:
            match.cancel()


async def _played(house: House, spec: MatchSpec, assignment: Assignment) -> MatchRecord:
    """The record of a match. When the arena itself fails, the match is void, and the reason goes to the log as well."""
    try:
        return await house.play(spec, assignment.in_flight)
    except Exception as error:  # noqa: BLE001 - whatever it is, it must not cost the other matches
        traceback.print_exc()
        entrants = tuple(assignment.contenders[name].entrant for name in spec.lineup)
        return void(spec, entrants, f"The arena failed: {type(error).__name__}: {error}.")


def void(spec: MatchSpec, entrants: tuple[Entrant, ...], reason: str) -> MatchRecord:
    """The record of a match that could not be played, for a reason that is no bot's."""
    return MatchRecord(
        spec=spec,
        rules_version=game(spec.game).rules_version,
        lineup=entrants,
        moves=(),
        outcome=None,
        verdicts=(),
        started_us=time_ns() // 1000,
        elapsed_us=0,
        void_reason=reason,
    )


async def _main(end: socket.socket) -> None:
    channel = await Channel.on(end)
    try:
        await serve(channel)
    finally:
        channel.close()


if __name__ == "__main__":
    run(_main(socket.socket(fileno=int(sys.argv[1]))))
