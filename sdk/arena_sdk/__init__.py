"""Write a bot in a few lines:

from arena_sdk import Bot, run

class RandomBot(Bot):
    def choose(self, turn):
        return turn.rng.choice(turn.legal)

run(RandomBot())
"""

from typing import TYPE_CHECKING, Any

from arena_sdk.bot import BatchBot, Bot
from arena_sdk.events import GameEnded, GameStarted, MoveApplied, News, SeatLeft, TimeControl
from arena_sdk.turn import Table, Turn

if TYPE_CHECKING:
    from arena_sdk.client import Exit, run

__all__ = [
    "BatchBot",
    "Bot",
    "Exit",
    "GameEnded",
    "GameStarted",
    "MoveApplied",
    "News",
    "SeatLeft",
    "Table",
    "TimeControl",
    "Turn",
    "run",
]


def __getattr__(name: str) -> Any:
    # The platform and in-process tests use this package without ever connecting: they need not wait for grpc.
    if name in {"Exit", "run"}:
        from arena_sdk import client

        return getattr(client, name)
    raise AttributeError(f"module 'arena_sdk' has no attribute '{name}'")
