"""My Shelfie: the rules of the game for two to four players, in all its editions."""

from arena_rules.shelfie.choices import Choices
from arena_rules.shelfie.game import SHELFIE, Shelfie
from arena_rules.shelfie.moves import Line, Move
from arena_rules.shelfie.state import ShelfieState
from arena_rules.shelfie.view import ShelfieView

__all__ = ["SHELFIE", "Choices", "Line", "Move", "Shelfie", "ShelfieState", "ShelfieView"]
