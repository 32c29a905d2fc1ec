"""The vocabulary of every game: static facts (`Game`), a position (`State`), what one seat sees of it (`View`).

A state never changes under its holder: `apply` gives a new one. Search code that owns a copy may use `advance`, which
changes it in place and is several times cheaper; it trusts its caller to pass a legal move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

from arena_rules.chance import SEED_LIMIT
from arena_rules.errors import BadOptions
from arena_rules.outcome import Outcome, Score

M = TypeVar("M")

Options = Mapping[str, str]
"""The rule options in force, by name: every option of the game has its value."""

Picture = Sequence[Sequence[tuple[str, str]]]
"""A drawing in text: lines of pieces, each a text and the kind of thing it shows, for whoever adds colour."""


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


class State(ABC, Generic[M]):
    """A complete position, hidden things included. `str()` gives its notation; equal states write the same."""

    players: int
    turn: int
    """How many moves have been made."""
    to_move: int
    """The seat to move, or -1 when the game is over."""
    left: tuple[int, ...]
    """The seats that have left the game, in the order of leaving."""

    @abstractmethod
    def legal_moves(self) -> list[M]:
        """Every legal move of the seat to move, in a fixed order. Of moves with the same effect, one is listed."""

    @abstractmethod
    def random_move(self, rng: Random) -> M:
        """Some legal move. Every one can come, not all with the same probability; cheaper than choosing from all."""

    @abstractmethod
    def check(self, move: M) -> None:
        """Raises IllegalMove, with a sentence that says why, unless the seat to move may make this move."""

    @abstractmethod
    def advance(self, move: M) -> None:
        """Make a legal move in place. Unchecked: for copies that the caller owns."""

    @abstractmethod
    def copy(self) -> State[M]: ...

    def apply(self, move: M) -> State[M]:
        """The state after the move. Raises IllegalMove."""
        self.check(move)
        after = self.copy()
        after.advance(move)
        return after

    @abstractmethod
    def retire(self, seat: int) -> State[M]:
        """The state after a seat has left the game for good; the others play on, if two or more are left."""

    @abstractmethod
    def view(self, seat: int) -> View[M]:
        """All that the seat may know."""

    def told(self, move: M, seat: int) -> M | None:
        """The move, made from this state, as far as the seat may know it. None when it is wholly hidden."""
        return move

    @abstractmethod
    def score(self, seat: int) -> Score:
        """The score sheet of the seat, as if the game ended now."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""

    def picture(self) -> Picture:
        """The position as people like to see it. Games should draw something better than their notation."""
        return [[(str(self), "")]]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


class View(ABC, Generic[M]):
    """What one seat may know of a state, and nothing else. `str()` gives its notation; equal views write the same."""

    players: int
    seat: int
    """The seat that sees this."""
    turn: int
    to_move: int
    """As in `State`."""

    @abstractmethod
    def legal_moves(self) -> list[M]:
        """The legal moves of the seat to move, as `State.legal_moves` lists them, when it is this seat.

        Of the moves of another seat, those that this one knows of: maybe none, where hands are hidden.
        """

    @abstractmethod
    def sample(self, rng: Random) -> State[M]:
        """A complete state that this seat cannot tell from the true one, drawn as the deal would draw it."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))
