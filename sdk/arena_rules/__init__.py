"""The rules of every game: pure values, standard library only, no clock and no I/O.

>>> from random import Random
>>> from arena_rules.shelfie import SHELFIE
>>> state, rng = SHELFIE.deal(players=2, seed=7), Random(1)
>>> while state.outcome() is None:
...     state = state.apply(state.random_move(rng))
>>> sorted(state.outcome().ranks)
[1, 2]
"""

from arena_rules.errors import BadOptions, IllegalMove, NotationError, RulesError, UnknownGame
from arena_rules.game import Game, Option, Options, Picture, State, View
from arena_rules.outcome import Outcome, Score, Termination
from arena_rules.registry import game, games

__all__ = [
    "BadOptions",
    "Game",
    "IllegalMove",
    "NotationError",
    "Option",
    "Options",
    "Outcome",
    "Picture",
    "RulesError",
    "Score",
    "State",
    "Termination",
    "UnknownGame",
    "View",
    "game",
    "games",
]
