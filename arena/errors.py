"""What can go wrong in the platform, from the general to the particular.

ArenaError                the message is one sentence for a person: what is wrong, where, what to do
├── UsageError            the command cannot be carried out as it was given (exit code 2)
│   ├── BadManifest       a bot folder without a readable bot.toml
│   └── Unknown           a bot, tournament or match that is not in the store
├── BotFailed             a bot could not take its seat (exit code 3)
│   └── StartFailed       its process could not be started (in arena.launch)
├── BadRecord             a record that cannot be read or does not replay (exit code 4)
└── StoreError            the database cannot be used as it is, or not for this (exit code 5)
    ├── Away              the server of the database does not answer, or not any more
    └── Conflict          what is to be written contradicts what is there

The rules have a tree of their own, `arena_rules.errors`; a `RulesError` that reaches the command line is bad input too.
"""

from __future__ import annotations


class ArenaError(Exception):
    """Base of all errors that a person can cause or cure."""

    exit_code = 1


class UsageError(ArenaError):
    """The command cannot be carried out as it was given."""

    exit_code = 2


class BadManifest(UsageError):
    """A bot folder without a readable bot.toml."""


class Unknown(UsageError):
    """A bot, tournament or match that is not in the store."""


class BotFailed(ArenaError):
    """A bot could not take its seat."""

    exit_code = 3

    def __init__(self, sentence: str, log_tail: str = "") -> None:
        super().__init__(sentence)
        self.log_tail = log_tail
        """The last lines that the bot wrote to its log."""


class BadRecord(ArenaError):
    """A record that cannot be read or does not replay."""

    exit_code = 4


class StoreError(ArenaError):
    """The database cannot be used as it is, or not for this."""

    exit_code = 5


class Away(StoreError):
    """The server of the database does not answer, or not any more. It may come back; nothing acknowledged is lost."""


class Conflict(StoreError):
    """What is to be written contradicts what is there, which stays."""
