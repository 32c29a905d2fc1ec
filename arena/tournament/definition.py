"""What a tournament is: all that its schedule follows from, and nothing that depends on the machine it runs on."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
    """A deal is played once; the seats change from deal to deal."""

    def orders(self, lineup: tuple[str, ...], block: int) -> list[tuple[str, ...]]:
        """The line-ups of a block, in seat order."""
        if self is Deals.PERMUTATIONS:
            return list(permutations(lineup))
        rotations = [(*lineup[turn:], *lineup[:turn]) for turn in range(len(lineup))]
        return rotations if self is Deals.ROTATIONS else [rotations[block % len(lineup)]]


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

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise UsageError(f"'{self.name}' cannot be the name of a tournament: it takes {NAME_RULE}")

    def as_json(self) -> dict[str, Any]:
        """Plain values, from which `from_json` makes the same definition."""
        return {
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

    @classmethod
    def from_json(cls, form: Mapping[str, Any]) -> Definition:
        """The definition that `as_json` wrote."""
        values = dict(form)
        values |= {"time": parse_time(form["time"]), "deals": Deals(form["deals"])}
        values |= {"players": tuple(form["players"]), "bots": tuple(form["bots"])}
        return cls(**values)

    def named(self, name: str) -> Definition:
        return replace(self, name=name)

    def digest(self) -> str:
        """A few letters that tell this definition from others, whatever its name."""
        text = json.dumps({**self.as_json(), "name": ""}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:8]
