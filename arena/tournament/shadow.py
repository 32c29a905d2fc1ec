"""A bot in the place of another: asked at every turn of a recorded match what it would have done."""

from __future__ import annotations

import asyncio
from typing import Any

from arena.errors import BotFailed
from arena.launch import Manifest
from arena.record import MatchRecord, PlayedMove, Verdict
from arena.referee.clock import Clock
from arena.referee.seat import Seat
from arena.referee.verdict import Forfeit
from arena.replay import verify
from arena.tournament.house import House
from arena_rules import Game, game
from arena_rules.chance import derive
from arena_sdk.events import Event, GameEnded, GameStarted, MoveApplied, NewsWanted, SeatLeft, TurnRequested


async def shadow(record: MatchRecord, seat: int, manifest: Manifest) -> dict[int, str]:
    """The moves that a bot would have made for a seat, by turn. Raises BotFailed, BadRecord.

    It has at every turn the time that the seat had at its first. What it is shown is what came of the moves that were
    made, not of its own.
    """
    async with House({manifest.name: manifest}) as house:
        return await _Shadow(record, seat, await house.seat(manifest.name), manifest.name).follow()


class _Shadow:
    def __init__(self, record: MatchRecord, seat: int, player: Seat, name: str) -> None:
        self._record = record
        self._seat = seat
        self._player = player
        self._name = name
        self._rules: Game[Any] = game(record.spec.game)
        self._pending: list[Event] = [self._start()]
        self._moves: dict[int, str] = {}

    def _start(self) -> GameStarted:
        spec = self._record.spec
        options = self._rules.rules(spec.edition, spec.options)
        seed = derive(spec.seed, f"seat {self._seat}")
        return GameStarted(self._rules, options, len(spec.lineup), self._seat, seed, spec.time)

    async def follow(self) -> dict[int, str]:
        moves = self._record.moves
        before = None
        for position in verify(self._record):
            self._note(position.event, position.turn, before)
            before = position.state
            asked = position.turn < len(moves) and moves[position.turn].seat == self._seat
            if asked and before.to_move == self._seat and position.turn not in self._moves:
                await self._ask(position.turn, before.view(self._seat))
        self._player.hear([*self._pending, GameEnded(None, "The match was only looked at.")], 0, _ignore)
        return self._moves

    def _note(self, event: PlayedMove | Verdict | None, turn: int, before: Any) -> None:
        if event is None or event.seat == self._seat or self._player.news is NewsWanted.NEVER:
            return
        if isinstance(event, Verdict):
            self._pending.append(SeatLeft(turn, event.seat))
        else:
            told = before.told(self._rules.read_move(event.notation), self._seat)
            self._pending.append(MoveApplied(turn - 1, event.seat, told))

    async def _ask(self, turn: int, view: Any) -> None:
        clock = Clock(self._record.spec.time)
        answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        events, self._pending = [*self._pending, TurnRequested(turn, view, clock.left_ms)], []
        self._player.hear(events, clock.limit_ns, lambda answer, _: answered.set_result(answer))
        answer = await answered
        if isinstance(answer, Forfeit):
            raise BotFailed(f"{self._name}, as the reference, failed at move {turn + 1}: {answer}", answer.log_tail)
        self._moves[turn] = str(answer)


def _ignore(answer: Any, taken_ns: int | None) -> None:
    """There was no question."""
