"""What a bot is handed when it is its turn."""

from __future__ import annotations

from random import Random
from typing import Any

from arena_rules import View
from arena_sdk.codec import codec_of
from arena_sdk.events import GameStarted
from arena_sdk.v1 import referee_pb2 as pb


class Table:
    """What stays the same during one game: the facts of its start, and a source of chance of the bot's own."""

    __slots__ = ("_rng", "codec", "notes", "number", "start")

    def __init__(self, number: int, start: GameStarted) -> None:
        self.number = number
        """The number of the game on this bot's stream; games in flight at the same time differ in it."""
        self.start = start
        self.codec = codec_of(start.game.name)
        self._rng: Random | None = None
        self.notes: dict[str, Any] = {}
        """For the bot to keep what it wants to remember during this game."""

    @property
    def rng(self) -> Random:
        """Seeded for this seat and this game: a bot that takes all its chance from here plays reproducibly."""
        if self._rng is None:
            self._rng = Random(self.start.seed)
        return self._rng

    @property
    def game(self) -> str:
        """The game's name."""
        return self.start.game.name

    @property
    def players(self) -> int:
        return self.start.players

    @property
    def seat(self) -> int:
        return self.start.seat


class Turn:
    """One request for a move."""

    __slots__ = ("_legal", "_view", "number", "table", "time_left_ms")

    def __init__(self, table: Table, number: int, time_left_ms: int, view: View[Any] | None = None) -> None:
        self.table = table
        self.number = number
        """How many moves have been made in the game."""
        self.time_left_ms = time_left_ms
        """Milliseconds until the answer must be there, as of the referee's sending; 0 means no limit."""
        self._view: Any = view
        self._legal: list[Any] | None = None

    @property
    def view(self) -> Any:
        """All that this seat may see: a `ShelfieView`, say."""
        return self._view

    @property
    def choices(self) -> Any:
        """What may be done, factorised as suits the game: for My Shelfie the lines, and the free cells per column."""
        return self.view.choices if hasattr(self.view, "choices") else self.legal

    @property
    def legal(self) -> list[Any]:
        """Every legal move."""
        if self._legal is None:
            self._legal = self.view.legal_moves()
        return self._legal

    @property
    def rng(self) -> Random:
        """The bot's own source of chance in this game."""
        return self.table.rng

    @property
    def time_left(self) -> float:
        """Seconds until the answer must be there; infinite without a limit."""
        return self.time_left_ms / 1000 if self.time_left_ms else float("inf")


class WireTurn(Turn):
    """A turn that came in a message. What the bot does not look at is not read."""

    __slots__ = ("_message",)

    def __init__(self, table: Table, message: pb.TurnRequested) -> None:
        self.table = table
        self.number = message.turn
        self.time_left_ms = message.time_left_ms
        self._message = message
        self._view = None
        self._legal = None

    @property
    def view(self) -> Any:
        if self._view is None:
            start = self.table.start
            self._view = self.table.codec.read_view(self._message, start.game, start.options)
        return self._view

    @property
    def choices(self) -> Any:
        if self._view is not None:
            return super().choices
        return self.table.codec.read_choices(self._message)
