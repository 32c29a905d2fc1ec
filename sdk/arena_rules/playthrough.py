"""Whole random games, kept state by state: what the conformance kit and other tests look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

from arena_rules.chance import derive
from arena_rules.game import Game, Options, State

M = TypeVar("M")

MOST_TURNS = 2_000
"""A random game that goes on for longer counts as endless, unless the caller says otherwise."""

_LOOKED_AT = 6
"""Costly laws look at this many turns of a game, not at all of them."""


class Table(NamedTuple):
    """A number of players and the rules that they agreed on."""

    players: int
    rules: str
    """What is special about the options: an edition, or a single option."""
    options: Options


def tables(game: Game[Any]) -> Iterator[Table]:
    """Every number of players with every edition, and with each value of each option on top of the default edition."""
    usual = game.rules()
    for players in game.players:
        for edition in game.editions:
            yield Table(players, f"edition {edition}", game.rules(edition))
        for name, option in game.options.items():
            for value in option.choices:
                if value != usual[name]:
                    yield Table(players, f"{name}={value}", game.rules(overrides={name: value}))


@dataclass
class Playthrough(Generic[M]):
    """One game: every state from the deal to the end, and the moves between them."""

    game: Game[M]
    table: Table
    seed: int
    states: list[State[M]] = field(default_factory=list)
    moves: list[M] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    """The notation of each state, written down when the state was reached."""

    @property
    def last(self) -> State[M]:
        return self.states[-1]

    def turns(self) -> list[tuple[int, State[M], M]]:
        """Each turn with the state it began from and the move that was made."""
        return list(zip(range(len(self.moves)), self.states, self.moves, strict=False))

    def some_turns(self, rng: Random) -> list[tuple[int, State[M], M]]:
        """The first turn, the last one and a few in between."""
        turns = self.turns()
        if len(turns) <= _LOOKED_AT:
            return turns
        return [turns[0], *rng.sample(turns[1:-1], _LOOKED_AT - 2), turns[-1]]

    @property
    def where(self) -> str:
        return f"{self.game.name}, {self.table.players} players, {self.table.rules}, seed {self.seed}"

    def demand(self, kept: bool, turn: int, sentence: str) -> None:
        """Raise an AssertionError with the sentence, and where it was broken, unless the law was kept."""
        if not kept:
            raise AssertionError(f"{self.where}, turn {turn}: {sentence}")


def random_game(
    game: Game[M],
    players: int,
    seed: int,
    options: Options | None = None,
    rng: Random | None = None,
    *,
    rules: str = "",
    most_turns: int = MOST_TURNS,
) -> Playthrough[M]:
    """A whole game in which everybody plays `random_move`. Without ``rng``, the moves follow from the seed too.

    ``rules`` is only what the playthrough calls the options. Raises AssertionError when the game does not end.
    """
    rng = rng or Random(derive(seed, "random game"))
    table = Table(players, rules or f"edition {game.default_edition}", options or game.rules())
    play = Playthrough(game, table, seed)
    state = game.deal(players, seed, table.options)
    while True:
        play.states.append(state)
        play.written.append(str(state))
        if state.to_move < 0:
            return play
        play.demand(len(play.moves) < most_turns, len(play.moves), f"random play has not ended in {most_turns} turns")
        play.moves.append(state.random_move(rng))
        state = state.apply(play.moves[-1])


def play_on(state: State[M], rng: Random, most_turns: int = MOST_TURNS) -> State[M]:
    """The end of a random game that goes on from this state, which is left as it is."""
    state = state.copy()
    for _ in range(most_turns):
        if state.to_move < 0:
            return state
        state.advance(state.random_move(rng))
    raise AssertionError(f"random play has not ended in {most_turns} turns from: {state}")
