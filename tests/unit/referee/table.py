"""A table for the referee: specs, players who do as they are told, and a clock in the test's hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any

from arena.record import MatchRecord, MatchSpec, VerdictKind
from arena.referee.match import play_match
from arena.referee.seat import Line, ScriptedSeat
from arena.referee.verdict import Forfeit
from arena_sdk import TimeControl
from arena_sdk.events import Event, NewsWanted, TurnRequested

NAMES = ("ann", "bob", "cleo", "dan")
UNLIMITED = TimeControl()
MS = 1_000_000
"""Nanoseconds in a millisecond."""

Answer = Callable[[TurnRequested], Any]


def spec_of(players: int = 2, *, seed: int = 7, edition: str = "en-2022", time: TimeControl = UNLIMITED) -> MatchSpec:
    return MatchSpec(0, "shelfie", edition, NAMES[:players], seed, time)


def first(turn: TurnRequested) -> Any:
    """The first legal move."""
    return turn.view.legal_moves()[0]


def steady(news: NewsWanted = NewsWanted.WITH_TURN) -> ScriptedSeat:
    """A player who always takes the first legal move."""
    return ScriptedSeat(repeat(first), news=news)


def until(turns: int, then: Line, news: NewsWanted = NewsWanted.WITH_TURN) -> ScriptedSeat:
    """A player who takes the first legal move so many times and then does something else, once."""
    script: list[Line] = [*repeat(first, turns), then]
    return ScriptedSeat(script, news=news)


def out(kind: VerdictKind = VerdictKind.DISCONNECTED, detail: str = "") -> Forfeit:
    return Forfeit(kind, detail)


async def never(turn: TurnRequested) -> Any:
    """Does not answer, ever."""
    await asyncio.Event().wait()


class Watch:
    """A clock that stands still unless it is moved. With it, players can take exactly as long as a test wants."""

    def __init__(self) -> None:
        self.ns = 5_000_000_000

    def __call__(self) -> int:
        return self.ns

    def taking(self, ns: int) -> Answer:
        """The first legal move, after so many nanoseconds."""

        def answer(turn: TurnRequested) -> Any:
            self.ns += ns
            return first(turn)

        return answer

    def player(self, times: Iterable[int]) -> ScriptedSeat:
        """A player whose moves take so many nanoseconds, one after the other."""
        return ScriptedSeat(map(self.taking, times))


async def played(
    seats: Sequence[ScriptedSeat], watch: Watch | None = None, *, time: TimeControl = UNLIMITED, seed: int = 7
) -> MatchRecord:
    """The record of a match between these players."""
    spec = spec_of(len(seats), time=time, seed=seed)
    return await play_match(spec, seats, now=watch) if watch else await play_match(spec, seats)


def told(seat: ScriptedSeat, *kinds: type[Event]) -> list[Any]:
    """The events of these kinds that a player has heard, in order."""
    return [event for event in seat.heard if isinstance(event, kinds)]


def without_times(record: MatchRecord) -> MatchRecord:
    """The same record with nothing in it that a clock has a say in."""
    moves = tuple(replace(move, think_us=0) for move in record.moves)
    return replace(record, moves=moves, started_us=0, elapsed_us=0)
