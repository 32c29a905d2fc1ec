"""Who sits at the table. The match knows seats only by `Seat`; a bot behind gRPC (`connection.py`) is one kind."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Protocol

from arena.record import VerdictKind
from arena.referee.clock import overdue
from arena.referee.verdict import Forfeit
from arena_rules import Game, NotationError
from arena_sdk import Bot, Table, Turn
from arena_sdk.events import Event, GameEnded, GameStarted, MoveApplied, NewsWanted, SeatLeft, TurnRequested

Reply = Callable[[Any, int | None], None]
"""Takes a player's answer, a move or the Forfeit that puts the player out, and the nanoseconds it took to think.

None instead of a time leaves the measuring to the match.
"""


class Seat(Protocol):
    """A player as the match sees it."""

    news: NewsWanted
    """When it wants to hear of what others do."""

    def hear(self, events: Sequence[Event], limit_ns: int, reply: Reply) -> None:
        """Take in events. When the last one is a TurnRequested, call ``reply`` once, at once or later.

        A player that has not answered within the limit (0 for none) is to reply with a Forfeit.
        """


class LocalSeat:
    """A bot in this process: for trusted bots, training and tests. It is called directly, and all waits for it."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.news = bot.news
        self._table: Table | None = None

    def hear(self, events: Sequence[Event], limit_ns: int, reply: Reply) -> None:
        for event in events:
            if isinstance(event, GameStarted):
                self._table = Table(1, event)
                self.bot.started(self._table)
                continue
            assert self._table is not None, "a match opens with GameStarted"
            if isinstance(event, TurnRequested):
                turn = Turn(self._table, event.turn, event.time_left_ms, event.view)
                reply(moved(self._table.start.game, self.bot.choose(turn)), None)
            elif isinstance(event, MoveApplied | SeatLeft):
                self.bot.heard(self._table, event)
            else:
                self.bot.ended(self._table, event)


class AbsentSeat:
    """A player who has not come: forfeits when first asked."""

    news = NewsWanted.NEVER

    def __init__(self, forfeit: Forfeit) -> None:
        self._forfeit = forfeit

    def hear(self, events: Sequence[Event], limit_ns: int, reply: Reply) -> None:
        if isinstance(events[-1], TurnRequested):
            reply(self._forfeit, 0)


Line = str | Forfeit | Callable[[TurnRequested], Awaitable[Any] | Any]


class ScriptedSeat:
    """A player for tests: answers its turns from a script of notations, forfeits, and functions to ask.

    A function may give something to await; it is then cancelled when the time is up. `heard` keeps all events.
    """

    def __init__(self, script: Iterable[Line], *, news: NewsWanted = NewsWanted.WITH_TURN) -> None:
        self.news = news
        self.heard: list[Event] = []
        self.answering: asyncio.Task[None] | None = None
        """The answer that is being waited for, if it is one to wait for."""
        self._script = iter(script)
        self._game: Game[Any] | None = None

    def hear(self, events: Sequence[Event], limit_ns: int, reply: Reply) -> None:
        self.heard.extend(events)
        for event in events:
            if isinstance(event, GameStarted):
                self._game = event.game
            elif isinstance(event, TurnRequested):
                self._answer(event, limit_ns, reply)
            elif isinstance(event, GameEnded) and self.answering:
                self.answering.cancel()

    def _answer(self, turn: TurnRequested, limit_ns: int, reply: Reply) -> None:
        line = next(self._script)
        answer = line(turn) if callable(line) else line
        if inspect.isawaitable(answer):
            self.answering = asyncio.ensure_future(self._wait_for(answer, limit_ns, reply))
        else:
            reply(self._moved(answer), None)

    async def _wait_for(self, answer: Awaitable[Any], limit_ns: int, reply: Reply) -> None:
        try:
            async with asyncio.timeout(limit_ns / 1e9 if limit_ns else None):
                move = self._moved(await answer)
        except TimeoutError:
            move = overdue(limit_ns)
        except Forfeit as forfeit:
            move = forfeit
        reply(move, None)

    def _moved(self, answer: Any) -> Any:
        assert self._game is not None, "a match opens with GameStarted"
        return moved(self._game, answer)


def moved(game: Game[Any], answer: Any) -> Any:
    """What a bot's answer stands for: a move of the game, given as such or in notation, or else a Forfeit."""
    if not isinstance(answer, str):
        return answer
    try:
        return game.read_move(answer)
    except NotationError as error:
        return Forfeit(VerdictKind.UNREADABLE, str(error))
