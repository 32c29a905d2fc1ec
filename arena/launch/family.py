"""What a process and its descendants are doing, as the kernel shows it in /proc."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from arena.launch.usage import children


def is_stopped(ancestor: int, *, after: int = 0) -> bool:
    """Whether a process and its descendants have been stopped, all that live, as by SIGSTOP.

    The first ``after`` generations are not looked at.
    """
    states = [state for state in _states(ancestor, after) if state not in "ZX"]
    return bool(states) and all(state in "Tt" for state in states)


def _states(ancestor: int, after: int) -> Iterator[str]:
    generation = [ancestor] if sys.platform == "linux" else []
    while generation:
        found = []
        for pid in generation:
            with suppress(OSError):
                if after <= 0:
                    yield Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0]
                found += children(pid)
        generation, after = found, after - 1
