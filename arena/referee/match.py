"""The match loop: view, ask, charge the clock, apply or give a verdict. Knows seats and rules, no gRPC, no process.

The loop is plain code that is called with every answer, and asks for the next one: no task and no future per turn. What
happens between an answer and the next question is where the time of a busy referee goes, and is kept short.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from time import monotonic_ns, time_ns
from typing import Any, Final

from arena.record import Entrant, MatchRecord, MatchSpec, PlayedMove, Verdict, VerdictKind
from arena.referee.clock import Clock, Now
from arena.referee.seat import Seat
from arena.referee.verdict import Forfeit
from arena_rules import IllegalMove, game
from arena_rules.chance import derive
from arena_sdk.events import Event, GameEnded, GameStarted, MoveApplied, NewsWanted, SeatLeft, TurnRequested


async def play_match(
    spec: MatchSpec,
    seats: Sequence[Seat],
    *,
    lineup: Sequence[Entrant] | None = None,
    in_flight: int = 1,
    now: Now = monotonic_ns,
    excuse: Excuse | None = None,
) -> MatchRecord:
    """Play one match from the deal to the record. A bot's failure is a verdict; only the arena's own faults raise.

    When a seat has let its time run out, ``excuse`` is asked: if it has one, the match is void.
    """
    started_us = time_ns() // 1000
    began = now()
    over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    match = Match(spec, seats, over, now, excuse or _no_excuse)
    void_reason = ""
    try:
        match.go_on()
        await over
    except Void as void:
        void_reason = str(void)
    finally:
        match.call_off()
    return MatchRecord(
        spec=spec,
        rules_version=match.game.rules_version,
        lineup=tuple(lineup or (Entrant(name) for name in spec.lineup)),
        moves=tuple(PlayedMove(seat, str(move), taken // 1000) for seat, move, taken in match.moves),
        outcome=match.state.outcome(),
        verdicts=tuple(match.verdicts),
        started_us=started_us,
        elapsed_us=(now() - began) // 1000,
        in_flight=in_flight,
        void_reason=void_reason,
        pardons=tuple(match.pardons),
    )


Excuse = Callable[[int, int], str]
"""Given a seat and how long it had, in nanoseconds until now, says why it is not to blame; empty if it is."""

PARDONED: Final = frozenset({VerdictKind.ILLEGAL, VerdictKind.UNREADABLE, VerdictKind.TIMED_OUT})
"""What a lenient match makes good with a random move."""


def _no_excuse(seat: int, limit_ns: int) -> str:
    return ""


class Void(Exception):
    """The match does not count, for a reason that is no seat's fault."""


class Match:
    """A match under way. Driven by the replies of its seats; when it has ended, or failed, it settles ``over``."""

    def __init__(
        self, spec: MatchSpec, seats: Sequence[Seat], over: asyncio.Future[None], now: Now, excuse: Excuse
    ) -> None:
        self.game = game(spec.game)
        self.options = self.game.rules(spec.edition, spec.options)
        self.state = self.game.deal(len(seats), spec.seed, self.options)
        self.moves: list[tuple[int, Any, int]] = []
        """Seat, move and nanoseconds taken."""
        self.verdicts: list[Verdict] = []
        self.pardons: list[Verdict] = []
        self._spec = spec
        self._excuse = excuse
        self._seats = seats
        self._over = over
        self._now = now
        self._clocks = [Clock(spec.time) for _ in seats]
        self._pending: list[list[Event]] = [[self._start(spec, seat)] for seat in range(len(seats))]
        """For each seat, what it has not been told yet: it rides along with its next turn."""
        self._listeners = [seat for seat, player in enumerate(seats) if player.news is not NewsWanted.NEVER]
        self._eager = [seat for seat, player in enumerate(seats) if player.news is NewsWanted.AT_ONCE]
        self._asked = -1
        """The seat that has been asked, or -1."""
        self._answer: tuple[Any, int | None] | None = None
        """What it has answered, until that is taken."""
        self._asked_ns = 0
        self._going_on = False

    def _start(self, spec: MatchSpec, seat: int) -> GameStarted:
        seed = derive(spec.seed, f"seat {seat}")
        return GameStarted(self.game, self.options, len(self._seats), seat, seed, spec.time)

    def go_on(self) -> None:
        """Ask and take answers until one has to be waited for, or the game is over."""
        self._going_on = True
        try:
            while not self._over.done():
                if self._answer is not None:
                    self._take(*self._answer)
                elif self._asked >= 0:
                    break
                elif self.state.to_move >= 0:
                    self._ask(self.state.to_move)
                else:
                    self._end()
        except Exception as error:  # noqa: BLE001 - whoever waits for the match shall have it
            self._over.set_exception(error)
        finally:
            self._going_on = False

    def call_off(self) -> None:
        """Let go of the seats, if the match has not come to its end."""
        if self.state.to_move >= 0:
            self._asked = -1
            self._close(GameEnded(None, "The game was called off."))

    def _ask(self, seat: int) -> None:
        state = self.state
        clock = self._clocks[seat]
        events = self._pending[seat]
        self._pending[seat] = []
        events.append(TurnRequested(state.turn, state.view(seat), clock.left_ms))
        self._asked = seat
        self._asked_ns = self._now()
        self._seats[seat].hear(events, clock.limit_ns, self._reply)

    def _reply(self, answer: Any, taken_ns: int | None) -> None:
        if self._asked >= 0:  # else the match has been called off
            self._answer = answer, taken_ns
            if not self._going_on:
                self.go_on()

    def _take(self, answer: Any, taken_ns: int | None) -> None:
        """Make of the answer what it is: a move, or the Forfeit that puts the seat out."""
        seat, self._asked, self._answer = self._asked, -1, None
        try:
            if isinstance(answer, Forfeit):
                raise answer
            if taken_ns is None:
                taken_ns = self._now() - self._asked_ns
            self._clocks[seat].charge(taken_ns)
            self._apply(seat, answer, taken_ns)
        except Forfeit as forfeit:
            self._judge(seat, forfeit)
        if self._eager:
            self._tell_eager()

    def _apply(self, seat: int, move: Any, taken_ns: int) -> None:
        state = self.state
        try:
            state.check(move)
        except IllegalMove as error:
            raise Forfeit(VerdictKind.ILLEGAL, str(error), answer=str(move)) from None
        for other in self._listeners:
            if other != seat and other not in state.left:
                self._pending[other].append(MoveApplied(state.turn, seat, state.told(move, other)))
        state.advance(move)  # the state is this match's own, and the move has been checked
        self.moves.append((seat, move, taken_ns))

    def _judge(self, seat: int, forfeit: Forfeit) -> None:
        if forfeit.kind is VerdictKind.TIMED_OUT and (reason := self._excuse(seat, self._clocks[seat].limit_ns)):
            raise Void(reason)
        if self._spec.lenient and forfeit.kind in PARDONED:
            self._pardon(seat, forfeit)
        else:
            self._put_out(seat, forfeit)

    def _pardon(self, seat: int, forfeit: Forfeit) -> None:
        turn = self.state.turn
        self.pardons.append(forfeit.verdict(seat, turn))
        chance = Random(derive(self._spec.seed, f"pardon {turn}"))
        self._apply(seat, self.state.random_move(chance), self._clocks[seat].limit_ns)

    def _put_out(self, seat: int, forfeit: Forfeit) -> None:
        turn = self.state.turn
        self.verdicts.append(forfeit.verdict(seat, turn))
        self.state = self.state.retire(seat)
        self._pending[seat] = []
        self._tell(seat, [GameEnded(None, forfeit.sentence)])
        for other in self._listeners:
            if other not in self.state.left:
                self._pending[other].append(SeatLeft(turn, seat))

    def _end(self) -> None:
        self._close(GameEnded(self.state.outcome()))
        self._over.set_result(None)

    def _close(self, end: GameEnded) -> None:
        """Tell all who are still in the game that it is over, after what they have not been told yet."""
        for seat in self._playing():
            self._tell(seat, [*self._pending[seat], end])

    def _tell_eager(self) -> None:
        for seat in self._eager:
            if self._pending[seat] and seat not in self.state.left:
                events, self._pending[seat] = self._pending[seat], []
                self._tell(seat, events)

    def _tell(self, seat: int, events: Sequence[Event]) -> None:
        self._seats[seat].hear(events, 0, _no_reply)

    def _playing(self) -> list[int]:
        return [seat for seat in range(len(self._seats)) if seat not in self.state.left]


def _no_reply(answer: Any, taken_ns: int | None) -> None:
    raise AssertionError("a seat has answered what was no question")
