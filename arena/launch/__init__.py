"""Starts and ends bot processes. Never sees a move."""

from arena.launch.command import NOT_CONFINED, Launch, Order, StartFailed, Wrapper, bare
from arena.launch.guard import Guard, Unguarded
from arena.launch.limits import Limits
from arena.launch.manifest import Manifest, content_hash, read_manifest
from arena.launch.pool import Pool
from arena.launch.process import BotProcess, Ending, start
from arena.launch.usage import Usage, run_and_wait_ns, usage_of

__all__ = [
    "NOT_CONFINED",
    "BotProcess",
    "Ending",
    "Guard",
    "Launch",
    "Limits",
    "Manifest",
    "Order",
    "Pool",
    "StartFailed",
    "Unguarded",
    "Usage",
    "Wrapper",
    "bare",
    "content_hash",
    "read_manifest",
    "run_and_wait_ns",
    "start",
    "usage_of",
]
