"""Who meets whom: the words that systems of play and the driver of a tournament share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from arena.errors import UsageError
from arena.record import Result


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who shall play the next block."""

    lineup: tuple[str, ...]
    """In the seat order of its first game."""
    stage: str = ""
    """For people: ``round 3``, ``semi-final``."""


@dataclass(frozen=True, slots=True)
class Played:
    """A block that has been played."""

    sitting: Sitting
    results: tuple[Result, ...]
    """One for each game of the block that counts; the seats change from game to game."""


class Wait(Enum):
    """What a system says when it has to learn of blocks that are still being played."""

    WAIT = "wait"


WAIT: Final = Wait.WAIT


@dataclass(frozen=True, slots=True)
class Length:
    """A number of blocks, as far as it is known."""

    fewest: int
    most: int | None
    """None for no end."""

    @classmethod
    def of(cls, blocks: int) -> Length:
        """Exactly so many."""
        return cls(blocks, blocks)

    @property
    def exact(self) -> int | None:
        """The number, if it is known."""
        return self.most if self.fewest == self.most else None


class System(Protocol):
    """Decides who meets whom.

    What it gives next depends only on what it was made of, on what it gave before and on what it learned, in that
    order: no clock, no chance but from its seed. So the same calls give the same schedule, and a tournament is resumed
    by making them again. Those who derive from this are closed to newcomers and silent, unless they say otherwise.
    """

    @property
    def length(self) -> Length:
        """How many blocks there will be in all, as far as that is known before the first; withdrawals aside."""

    def next(self) -> Sitting | Wait | None:
        """The next block to play; None when it is over."""

    def learn(self, played: Played) -> None:
        """Take note of a block. Called in the order of the sittings."""

    def withdraw(self, bot: str) -> None:
        """Take a bot out. It is in no sitting that is given from now on."""

    def join(self, bot: str) -> None:
        """Let a bot take part from now on. Raises UsageError where that cannot be, or if it does already."""
        raise UsageError("nobody can join a tournament of this kind once it has begun: a ladder or adaptive play, yes")

    def findings(self) -> tuple[str, ...]:
        """Sentences for the report; none where the table says it all."""
        return ()
