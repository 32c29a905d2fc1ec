"""Where a stronger player would have moved otherwise, and how much that would have been worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from arena.errors import UsageError
from arena.record import MatchRecord
from arena.replay import Position, verify
from arena_rules import State, View, game
from arena_rules.chance import derive
from arena_sdk.search import Budget, Guide, ismcts, rewards, rollout
from arena_sdk.search import codex as codex_search
from arena_sdk.search import shelfie as shelfie_search

ROUNDS: Final = 300
"""How long the built-in reference thinks about a move."""
PLAYOUTS: Final = 80
"""How often each of two moves is played on to compare them."""

_GUIDES: Final[Mapping[str, Callable[[Any], Guide[Any]]]] = {
    "codex": codex_search.CodexGuide,
    "shelfie": shelfie_search.ShelfieGuide,
}

Choose = Callable[[View[Any], Random], Any]
"""A reference: the move it would make, given what the seat saw."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A turn at which the reference would have moved otherwise."""

    turn: int
    """How many moves had been made before."""
    played: str
    better: str
    """The move of the reference."""
    played_value: float
    """The part of the others that the seat could expect to leave behind, from 0 to 1."""
    better_value: float

    @property
    def cost(self) -> float:
        return self.better_value - self.played_value


def compare(
    record: MatchRecord, seat: int, choose: Choose | None = None, *, playouts: int = PLAYOUTS
) -> list[Comparison]:
    """All turns of a seat at which the reference differs, the costliest move first. Raises BadRecord, UsageError.

    Both moves are played on from the same guesses at what was hidden, by the same rules of thumb, with the same luck.
    The same record gives the same comparisons.
    """
    name = record.spec.game
    turns = decisions(record, seat)
    if not turns:
        raise UsageError(f"seat {seat} made no move in this match, so there is nothing to compare")
    found = [_compared(record, seat, position, choose or searcher(name), playouts) for position in turns]
    return sorted((one for one in found if one is not None), key=lambda one: (-one.cost, one.turn))


def searcher(name: str) -> Choose:
    """The built-in reference: a tree search with what the SDK knows of the game."""
    return lambda view, rng: ismcts(view, Budget(rounds=ROUNDS), rng, _guide(name, view)).move


def answers(moves: Mapping[int, str], name: str) -> Choose:
    """A reference whose moves are known already, by turn."""
    rules = game(name)
    return lambda view, _: rules.read_move(moves[view.turn])


def decisions(record: MatchRecord, seat: int) -> list[Position]:
    """The positions in which a seat made its moves. Raises BadRecord."""
    by_turn = {position.turn: position for position in verify(record) if position.state.to_move == seat}
    return [position for turn, position in by_turn.items() if turn < len(record.moves)]


def _compared(record: MatchRecord, seat: int, position: Position, choose: Choose, playouts: int) -> Comparison | None:
    view = position.state.view(seat)
    rng = Random(derive(record.spec.seed, f"reference {position.turn}"))
    made = game(record.spec.game).read_move(record.moves[position.turn].notation)
    better = choose(view, rng)
    if str(better) == str(made) or _same(position.state, made, better):
        return None
    values = _values(_guide(record.spec.game, view), view, (made, better), rng, playouts)
    return Comparison(position.turn, str(made), str(better), *values)


def _same(state: State[Any], one: Any, other: Any) -> bool:
    return str(state.apply(one)) == str(state.apply(other))


def _values(guide: Guide[Any], view: View[Any], moves: Sequence[Any], rng: Random, playouts: int) -> list[float]:
    """What each of the moves is worth on average over the same guesses."""
    totals = [0.0] * len(moves)
    for _ in range(playouts):
        guess, luck = view.sample(rng), rng.getrandbits(64)
        for number, move in enumerate(moves):
            after = guess.copy()
            after.advance(move)
            depth = None if guide.rounds is None else max(0, guide.rounds * view.players - 1)
            rollout(after, Random(luck), guide.play, depth)
            totals[number] += rewards(after, guide)[view.seat]
    return [total / playouts for total in totals]


def _guide(name: str, view: View[Any]) -> Guide[Any]:
    return _GUIDES[name](view) if name in _GUIDES else Guide()
