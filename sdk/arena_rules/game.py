"""The vocabulary of every game: static facts (`Game`), a position (`State`), what one seat sees of it (`View`).

Positions stand in a module of their own, `position`, because that one can be compiled. A game is mostly class
attributes, which a compiled base class would not find on a subclass in Python.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic

from arena_rules.chance import SEED_LIMIT
from arena_rules.errors import BadOptions
from arena_rules.position import M, Picture, State, View

__all__ = ["Game", "M", "Option", "Options", "Picture", "State", "View"]

Options = Mapping[str, str]
"""The rule options in force, by name: every option of the game has its value."""


@dataclass(frozen=True, slots=True)
class Option:
    """One point on which rulebooks or tables differ."""

    about: str
    choices: Mapping[str, str]
    """What may be chosen, with a sentence on each."""
    default: str


class Game(ABC, Generic[M]):
    """What is fixed about a game before anybody sits down."""

    name: str
    """The word for it in commands and on the wire."""
    title: str
    rules_version: str
    """Changes whenever the same seed and moves could give another game."""
    players: tuple[int, ...]
    options: Mapping[str, Option]
    editions: Mapping[str, Options]
    """Presets: for each edition, the options in which it differs from the defaults."""
    default_edition: str

    def rules(self, edition: str | None = None, overrides: Options | None = None) -> Options:
        """All options of an edition, with overrides on top. Raises BadOptions with what could have been said."""
        edition = edition or self.default_edition
        if edition not in self.editions:
            raise BadOptions(f"{self.name} has no edition '{edition}'; there are {', '.join(self.editions)}")
        chosen = {name: option.default for name, option in self.options.items()}
        chosen.update(self.editions[edition])
        for name, value in (overrides or {}).items():
            self._check_option(name, value)
            chosen[name] = value
        return chosen

    def check_players(self, players: int) -> None:
        if players not in self.players:
            allowed = f"{self.players[0]} to {self.players[-1]}"
            raise BadOptions(f"{self.name} is played by {allowed}, not by {players}")

    def check_seed(self, seed: int) -> None:
        if not 0 <= seed < SEED_LIMIT:
            raise BadOptions(f"a seed is a number from 0 to {SEED_LIMIT - 1}, not {seed}")

    def _check_option(self, name: str, value: str) -> None:
        if name not in self.options:
            raise BadOptions(f"{self.name} has no option '{name}'; there are {', '.join(self.options)}")
        choices = self.options[name].choices
        if value not in choices:
            raise BadOptions(f"option '{name}' of {self.name} cannot be '{value}'; choose from {', '.join(choices)}")

    @abstractmethod
    def deal(self, players: int, seed: int, options: Options | None = None) -> State[M]:
        """The state before the first move. All chance of the whole game is fixed by the seed."""

    @abstractmethod
    def read_move(self, text: str) -> M:
        """The move that `str(move)` wrote. Raises NotationError."""

    @abstractmethod
    def read_state(self, text: str) -> State[M]:
        """The state that `str(state)` wrote. Raises NotationError."""

    @abstractmethod
    def read_view(self, text: str) -> View[M]:
        """The view that `str(view)` wrote. Raises NotationError."""
