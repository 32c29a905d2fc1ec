"""However and whenever a command is ended that runs bots in sandboxes: none outlives it, and no half game is kept."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from arena.archive import read
from arena.replay import verify
from tests.tree import ROOT
from tests.unit.launch.table import alive

pytestmark = pytest.mark.needs("bwrap", "apt-get install bubblewrap")

PATIENCE = 20.0
MATCH = [sys.executable, "-m", "arena.cli", "match", str(ROOT / "bots" / "greedy"), str(ROOT / "bots" / "random")]


def family(pid: int) -> set[int]:
    """A process and its descendants."""
    found = {pid}
    with suppress(OSError):  # it may have just ended
        for path in Path(f"/proc/{pid}/task").glob("*/children"):
            found = found.union(*map(family, map(int, path.read_text().split())))
    return found


def gone(pids: set[int], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while any(map(alive, pids)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
@pytest.mark.parametrize("seed", range(3))
def test_an_end_at_any_moment(number: signal.Signals, seed: int, tmp_path: Path) -> None:
    """Before its bots are up, as they join or in mid-game: soon after the end of the command all of them are gone."""
    file = tmp_path / "games.arena"
    words = [*MATCH, "--game", "shelfie", "--games", "5000", "--seed", "7", "--save", str(file)]
    wait = Random(f"{number} {seed}").uniform(0.2, 1.2)
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as match:
        seen: set[int] = set()
        until = time.monotonic() + wait
        while time.monotonic() < until:
            seen |= family(match.pid)
            time.sleep(0.005)
        match.send_signal(number)
        assert match.wait(PATIENCE) != 0
    assert gone(seen, 2.0)
    for record in read(file) if file.exists() else ():
        verify(record)
        assert record.outcome is not None
