"""What a tournament is: all that its schedule follows from, and nothing that depends on the machine it runs on."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from itertools import permutations
from typing import Any, Final

from arena.config import parse_time, write_time
from arena.errors import UsageError
from arena_sdk.events import TimeControl

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
NAME_RULE: Final = "1 to 64 letters, digits, '.', '_' or '-', the first a letter or digit"


class Deals(Enum):
    """With which seat orders each deal is played."""

    ROTATIONS = "rotations"
    """Every bot sits once in every seat."""
    PERMUTATIONS = "permutations"
    """Every order of the line-up."""
    SINGLE = "single"
    """A deal is played once, as the system seats the line-up: it sees to it that the seats are shared."""

    def orders(self, lineup: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The line-ups of a block, in seat order."""
        if self is Deals.PERMUTATIONS:
            return list(permutations(lineup))
        return [rotated(lineup, turn) for turn in range(len(lineup) if self is Deals.ROTATIONS else 1)]


def rotated(lineup: tuple[str, ...], turn: int) -> tuple[str, ...]:
    """The line-up when everybody has moved on by so many seats."""
    turn %= len(lineup)
    return (*lineup[turn:], *lineup[:turn])


@dataclass(frozen=True, slots=True)
class Join:
    """A bot that came later."""

    bot: str
    after: int
    """It takes part from the first block on that begins with this match number or a later one."""


@dataclass(frozen=True, slots=True)
class Definition:
    """The same definition gives the same schedule, the same deals and the same match numbers, everywhere."""

    name: str
    game: str
    edition: str
    players: tuple[int, ...]
    """How many sit at a table; more than one number for a mixed tournament."""
    system: str
    bots: tuple[str, ...]
    """The labels of the entrants, such as ``greedy@3``. Their order is the order of seeding."""
    seed: int
    time: TimeControl
    options: Mapping[str, str] = field(default_factory=dict)
    """The rule options that differ from the edition's."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """The system's own settings."""
    deals: Deals = Deals.ROTATIONS
    strikes: int = 10
    """How many forfeits, if they are a fifth of its games or more, take a bot out; 0 for never."""
    lenient: bool = False
    joins: tuple[Join, ...] = ()
    """Who came later, in that order. The one part of a definition that grows."""

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise UsageError(f"'{self.name}' cannot be the name of a tournament: it takes {NAME_RULE}")

    @property
    def entrants(self) -> tuple[str, ...]:
        """All who take part, those who came later last."""
        return (*self.bots, *(join.bot for join in self.joins))

    def joined(self, bots: Iterable[str], after: int) -> Definition:
        """The tournament with further bots, who join behind so many matches. Raises UsageError."""
        definition = self
        for bot in bots:
            if bot in definition.entrants:
                raise UsageError(f"{bot} takes part in {self.name} already: a bot joins once")
            definition = replace(definition, joins=(*definition.joins, Join(bot, after)))
        return definition

    def newcomers(self, wished: Definition) -> list[str] | None:
        """Who is wished for and does not take part yet; None when the wish is for another tournament."""
        first = len(self.bots)
        grows = len(self.players) > 1 and wished.players[: len(self.players)] == self.players  # mixed, with more bots
        same = replace(wished, bots=self.bots, joins=self.joins, players=self.players if grows else wished.players)
        if same != self or wished.bots[:first] != self.bots:
            return None
        return [bot for bot in wished.bots[first:] if bot not in self.entrants]

    def as_json(self) -> dict[str, Any]:
        """Plain values, from which `from_json` makes the same definition."""
        values = {
            "name": self.name,
            "game": self.game,
            "edition": self.edition,
            "options": dict(self.options),
            "players": list(self.players),
            "system": self.system,
            "settings": dict(self.settings),
            "bots": list(self.bots),
            "seed": self.seed,
            "time": write_time(self.time),
            "deals": self.deals.value,
            "strikes": self.strikes,
            "lenient": self.lenient,
        }
        return {**values, "joins": [asdict(join) for join in self.joins]} if self.joins else values

    @classmethod
    def from_json(cls, form: Mapping[str, Any]) -> Definition:
        """The definition that `as_json` wrote."""
        values = dict(form)
        values |= {"time": parse_time(form["time"]), "deals": Deals(form["deals"])}
        values |= {"players": tuple(form["players"]), "bots": tuple(form["bots"])}
        values["joins"] = tuple(Join(join["bot"], join["after"]) for join in form.get("joins", ()))
        return cls(**values)

    def named(self, name: str) -> Definition:
        return replace(self, name=name)

    def digest(self) -> str:
        """A few letters that tell this definition from others, whatever its name."""
        text = json.dumps({**self.as_json(), "name": ""}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:8]
