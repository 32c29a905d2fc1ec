"""What an author writes: a subclass of `Bot`, or of `BatchBot` to answer many games at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from arena_sdk.events import GameEnded, News, NewsWanted
from arena_sdk.turn import Table, Turn


class Bot(ABC):
    """A player. Only `choose` must be written; the other methods are told what happens and may stay as they are."""

    games_at_once: int = 1
    """How many games it takes at the same time. A bot without state of its own can offer many."""
    news_at_once: bool = False
    """Whether `heard` is called as soon as another player has moved, to ponder, and not just before the own turn."""

    @abstractmethod
    def choose(self, turn: Turn) -> Any:
        """The move to make: one of `turn.legal`, or any legal move in text notation."""

    @property
    def news(self) -> NewsWanted:
        """A bot that does not listen (has no `heard` of its own) is not told."""
        if type(self).heard is Bot.heard:
            return NewsWanted.NEVER
        return NewsWanted.AT_ONCE if self.news_at_once else NewsWanted.WITH_TURN

    def started(self, table: Table) -> None:
        """A game begins."""

    def heard(self, table: Table, news: News) -> None:
        """Another player has moved, or has left the game."""

    def ended(self, table: Table, end: GameEnded) -> None:
        """A game is over for this bot."""


class BatchBot(Bot):
    """A player that answers many turns in one go, as a neural network likes to."""

    games_at_once = 16

    @abstractmethod
    def choose_many(self, turns: Sequence[Turn]) -> Sequence[Any]:
        """The moves to make, one for each turn, in the same order. The turns belong to different games."""

    def choose(self, turn: Turn) -> Any:
        return self.choose_many([turn])[0]
