"""What a bot's process, with all that it started, has used so far."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import clock_gettime_ns


@dataclass(frozen=True, slots=True)
class Usage:
    """Processor time and memory of a process and its living descendants."""

    cpu_us: int = 0
    peak_kb: int = 0
    """The most that each of them has had, added up."""


def usage_of(pid: int) -> Usage:
    """What is known of a process tree: nothing of processes that have gone, nothing at all elsewhere than on Linux."""
    if sys.platform != "linux":
        return Usage()
    cpu_us = peak_kb = 0
    waiting = [pid]
    while waiting:
        process = waiting.pop()
        with suppress(OSError):
            cpu_us += clock_gettime_ns(_processor_clock(process)) // 1000
            peak_kb += _peak_kb(process)
            waiting += children(process)
    return Usage(cpu_us, peak_kb)


def run_and_wait_ns(pid: int) -> tuple[int, int]:
    """How long the threads of a process tree have run, and have waited for a processor, in all; 0 where not known."""
    ran = waited = 0
    waiting = [pid] if sys.platform == "linux" else []
    while waiting:
        process = waiting.pop()
        with suppress(OSError, IndexError):
            for thread in Path(f"/proc/{process}/task").iterdir():
                times = (thread / "schedstat").read_text().split()
                ran, waited = ran + int(times[0]), waited + int(times[1])
            waiting += children(process)
    return ran, waited


def children(pid: int) -> list[int]:
    """Those that its main thread has started, as bots do."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _processor_clock(pid: int) -> int:
    """The clock of the processor time of all threads of a process, by the numbering that the kernel has for them."""
    return (~pid << 3) | 2


def _peak_kb(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0  # a zombie
