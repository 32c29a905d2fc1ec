"""Codex Naturalis: the rules of the game for two to four players."""

from arena_rules.codex.choices import Choices
from arena_rules.codex.game import CODEX, Codex
from arena_rules.codex.moves import Move
from arena_rules.codex.state import CodexState
from arena_rules.codex.view import CodexView

__all__ = ["CODEX", "Choices", "Codex", "CodexState", "CodexView", "Move"]
