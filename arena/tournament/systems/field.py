"""Who enters, at tables of how many: what every system is made of besides its own options."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from random import Random

from arena.errors import UsageError
from arena.tournament.definition import Deals, Definition
from arena_rules.chance import derive

TABLE = (2, 3, 4)
"""How many may sit at a table."""


@dataclass(frozen=True, slots=True)
class Field:
    """The bots of a tournament and the tables that they sit at. Raises UsageError when they do not fit."""

    bots: tuple[str, ...]
    """In the order in which they were entered; the names that stand in line-ups and in results."""
    players: tuple[int, ...] = (2,)
    """How many sit at a table: one number, or several for mixed play."""
    seed: int = 0
    deals: Deals = Deals.ROTATIONS
    copies: bool = False
    """Whether a bot may sit at a table more than once, so that fewer bots than seats will do."""

    @classmethod
    def of(cls, definition: Definition, *, copies: bool = False) -> Field:
        """The field of a tournament."""
        return cls(definition.bots, definition.players, definition.seed, definition.deals, copies)

    def __post_init__(self) -> None:
        _check_players(self.players)
        _check_bots(self.bots, 2 if self.copies else max(self.players))

    def games(self, seats: int) -> int:
        """How many games a block of so many seats has."""
        return len(self.deals.orders(("",) * seats))

    def chance(self, name: str) -> Random:
        """A stream of chance of its own for the part of the schedule called ``name``.

        Take nothing from it but ``random()``, whose numbers are the same in every version of Python.
        """
        return Random(derive(self.seed, f"schedule {name}"))

    def only_table(self, system: str) -> int:
        """The one number of players. Raises UsageError for mixed play, which the system does not know."""
        if len(self.players) > 1:
            counts = _listed(self.players)
            raise UsageError(f"{system} is played at tables of one size, not of {counts}: choose one with --players")
        return self.players[0]


def _check_players(players: Sequence[int]) -> None:
    if not players or list(players) != sorted(set(players)) or not set(players) <= set(TABLE):
        raise UsageError(f"players must be among {_listed(TABLE)}, each once and in order, not {_listed(players)}")


def _check_bots(bots: Sequence[str], most: int) -> None:
    twice = sorted({bot for bot in bots if bots.count(bot) > 1}) if len(set(bots)) < len(bots) else []
    if twice:
        raise UsageError(f"{twice[0]} is entered twice: a bot meets itself in no tournament")
    if len(bots) < most:
        raise UsageError(f"tables of {most} need at least {most} bots, and {len(bots)} entered: add bots or seat fewer")


def joined(bot: str, present: Container[str]) -> None:
    """Raises UsageError when the bot that is to join is there already."""
    if bot in present:
        raise UsageError(f"{bot} takes part already: a bot joins once")


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"
