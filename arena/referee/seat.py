"""Who sits at the table. The match knows seats only by `Seat`; a bot behind gRPC (`connection.py`) is one kind."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Protocol

from arena.record import VerdictKind
from arena.referee.verdict import Forfeit
from arena_rules import Game, NotationError
from arena_sdk import Bot, Table, Turn
from arena_sdk.events import Event, GameEnded, GameStarted, MoveApplied, NewsWanted, SeatLeft, TurnRequested


class Seat(Protocol):
    """A player as the match sees it."""

    news: NewsWanted
    """When it wants to hear of what others do."""

    async def hear(self, events: Sequence[Event]) -> Any:
        """Take in events. When the last one is a TurnRequested: the move that answers it.

        Raises Forfeit when the player is out of the game. May be cancelled when its time runs out.
        """


class LocalSeat:
    """A bot in this process: for trusted bots, training and tests. It is called directly, and all waits for it."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.news = bot.news
        self._table: Table | None = None

    async def hear(self, events: Sequence[Event]) -> Any:
        for event in events:
            if isinstance(event, GameStarted):
                self._table = Table(1, event)
                self.bot.started(self._table)
                continue
            assert self._table is not None, "a match opens with GameStarted"
            if isinstance(event, TurnRequested):
                return self._choose(self._table, event)
            if isinstance(event, MoveApplied | SeatLeft):
                self.bot.heard(self._table, event)
            elif isinstance(event, GameEnded):
                self.bot.ended(self._table, event)
        return None

    def _choose(self, table: Table, event: TurnRequested) -> Any:
        turn = Turn(table, event.turn, event.time_left_ms, event.view)
        return moved(table.start.game, self.bot.choose(turn))


class AbsentSeat:
    """A player who has not come: forfeits when first asked."""

    news = NewsWanted.NEVER

    def __init__(self, forfeit: Forfeit) -> None:
        self._forfeit = forfeit

    async def hear(self, events: Sequence[Event]) -> Any:
        if isinstance(events[-1], TurnRequested):
            raise self._forfeit
        return None


Script = Iterable[str | Exception | Callable[[TurnRequested], Awaitable[Any] | Any]]


class ScriptedSeat:
    """A player for tests: answers its turns from a script of notations, exceptions to raise, and functions to ask.

    `heard` keeps every event it was told.
    """

    def __init__(self, script: Script, *, news: NewsWanted = NewsWanted.WITH_TURN) -> None:
        self.news = news
        self.heard: list[Event] = []
        self._script = iter(script)
        self._game: Game[Any] | None = None

    async def hear(self, events: Sequence[Event]) -> Any:
        self.heard.extend(events)
        for event in events:
            if isinstance(event, GameStarted):
                self._game = event.game
        last = events[-1]
        return await self._answer(last) if isinstance(last, TurnRequested) else None

    async def _answer(self, turn: TurnRequested) -> Any:
        line = next(self._script)
        if isinstance(line, Exception):
            raise line
        answer = line(turn) if callable(line) else line
        if inspect.isawaitable(answer):
            answer = await answer
        assert self._game is not None
        return moved(self._game, answer)


def moved(game: Game[Any], answer: Any) -> Any:
    """The move that a bot's answer stands for: a move of the game, or its notation."""
    if not isinstance(answer, str):
        return answer
    try:
        return game.read_move(answer)
    except NotationError as error:
        raise Forfeit(VerdictKind.UNREADABLE, str(error)) from None
