"""The match loop: view, ask, charge the clock, apply or give a verdict. Knows seats and rules, no gRPC, no process."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic_ns, time_ns
from typing import Any

from arena.record import Entrant, MatchRecord, MatchSpec, PlayedMove, Verdict, VerdictKind
from arena.referee.clock import Alarm, Clock, Now
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
) -> MatchRecord:
    """Play one match from the deal to the record. A bot's failure is a verdict; only the arena's own faults raise."""
    started_us = time_ns() // 1000
    began = now()
    match = _Match(spec, seats, now)
    try:
        await match.play()
    finally:
        match.alarm.close()
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
    )


class _Match:
    """A match under way. The path of a turn is kept short: turns are where the time goes."""

    def __init__(self, spec: MatchSpec, seats: Sequence[Seat], now: Now) -> None:
        self.game = game(spec.game)
        self.seats = seats
        self.options = self.game.rules(spec.edition, spec.options)
        self.state = self.game.deal(len(seats), spec.seed, self.options)
        self.now = now
        self.clocks = [Clock(spec.time) for _ in seats]
        self.alarm = Alarm(now)
        self.moves: list[tuple[int, Any, int]] = []
        """Seat, move and nanoseconds taken."""
        self.verdicts: list[Verdict] = []
        self.pending: list[list[Event]] = [[self._start(spec, seat)] for seat in range(len(seats))]
        """For each seat, what it has not been told yet: it rides along with its next turn."""
        self.listeners = [seat for seat, player in enumerate(seats) if player.news is not NewsWanted.NEVER]
        self.eager = [seat for seat, player in enumerate(seats) if player.news is NewsWanted.AT_ONCE]

    def _start(self, spec: MatchSpec, seat: int) -> GameStarted:
        seed = derive(spec.seed, f"seat {seat}")
        return GameStarted(self.game, self.options, len(self.seats), seat, seed, spec.time)

    async def play(self) -> None:
        state = self.state
        while (seat := state.to_move) >= 0:
            try:
                move, taken = await self._ask(seat)
            except Forfeit as forfeit:
                self._put_out(seat, forfeit)
                state = self.state
                await self._send(seat, [GameEnded(None, forfeit.sentence)])
            else:
                if self.listeners:
                    self._spread(seat, move)
                state.advance(move)  # the state is this match's own, and the move has been checked
                self.moves.append((seat, move, taken))
            if self.eager:
                await self._tell_eager()
        end = GameEnded(state.outcome())
        for seat in self._playing():
            await self._send(seat, [*self.pending[seat], end])

    async def _ask(self, seat: int) -> tuple[Any, int]:
        """The seat's move, checked against the rules, and the nanoseconds it took. Raises Forfeit."""
        state = self.state
        clock = self.clocks[seat]
        events = self.pending[seat]
        self.pending[seat] = []
        events.append(TurnRequested(state.turn, state.view(seat), clock.left_ms))
        started = self.now()
        if clock.limit_ns:
            self.alarm.set(started, clock.limit_ns)
        try:
            move = await self.seats[seat].hear(events)
        except CancelledError:
            if self.alarm.explains_cancellation():
                raise clock.overrun() from None
            raise
        finally:
            self.alarm.off()
        taken = self.now() - started
        clock.charge(taken)
        try:
            state.check(move)
        except IllegalMove as error:
            raise Forfeit(VerdictKind.ILLEGAL, str(error)) from None
        return move, taken

    def _spread(self, seat: int, move: Any) -> None:
        """Note the move for all others who listen, before it is made."""
        state = self.state
        for other in self.listeners:
            if other != seat and other not in state.left:
                self.pending[other].append(MoveApplied(state.turn, seat, state.told(move, other)))

    async def _tell_eager(self) -> None:
        for seat in self.eager:
            if self.pending[seat]:
                events, self.pending[seat] = self.pending[seat], []
                await self._send(seat, events)

    def _put_out(self, seat: int, forfeit: Forfeit) -> None:
        turn = self.state.turn
        self.verdicts.append(forfeit.verdict(seat, turn))
        self.state = self.state.retire(seat)
        self.pending[seat] = []
        for other in self.listeners:
            if other not in self.state.left:
                self.pending[other].append(SeatLeft(turn, seat))

    def _playing(self) -> list[int]:
        return [seat for seat in range(len(self.seats)) if seat not in self.state.left]

    async def _send(self, seat: int, events: Sequence[Event]) -> None:
        """Let a seat know what needs no answer. One that is lost is found out when it is next asked."""
        with suppress(Forfeit):
            await self.seats[seat].hear(events)
