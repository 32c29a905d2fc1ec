"""`python -m tests.integration.retold N`: all that is said in N random games at every table, on stdout.

By the rules of the games, and by the SDK when it carries a game over messages.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

from arena_rules import Game, State, games
from arena_rules.errors import IllegalMove
from arena_rules.registry import build_of
from arena_rules.testing import Table, check_game, random_game, tables
from arena_sdk import Bot, Turn
from arena_sdk import Table as Seat
from arena_sdk.events import News
from arena_sdk.player import Player
from arena_sdk.testing import Playthrough, play
from tests.unit.rules.coins import Coins


def main(count: int) -> None:
    print(f"code of the wire: {build_of(Player.__module__).value}")
    check_game(Coins(), games=1)  # a game in pure Python stands on rules of either kind
    for game in games().values():
        print(f"code of {game.name}: {build_of(type(game).__module__).value}")
        for table in tables(game):
            for seed in range(count):
                print("\n".join(retold(game, table, seed)))
                print(f"  carried over messages: {carried(game, table, seed)}")


def retold(game: Game[Any], table: Table, seed: int) -> Iterator[str]:
    play = random_game(game, table.players, seed, table.options, rules=table.rules)
    rng = Random(seed)
    for turn, (state, written) in enumerate(zip(play.states, play.written, strict=True)):
        yield f"{play.where}, turn {turn}: {written}"
        yield f"  moves {digest(' '.join(map(str, state.legal_moves())))}, then {rng.getstate()[1][-1]}"
        seat = rng.randrange(state.players)
        view = state.view(seat)
        yield f"  seen from {seat}: {digest(str(view), str(view.sample(rng)), *map(str, view.legal_moves()))}"
        yield f"  scores {[state.score(seat).parts for seat in range(state.players)]}, pickled {same(state)}"
        yield f"  refused: {refused(state, play.moves[rng.randrange(len(play.moves))])}"
        yield f"  left: {state.retire(seat)} {state.retire(seat).outcome()}"
    yield f"  {play.last.outcome()}"


def carried(game: Game[Any], table: Table, seed: int) -> Playthrough:
    """A game of bots who look at all that they are sent."""
    return play([Looker() for _ in range(table.players)], game.name, seed=seed, options=table.options)


class Looker(Bot):
    """Its moves follow from all that it is told: were anything told otherwise, the game would be another."""

    def started(self, table: Seat) -> None:
        options = sorted(table.start.options.items())  # in a message they have no order
        table.notes["told"] = f"{table.players} {table.seat} {table.start.seed} {options}"

    def heard(self, table: Seat, news: News) -> None:
        table.notes["told"] += str(news)

    def choose(self, turn: Turn) -> Any:
        told = int(digest(turn.table.notes["told"], str(turn.view), *map(str, turn.legal)), 16)
        move = turn.legal[told % len(turn.legal)]
        return str(move) if told % 7 == 0 else move


def digest(*texts: str) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()[:16]


def same(state: State[Any]) -> bool:
    return bool(pickle.loads(pickle.dumps(state)) == state)  # noqa: S301  # what was pickled a moment ago


def refused(state: State[Any], move: Any) -> str:
    """What is said to a move that may be illegal here."""
    try:
        state.check(move)
    except IllegalMove as error:
        return str(error)
    return "no"


if __name__ == "__main__":
    main(int(sys.argv[1]))
