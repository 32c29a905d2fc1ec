"""How much of the machine a bot may use."""

from __future__ import annotations

from dataclasses import dataclass

MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """For one process of a bot with all that it starts."""

    memory_mb: int = 1024
    """Of all its processes together, its files in memory included."""
    processes: int = 128
    """Threads count too."""
    cores: float = 1.0
    cpu_seconds: int = 6 * 3600
    """In its whole life, each process: what a runaway may cost at most."""
    files: int = 512
    """Open at the same time, each process."""
    tmp_mb: int = 64
    """What it can write to /tmp, and again to /dev/shm."""


BUILDING = Limits(memory_mb=4096, processes=512, cores=4.0, cpu_seconds=3600, files=4096, tmp_mb=1024)
"""Compilers are larger than bots."""

BUILT_MB = 2048
"""The most that a bot's folder may weigh while and after it is built."""
