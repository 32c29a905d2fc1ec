"""What can go wrong in the rules, from the general to the particular.

RulesError
├── UnknownGame       no game of that name is registered
├── BadOptions        an edition, rule option or number of players that the game does not have
├── NotationError     a text that cannot be read as a move, a view or a state
└── IllegalMove       a well-formed move that the rules forbid here
"""

from __future__ import annotations


class RulesError(ValueError):
    """Base of all errors in this package. The message is one sentence for a person."""


class UnknownGame(RulesError):
    """No game of that name is registered."""


class BadOptions(RulesError):
    """An edition, rule option or number of players that the game does not have."""


class NotationError(RulesError):
    """A text that cannot be read as a move, a view or a state."""


class IllegalMove(RulesError):
    """A well-formed move that the rules forbid in this state."""
