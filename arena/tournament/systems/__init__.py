"""The systems of play by name: each decides who meets whom, block after block.

>>> from arena.tournament.systems import Field, make
>>> cup = make("round-robin", Field(("ada", "bob", "cyd"), seed=7), {"rounds": 2})
>>> cup.length.exact, len(cup.next().lineup)
(6, 2)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from arena.errors import UsageError
from arena.tournament.definition import Definition
from arena.tournament.system import System
from arena.tournament.systems.adaptive import Adaptive, AdaptiveOptions
from arena.tournament.systems.duel import Duel, DuelOptions
from arena.tournament.systems.field import Field
from arena.tournament.systems.gauntlet import Gauntlet, GauntletOptions
from arena.tournament.systems.knockout import Knockout, KnockoutOptions
from arena.tournament.systems.ladder import Ladder, LadderOptions
from arena.tournament.systems.options import Options, Setting
from arena.tournament.systems.round_robin import RoundRobin, RoundRobinOptions
from arena.tournament.systems.swiss import Swiss, SwissOptions

__all__ = ["SYSTEMS", "Field", "Kind", "Options", "Setting", "find", "make", "of"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A system of play: how it is called, what it is for, what can be set, and how it is made."""

    name: str
    summary: str
    options: type[Options]
    system: Callable[[Field, Any], System]
    copies: bool = False
    """Whether it seats copies of a bot where there are not enough others."""

    def make(self, field: Field, options: Mapping[str, object]) -> System:
        """The system at its beginning. Raises UsageError when the options or the field do not suit it."""
        return self.system(field, self.options.from_options(options))


SYSTEMS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("round-robin", "everybody meets everybody equally often", RoundRobinOptions, RoundRobin),
        Kind("swiss", "neighbours in the standings meet, round by round", SwissOptions, Swiss),
        Kind("gauntlet", "one or several challengers against a field", GauntletOptions, Gauntlet),
        Kind("knockout", "the best half of every table goes on", KnockoutOptions, Knockout),
        Kind("ladder", "runs until stopped, opponents close in level, bots may join", LadderOptions, Ladder),
        Kind("adaptive", "asks what tells most about the top, and stops when it is known", AdaptiveOptions, Adaptive),
        Kind("duel", "whether the first bot is better than the second", DuelOptions, Duel, copies=True),
    )
}


def find(name: str) -> Kind:
    """The system of that name. Raises UsageError."""
    kind = SYSTEMS.get(name.replace("_", "-"))
    if kind is None:
        near = get_close_matches(name, SYSTEMS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(SYSTEMS)}"
        raise UsageError(f"there is no system called {name}: {hint}")
    return kind


def make(name: str, field: Field, options: Mapping[str, object]) -> System:
    """The system of that name at its beginning. Raises UsageError."""
    return find(name).make(field, options)


def of(definition: Definition) -> System:
    """The system of a tournament at its beginning. Raises UsageError."""
    field = Field.of(definition, copies=find(definition.system).copies)
    return make(definition.system, field, definition.settings)
