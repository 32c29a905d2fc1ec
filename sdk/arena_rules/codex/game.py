"""Codex Naturalis as a registered game."""

from __future__ import annotations

from arena_rules.codex import facts, moves, notation
from arena_rules.codex.deal import deal, rules_of
from arena_rules.codex.moves import Move
from arena_rules.codex.state import CodexState
from arena_rules.codex.view import CodexView
from arena_rules.game import Game, Option, Options


class Codex(Game[Move]):
    name = "codex"
    title = "Codex Naturalis"
    rules_version = "1"
    players = facts.PLAYERS
    options = {name: Option(**option) for name, option in facts.OPTIONS.items()}
    editions = facts.EDITIONS
    default_edition = facts.DEFAULT_EDITION

    def deal(self, players: int, seed: int, options: Options | None = None) -> CodexState:
        self.check_players(players)
        self.check_seed(seed)
        return CodexState.dealt(deal(rules_of(players, options or self.rules()), seed))

    def read_move(self, text: str) -> Move:
        return moves.read_move(text)

    def read_state(self, text: str) -> CodexState:
        return notation.read_state(text)

    def read_view(self, text: str) -> CodexView:
        return notation.read_view(text)


CODEX = Codex()
