"""Starts and ends bot processes. Never sees a move."""

from arena.launch.command import StartFailed, Wrapper, bare
from arena.launch.manifest import Manifest, content_hash, read_manifest
from arena.launch.pool import Pool
from arena.launch.process import BotProcess, Ending, start
from arena.launch.usage import Usage, run_and_wait_ns, usage_of

__all__ = [
    "BotProcess",
    "Ending",
    "Manifest",
    "Pool",
    "StartFailed",
    "Usage",
    "Wrapper",
    "bare",
    "content_hash",
    "read_manifest",
    "run_and_wait_ns",
    "start",
    "usage_of",
]
