"""The one boundary between values and messages. Nothing outside fills in or reads a message of a game.

Messages are written in place (``write_…(values, into)``): copying finished messages into a batch costs more than making
them.
"""

from arena_sdk.codec.events import codec_of, read_event, read_move, write_event, write_move, write_turn
from arena_sdk.codec.game import GameCodec
from arena_sdk.codec.outcome import read_outcome, write_outcome

__all__ = [
    "GameCodec",
    "codec_of",
    "read_event",
    "read_move",
    "read_outcome",
    "write_event",
    "write_move",
    "write_outcome",
    "write_turn",
]
