"""My Shelfie as a registered game."""

from __future__ import annotations

from arena_rules.game import Game, Option, Options
from arena_rules.shelfie import facts, moves, notation
from arena_rules.shelfie.deal import deal, rules_of
from arena_rules.shelfie.moves import Move
from arena_rules.shelfie.state import ShelfieState
from arena_rules.shelfie.view import ShelfieView


class Shelfie(Game[Move]):
    name = "shelfie"
    title = "My Shelfie"
    rules_version = "1"
    players = facts.PLAYERS
    options = {name: Option(**option) for name, option in facts.OPTIONS.items()}
    editions = facts.EDITIONS
    default_edition = facts.DEFAULT_EDITION

    def deal(self, players: int, seed: int, options: Options | None = None) -> ShelfieState:
        self.check_players(players)
        self.check_seed(seed)
        return ShelfieState.dealt(deal(rules_of(players, options or self.rules()), seed))

    def read_move(self, text: str) -> Move:
        return moves.read_move(text)

    def read_state(self, text: str) -> ShelfieState:
        return notation.read_state(text)

    def read_view(self, text: str) -> ShelfieView:
        return notation.read_view(text)


SHELFIE = Shelfie()
