"""What the referee tells a seat, as plain values. The codec turns them into messages and back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from arena_rules import Game, Options, Outcome, View


class NewsWanted(Enum):
    """When a bot hears of what others do. Every view shows all that came of it in any case."""

    WITH_TURN = "with the next turn"
    AT_ONCE = "at once"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a bot may think: so much for every move, and a bank for the whole game. Nothing means no limit."""

    move_ms: int = 0
    bank_ms: int = 0

    @property
    def unlimited(self) -> bool:
        return self.move_ms == 0 and self.bank_ms == 0


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins."""

    game: Game[Any]
    options: Options
    players: int
    seat: int
    seed: int
    """This seat's own seed, for bots that want chance and reproducible games."""
    time: TimeControl


class TurnRequested(NamedTuple):
    """A move is asked for. (A named tuple: one is made for every turn.)"""

    turn: int
    view: View[Any]
    time_left_ms: int
    """0 means no limit."""


class MoveApplied(NamedTuple):
    """Another seat has moved."""

    turn: int
    seat: int
    move: Any
    """None when it is hidden from this seat."""


class SeatLeft(NamedTuple):
    """A seat has forfeited; the others play on."""

    turn: int
    seat: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over for this seat."""

    outcome: Outcome | None
    """None when the bot was put out of the game, or the game was called off."""
    verdict: str = ""
    """The referee's sentence on this bot; empty when all was well."""


News = MoveApplied | SeatLeft
"""What happened since a seat was last asked."""

Event = GameStarted | TurnRequested | News | GameEnded
