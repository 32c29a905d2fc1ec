"""Games played again by the rules, in as many processes as there are cores."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Final, NamedTuple, TypeVar

from arena.archive import parse
from arena.errors import BadRecord
from arena.record import MatchRecord
from arena.replay import positions

T = TypeVar("T")

_ALONE: Final = 2_000
"""So many games are replayed sooner than other processes are started."""
_CHUNK: Final = 200
"""Games that a process takes at once."""


class Replay(NamedTuple):
    """What came of a record that was played again."""

    moves: int
    problem: str
    """Where the record and the rules part, in words; empty when they agree."""


def replay(message: bytes) -> Replay:
    """Play a serialised record again. Where there is none, there is nothing to say."""
    moves = 0
    if not message:
        return Replay(moves, "")
    try:
        record = parse(message)
        if problem := misshapen(record):
            return Replay(moves, problem)
        for position in positions(record):
            moves = position.turn
    except BadRecord as error:
        return Replay(moves, str(error))
    return Replay(moves, "")


def misshapen(record: MatchRecord) -> str:
    """Whether a record speaks of seats that its table does not have, in words; empty when it does not."""
    players = len(record.lineup)
    seats = [move.seat for move in record.moves]
    seats += [verdict.seat for verdict in (*record.verdicts, *record.pardons)]
    if max(seats, default=0) >= players:
        return f"it speaks of seat {max(seats)}, and {players} bots played"
    results = players if record.outcome is None else len(record.outcome.ranks)
    if results != players or len(record.efforts) not in {0, players}:
        return f"{players} bots played, and it has results for {results} and efforts for {len(record.efforts)} of them"
    return ""


def replays(messages: Iterable[tuple[T, bytes]], jobs: int) -> Iterator[tuple[T, Replay]]:
    """Each message played again, in their order, with what it came with. Few of them are in memory at a time."""
    source = iter(messages)
    alone = source if jobs == 1 else islice(source, _ALONE)
    for name, message in alone:
        yield name, replay(message)
    chunk = list(islice(source, _CHUNK))
    if chunk:
        yield from _shared(chunk, source, jobs)


def _shared(chunk: list[tuple[T, bytes]], source: Iterator[tuple[T, bytes]], jobs: int) -> Iterator[tuple[T, Replay]]:
    """This chunk and all after it, replayed by so many processes."""
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting: deque[tuple[list[T], Future[list[Replay]]]] = deque()
        while chunk or waiting:
            if chunk:
                names, packed = [name for name, _ in chunk], [message for _, message in chunk]
                waiting.append((names, pool.submit(_replay_all, packed)))
                chunk = list(islice(source, _CHUNK))
            if len(waiting) > 2 * jobs or not chunk:
                names, future = waiting.popleft()
                yield from zip(names, future.result(), strict=True)


def _replay_all(messages: list[bytes]) -> list[Replay]:
    return [replay(message) for message in messages]
