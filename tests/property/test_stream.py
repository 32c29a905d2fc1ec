"""Whatever a bot says on its stream, in whatever order: the referee keeps its head, and the game ends with a result."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.record import MatchRecord, MatchSpec
from arena.referee.connection import Connection
from arena.referee.door import read_request
from arena.referee.floor import Floor
from arena.referee.match import play_match
from arena.referee.seat import ScriptedSeat
from arena.referee.verdict import SENTENCES
from arena.replay import verify
from arena_sdk.events import NewsWanted, TimeControl
from arena_sdk.v1 import codex_pb2, shelfie_pb2
from arena_sdk.v1 import referee_pb2 as pb
from tests.unit.referee.table import first

SEQUENCES = int(os.environ.get("ARENA_FUZZ", "2000"))
"""How many are tried; the soak tries more."""
PATIENCE = 10.0

Say = Callable[[pb.RefereeEvent], bytes]
"""What is said, given the turn that was last asked."""


class Line:
    """A stream whose other end says its piece, one thing for each time that it is asked or heard, and hangs up."""

    def __init__(self, piece: Sequence[Say]) -> None:
        self._piece = iter(piece)
        self._asked = pb.RefereeEvent()
        self._woken = asyncio.Event()

    async def write(self, response: pb.PlayResponse) -> None:
        for event in response.events:
            if event.HasField("turn_requested"):
                self._asked = event
                self._woken.set()

    async def read(self) -> Any:
        await self._woken.wait()
        await asyncio.sleep(0)
        say = next(self._piece, None)
        return read_request(say(self._asked)) if say else b""


def good(asked: pb.RefereeEvent, **changes: Any) -> pb.BotEvent:
    """The first move there is, unless something about it is changed."""
    choices = asked.turn_requested.shelfie_choices
    chosen = pb.MoveChosen(turn=changes.get("turn", asked.turn_requested.turn))
    chosen.shelfie.cells = changes.get("cells", choices.lines[:1])
    chosen.shelfie.column = changes.get("column", next((at for at, room in enumerate(choices.free) if room), 0))
    return pb.BotEvent(game=changes.get("game", asked.game), move_chosen=chosen)


numbers = st.sampled_from([0, 1, 2, 3, 5, 2**31, 2**32 - 1])
fields = st.fixed_dictionaries(
    {}, optional={"turn": numbers, "column": numbers, "game": numbers, "cells": st.binary(max_size=5)}
)
notations = st.one_of(st.text(max_size=30), st.sampled_from(["", "a1>1", "e5>1", "1a1", "\x00", "x" * 5_000]))

strange_moves = st.builds(
    pb.MoveChosen,
    turn=numbers,
    shelfie=st.none() | st.builds(shelfie_pb2.ShelfieMove, cells=st.binary(max_size=5), column=numbers),
    codex=st.none() | st.builds(codex_pb2.CodexMove),
)
events = st.one_of(
    st.builds(pb.BotEvent),
    st.builds(pb.BotEvent, game=numbers),
    st.builds(pb.BotEvent, game=numbers, join=st.builds(pb.Join, token=st.text(max_size=5), games_at_once=numbers)),
    st.builds(pb.BotEvent, game=numbers, move_chosen=strange_moves),
    st.builds(pb.BotEvent, game=numbers, move_chosen=st.builds(pb.MoveChosen, turn=numbers, notation=notations)),
)


def fixed(data: bytes) -> Say:
    return lambda asked: data


def batch(some: Sequence[pb.BotEvent]) -> Say:
    return fixed(pb.PlayRequest(events=some).SerializeToString())


def answer(changes: dict[str, Any], times: int) -> Say:
    return lambda asked: pb.PlayRequest(events=[good(asked, **changes)] * times).SerializeToString()


def cut(length: int) -> Say:
    return lambda asked: pb.PlayRequest(events=[good(asked)]).SerializeToString()[:-length]


pieces = st.lists(
    st.one_of(
        st.builds(answer, st.just({}), st.just(1)),
        st.builds(answer, fields, st.sampled_from([1, 1, 1, 2, 100])),
        st.builds(batch, st.lists(events, max_size=4)),
        st.builds(cut, st.integers(1, 8)),
        st.builds(fixed, st.binary(max_size=40)),
        st.builds(fixed, st.just(b"\x0a" * 70_000)),
    ),
    max_size=12,
)


async def played(piece: Sequence[Say], games: int) -> list[MatchRecord]:
    connection = Connection(Line(piece), pb.Join(games_at_once=games), Floor())
    specs = [MatchSpec(n, "shelfie", "en-2022", ("odd", "even"), n, TimeControl()) for n in range(games)]
    serving = asyncio.create_task(connection.serve())
    steady = [ScriptedSeat(repeat(first), news=NewsWanted.NEVER) for _ in specs]
    async with asyncio.timeout(PATIENCE):
        matches = [play_match(spec, [connection.seat(), other]) for spec, other in zip(specs, steady, strict=True)]
        records = await asyncio.gather(*matches)
        await serving
    return records


@settings(max_examples=SEQUENCES, deadline=None, suppress_health_check=list(HealthCheck))
@given(piece=pieces, games=st.integers(1, 3))
def test_any_sequence_of_messages(piece: list[Say], games: int) -> None:
    """No message, and no sequence of them, makes the referee raise, hang, or end a game without a finding."""
    with asyncio.Runner() as runner:
        strange: list[dict[str, Any]] = []
        runner.get_loop().set_exception_handler(lambda _, context: strange.append(context))
        for record in runner.run(played(piece, games)):
            assert record.outcome is not None
            assert [verdict.seat for verdict in record.verdicts] == [0], "it hangs up before the end"
            assert record.verdicts[0].kind in SENTENCES
            assert record.verdicts[0].detail.endswith(".")
            verify(record)
    assert strange == []


@settings(max_examples=SEQUENCES, deadline=None)
@given(
    data=st.one_of(st.binary(max_size=200), st.builds(lambda some: batch(some)(pb.RefereeEvent()), st.lists(events)))
)
def test_any_bytes(data: bytes) -> None:
    """Bytes are a message, or a finding that can be told; reading them never raises."""
    found = read_request(data)
    assert isinstance(found, pb.PlayRequest) or found.kind in SENTENCES


def test_nothing_is_logged_in_anger(caplog: pytest.LogCaptureFixture) -> None:
    """A babbling bot is no reason for a line in the log of the arena."""
    with caplog.at_level(logging.WARNING), asyncio.Runner() as runner:
        runner.run(played([fixed(b"\xff"), fixed(b"x" * 70_000)], 2))
    assert caplog.records == []
