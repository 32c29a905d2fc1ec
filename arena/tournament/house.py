"""The house: one referee with its live bots, where matches are played."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.errors import BotFailed
from arena.launch import (
    BotProcess,
    Ending,
    Guard,
    Manifest,
    Pool,
    StartFailed,
    Wrapper,
    content_hash,
    run_and_wait_ns,
)
from arena.record import Effort, Entrant, LogLine, MatchRecord, MatchSpec, Verdict, VerdictKind
from arena.referee.connection import Connection, RemoteSeat
from arena.referee.match import play_match
from arena.referee.seat import AbsentSeat, Seat
from arena.referee.server import RefereeServer, Ticket
from arena.referee.transport import GRPC_ENVIRONMENT
from arena.referee.verdict import Forfeit
from arena.tournament.watchdog import Times, Watchdog

ADDRESS = "ARENA_ADDRESS"
TOKEN = "ARENA_TOKEN"

JOIN_SECONDS = 10.0
"""How long a bot may take from its start until it has joined."""

EXIT_SECONDS = 1.0
"""How long a bot may take to exit: after the goodbye, or after its connection has ended."""


KEPT = 32
"""How many bots a house keeps alive; beyond that, those that have not played for longest are sent home."""

EXCUSED = 2
"""How often a match may be void because the machine was late. Then the verdict stands: no bot can go on for ever."""


class LiveBot:
    """A bot process that has joined, and the games it is in."""

    def __init__(self, process: BotProcess, connection: Connection) -> None:
        self.process = process
        self.connection = connection
        self.chairs = asyncio.Semaphore(connection.games_at_once)
        """As many as it plays games at once."""
        self.games = 0
        self.unfit = False
        """Whether it has forfeited: it then plays what it has begun, and is replaced."""
        self._cpu_us = 0

    @property
    def usable(self) -> bool:
        return not self.unfit and self.connection.lost is None and self.process.ending is None

    @property
    def asked_ns(self) -> int:
        return self.connection.asked_ns

    def times(self) -> Times:
        return Times(*run_and_wait_ns(self.process.pid))

    async def sit_down(self) -> None:
        await self.chairs.acquire()
        self.games += 1

    def get_up(self) -> None:
        self.games -= 1
        self.chairs.release()

    def effort(self) -> Effort:
        """What it has used since this was last asked, and written in its latest game."""
        usage, before = self.process.usage, self._cpu_us
        self._cpu_us = usage.cpu_us
        log = tuple(LogLine(turn, text) for turn, text in self.process.chapter)
        return Effort(max(0, usage.cpu_us - before), usage.peak_kb, log)

    async def depart(self) -> None:
        """Say goodbye, and give it a moment to exit by itself."""
        self.connection.dismiss("there are no more games to play")
        await asyncio.wait({asyncio.ensure_future(self.process.ended())}, timeout=EXIT_SECONDS)


class House:
    """Starts bots as line-ups need them and keeps them for the next match. Use as an async context manager."""

    def __init__(
        self,
        bots: Mapping[str, Manifest],
        entrants: Mapping[str, Entrant] | None = None,
        *,
        measure: bool = False,
        wrapper: Wrapper | None = None,
    ) -> None:
        """The bots by the names that line-ups have for them, and what records say of them, if that is known.

        With ``measure`` a record says what each seat used and wrote, as far as bots play one game at a time.
        ``wrapper`` stands between the bots and the machine; it is the usual `Guard` when it is left out.
        """
        self._bots = bots
        self._measure = measure
        self._wrapper = wrapper or Guard()
        self._entrants = entrants or {name: Entrant(name, content_hash(bot.folder)) for name, bot in bots.items()}
        self._live: dict[tuple[str, int], LiveBot] = {}
        """In the order in which they were last asked for."""
        self._arriving: dict[tuple[str, int], asyncio.Lock] = {}
        self._tickets: dict[str, Ticket] = {}
        self._watchdog = Watchdog(self._live.values)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        # The path of a Unix socket may have about a hundred characters, so it goes where paths are short.
        folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-"))
        self._server = await self._stack.enter_async_context(RefereeServer(Path(folder)))
        self._pool = await self._stack.enter_async_context(Pool(self._environment, wrapper=self._wrapper))
        self._watchdog.start()
        self._stack.callback(self._watchdog.stop)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                await asyncio.gather(*(bot.depart() for bot in self._live.values() if bot.usable))
        finally:
            await self._stack.aclose()

    def _environment(self, manifest: Manifest) -> Mapping[str, str]:
        ticket = self._server.ticket()
        self._tickets[ticket.token] = ticket
        return {**GRPC_ENVIRONMENT, ADDRESS: ticket.address, TOKEN: ticket.token}

    async def welcome(self, lineup: Sequence[str]) -> int:
        """Have the bots of a line-up ready. Gives the most games that all of them take at once; raises BotFailed."""
        bots = await asyncio.gather(*(self._bot(*place) for place in _places(lineup)))
        return min(bot.connection.games_at_once for bot in bots)

    async def seat(self, name: str) -> Seat:
        """A seat for a bot at a table that is none of the house's. Raises BotFailed."""
        return (await self._bot(name, 0)).connection.seat()

    async def play(self, spec: MatchSpec, in_flight: int) -> MatchRecord:
        """Play one match, when all its bots have room for it. A bot that cannot be had any more forfeits."""
        async with AsyncExitStack() as chairs:
            bots = await self._seated(spec.lineup, chairs)
            seats = [_seat(bot) for bot in bots]
            in_flight = min([in_flight, *(bot.connection.games_at_once for bot in bots if isinstance(bot, LiveBot))])
            measured = self._measure and in_flight == 1
            if measured:
                _begin_chapters(bots, seats)
            record = await play_match(
                spec,
                seats,
                lineup=[_as_confined(self._entrants[name], bot) for name, bot in zip(spec.lineup, bots, strict=True)],
                in_flight=in_flight,
                excuse=partial(self._excuse, bots) if spec.attempt < EXCUSED else None,
            )
            verdicts = tuple([await _examined(verdict, bots[verdict.seat]) for verdict in record.verdicts])
            efforts = tuple(map(_effort, bots)) if measured else ()
            return replace(record, verdicts=verdicts, efforts=efforts)

    def _excuse(self, bots: Sequence[LiveBot | BotFailed], seat: int, limit_ns: int) -> str:
        bot = bots[seat]
        return self._watchdog.excuse(limit_ns, bot if isinstance(bot, LiveBot) else None)

    async def _seated(self, lineup: Sequence[str], chairs: AsyncExitStack) -> list[LiveBot | BotFailed]:
        """The bots of a line-up, each on a chair that it leaves when the stack is closed."""
        while True:
            places = _places(lineup)
            bots = await asyncio.gather(*(self._bot_or_failure(*place) for place in places))
            present = {place: bot for place, bot in zip(places, bots, strict=True) if isinstance(bot, LiveBot)}
            for place in sorted(present):  # in one order for all matches, so that no two wait for each other
                await present[place].sit_down()
                chairs.push_async_callback(self._leave, present[place])
            if all(bot.usable for bot in present.values()):
                return bots
            await chairs.aclose()

    async def _leave(self, bot: LiveBot) -> None:
        bot.get_up()
        if bot.games == 0 and not bot.usable:
            await self._pool.discard(bot.process)
        elif len(self._live) > KEPT:
            await self._send_home()

    async def _send_home(self) -> None:
        """Part with the bots that have not played for longest."""
        idle = [place for place, bot in self._live.items() if bot.games == 0 and not self._arriving[place].locked()]
        for place in idle[: len(self._live) - KEPT]:
            bot = self._live.pop(place)
            await bot.depart()
            await self._pool.discard(bot.process)

    async def _bot(self, name: str, copy: int) -> LiveBot:
        """The live process for the so-manieth copy of a bot in a line-up. Raises BotFailed."""
        async with self._arriving.setdefault((name, copy), asyncio.Lock()):
            bot = self._live.pop((name, copy), None)
            if bot is None or not bot.usable:
                bot = await self._arrival(self._bots[name])
            self._live[name, copy] = bot
            return bot

    async def guest(self, name: str) -> LiveBot:
        """The live process of a bot, for whoever wants to do more with it than play. Raises BotFailed."""
        return await self._bot(name, 0)

    async def _bot_or_failure(self, name: str, copy: int) -> LiveBot | BotFailed:
        try:
            return await self._bot(name, copy)
        except BotFailed as failure:
            return failure

    async def _arrival(self, manifest: Manifest) -> LiveBot:
        process = await self._pool.take(manifest)
        ticket = self._tickets.pop(process.environment[TOKEN])
        joining = asyncio.ensure_future(self._server.connection(ticket))
        ending = asyncio.ensure_future(process.ended())
        try:
            await asyncio.wait({joining, ending}, timeout=JOIN_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if joining.done():
                return LiveBot(process, joining.result())
            raise _failure(process)
        except BaseException:
            await self._pool.discard(process)
            raise
        finally:
            ending.cancel()
            self._server.withdraw(ticket)


class NeverJoined(BotFailed):
    """The process ran but did not join in time."""


class EndedEarly(StartFailed):
    """The process ended before it joined."""

    def __init__(self, name: str, told: str, ending: Ending, log_tail: str) -> None:
        super().__init__(f"{name} {told} before it joined", log_tail)
        self.ending = ending


def _failure(process: BotProcess) -> BotFailed:
    name = process.manifest.name
    if process.ending is None:
        return NeverJoined(f"{name} was started but did not join within {JOIN_SECONDS:.0f} s", process.log_tail)
    return EndedEarly(name, _as_told(process, process.ending), process.ending, process.log_tail)


def _as_confined(entrant: Entrant, bot: LiveBot | BotFailed) -> Entrant:
    return replace(entrant, confinement=bot.process.confinement) if isinstance(bot, LiveBot) else entrant


def _places(lineup: Sequence[str]) -> list[tuple[str, int]]:
    """Each name with how often it has come before: a bot that plays itself does so with a process for each seat."""
    seen: Counter[str] = Counter()
    places = []
    for name in lineup:
        places.append((name, seen[name]))
        seen[name] += 1
    return places


def _seat(bot: LiveBot | BotFailed) -> Seat:
    if isinstance(bot, LiveBot):
        return bot.connection.seat()
    kind = VerdictKind.NEVER_JOINED if isinstance(bot, NeverJoined) else VerdictKind.FAILED_TO_START
    ending = bot.ending if isinstance(bot, EndedEarly) else None
    status, signal = (ending.exit_status, ending.signal) if ending else (None, 0)
    return AbsentSeat(Forfeit(kind, str(bot), exit_status=status, signal=signal, log_tail=bot.log_tail))


def _begin_chapters(bots: Sequence[LiveBot | BotFailed], seats: Sequence[Seat]) -> None:
    """Let the log of each bot be kept for this match, with the turns in which it was written."""
    for bot, seat in zip(bots, seats, strict=True):
        if isinstance(bot, LiveBot) and isinstance(seat, RemoteSeat):
            bot.process.begin_chapter(partial(getattr, seat, "turn"))


def _effort(bot: LiveBot | BotFailed) -> Effort:
    return bot.effort() if isinstance(bot, LiveBot) else Effort()


async def _examined(verdict: Verdict, bot: LiveBot | BotFailed) -> Verdict:
    """The verdict with what the bot's process tells: how it ended, if it did, and the end of its log."""
    if not isinstance(bot, LiveBot):
        return verdict
    bot.unfit = True
    process = bot.process
    if verdict.kind is VerdictKind.DISCONNECTED:
        await asyncio.wait({asyncio.ensure_future(process.ended())}, timeout=EXIT_SECONDS)
        if ending := process.ending:
            kind = VerdictKind.MEMORY_LIMIT if process.memory_kills else VerdictKind.CRASHED
            end = Forfeit(kind, _as_told(process, ending), exit_status=ending.exit_status, signal=ending.signal)
            verdict = end.verdict(verdict.seat, verdict.turn)
    elif verdict.kind is VerdictKind.TIMED_OUT and process.stopped:
        verdict = Forfeit(VerdictKind.STALLED, "no answer came").verdict(verdict.seat, verdict.turn)
    return replace(verdict, log_tail=process.log_tail)


def _as_told(process: BotProcess, ending: Ending) -> str:
    if process.memory_kills:
        return f"had {ending.usage.peak_kb // 1024:,} MB when it {ending.describe()}"
    return ending.describe()
