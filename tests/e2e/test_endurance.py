"""Long runs and rough ends: nothing grows, nothing is restarted without need, and nothing is left behind."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.archive import read
from arena.record import VerdictKind
from arena.replay import verify
from tests.tree import ROOT
from tests.unit.launch.table import alive

pytestmark = pytest.mark.usefixtures("in_the_open")

PATIENCE = 20.0
RANDOM = ROOT / "bots" / "random"

WARM_UP = 100
MAY_GROW_KIB = 600
"""What an allocator may keep for itself. A leak of two kilobytes per game would be more."""


# ── many games ──────────────────────────────────────────────────────────────────────────────────────────────────────

# The same twenty deals again and again, because the rules remember what they have worked out for shelves once seen.
MANY_GAMES = """
import json, os, sys
from pathlib import Path
from arena.launch import read_manifest
from arena.record import MatchSpec
from arena.tournament.runner import play_matches, run
from arena_sdk import TimeControl

def look(pid):
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pid, pages * os.sysconf("SC_PAGE_SIZE") // 1024, len(os.listdir(f"/proc/{pid}/fd"))

def everybody():
    words = " ".join(path.read_text() for path in Path("/proc/self/task").glob("*/children"))
    return [look(pid) for pid in (os.getpid(), *sorted(map(int, words.split())))]

async def main(folder, games, in_flight):
    time = TimeControl(10_000, 60_000)
    specs = (MatchSpec(index, "shelfie", "en-2022", ("bot", "bot"), index % 20, time) for index in range(games))
    async for record in play_matches(specs, {"bot": read_manifest(Path(folder))}, in_flight=in_flight):
        assert record.verdicts == () and record.outcome is not None, record
        if record.spec.index % 50 == 49:
            print(json.dumps([record.spec.index, everybody()]))

run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
"""


class Size(NamedTuple):
    """How large a process is."""

    pid: int
    memory_kib: int
    files: int


def sizes(bot: Path, games: int, in_flight: int) -> dict[int, list[Size]]:
    """The sizes of the arena and its bots, by the number of games played, while a bot plays so many against itself."""
    command = [sys.executable, "-c", MANY_GAMES, str(bot), str(games), str(in_flight)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=55, check=False)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {index + 1: [Size(*process) for process in processes] for index, processes in lines}


def growth(before: list[Size], after: list[Size]) -> int:
    """By how much the process that has grown most has grown."""
    return max(late.memory_kib - early.memory_kib for early, late in zip(before, after, strict=True))


@pytest.mark.parametrize("in_flight", [1, 16])
def test_five_hundred_games(in_flight: int) -> None:
    """One pair of processes plays them all, and neither memory nor open files grow, in the arena or in the bots."""
    measured = sizes(RANDOM, 500, in_flight)
    early, late = measured[WARM_UP], measured[500]
    pids = [process.pid for process in early]
    assert len(pids) == 3
    assert all([process.pid for process in processes] == pids for processes in measured.values())
    assert [process.files for process in early] == [process.files for process in late]
    assert growth(early, late) < MAY_GROW_KIB
    assert not any(map(alive, pids))


def test_a_bot_that_grows_is_noticed(tmp_path: Path) -> None:
    """The measurement would notice a bot that keeps a few kilobytes of every game."""
    shutil.copytree(RANDOM, tmp_path / "bot", ignore=shutil.ignore_patterns("__pycache__"))
    code = (tmp_path / "bot" / "bot.py").read_text()
    hoard = "\n    hoard = []\n\n    def ended(self, table, end):\n        self.hoard.append(bytearray(4096))\n"
    (tmp_path / "bot" / "bot.py").write_text(code.replace("(Bot):\n", f"(Bot):{hoard}", 1))
    measured = sizes(tmp_path / "bot", 500, 16)
    assert growth(measured[WARM_UP], measured[500]) > MAY_GROW_KIB


# ── rough ends ──────────────────────────────────────────────────────────────────────────────────────────────────────

WAITS = """
import sys, time
from pathlib import Path
from arena_sdk import Bot, run

asked = Path(__file__).with_name("asked")

class Waits(Bot):
    def choose(self, turn):
        if turn.number >= 4 and not asked.exists():
            print("waiting", flush=True)
            asked.write_text("now")
            time.sleep(600)
        return turn.legal[0]

run(Waits())
"""


@pytest.fixture
def waits(tmp_path: Path) -> Path:
    """A bot that waits for ever in the middle of its first game, and plays all others."""
    folder = tmp_path / "waits"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "waits"\ngames = ["shelfie"]\ncommand = ["python", "bot.py"]\n')
    (folder / "bot.py").write_text(WAITS)
    return folder


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder for temporary files whose name is short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="e2e-") as name:
        yield Path(name)


@contextmanager
def match(scratch: Path, *words: str | Path) -> Iterator[subprocess.Popen[str]]:
    """`arena match` under way, with its temporary files in a folder of their own."""
    command = [sys.executable, "-m", "arena.cli", "match", *map(str, words), "--game", "shelfie", "--time", "none"]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and theirs."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    found = [int(word) for file in lists for word in file.read_text().split()]
    return found + [deeper for child in found for deeper in descendants(child)]


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.01)


def sockets(scratch: Path) -> list[str]:
    """What is left of the folders in which referees meet their bots."""
    return [path.name for path in scratch.iterdir() if not path.name.startswith("arena-home-")]


def as_a_shell_sees_it(status: int) -> int:
    return 128 - status if status < 0 else status


ENDS = {signal.SIGINT: {130}, signal.SIGTERM: {130, 143}}


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.name)
@pytest.mark.parametrize("in_flight", ["1", "8"])
def test_a_run_that_is_ended(end: signal.Signals, in_flight: str, scratch: Path, tmp_path: Path) -> None:
    """Ctrl-C or SIGTERM amid many games leaves no process, no socket and no traceback, and the saved games hold."""
    saved = tmp_path / "log.arena"
    with match(scratch, RANDOM, RANDOM, "--games", "100000", "--in-flight", in_flight, "--save", saved) as arena:
        wait_until(lambda: saved.exists() and saved.stat().st_size > 10_000)
        bots = descendants(arena.pid)
        assert len(bots) == 2
        assert len(sockets(scratch)) == 1
        arena.send_signal(end)
        out, err = arena.communicate(timeout=PATIENCE)
    assert as_a_shell_sees_it(arena.returncode) in ENDS[end]
    assert not any(map(alive, bots))
    assert out == ""
    assert "Traceback" not in err
    assert "rror" not in err
    assert sockets(scratch) == []
    records = read(saved)
    assert [record.spec.index for record in records] == list(range(len(records)))
    verify(records[-1])


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.name)
def test_a_run_that_is_ended_while_a_bot_thinks(end: signal.Signals, waits: Path, scratch: Path) -> None:
    """A bot that does not answer does not hold up the end."""
    with match(scratch, waits, RANDOM) as arena:
        wait_until((waits / "asked").exists)
        bots = descendants(arena.pid)
        began = time.monotonic()
        arena.send_signal(end)
        _, err = arena.communicate(timeout=PATIENCE)
    assert time.monotonic() - began < 5
    assert as_a_shell_sees_it(arena.returncode) in ENDS[end]
    assert len(bots) == 2
    assert not any(map(alive, bots))
    assert "Traceback" not in err
    assert sockets(scratch) == []


def test_a_bot_that_is_killed_in_mid_game(waits: Path, scratch: Path, tmp_path: Path) -> None:
    """The other bot wins, the record says how this one died, and a fresh process plays the next game."""
    saved = tmp_path / "log.arena"
    with match(scratch, waits, RANDOM, "--games", "2", "--save", saved) as arena:
        wait_until(lambda: (waits / "asked").exists() and (waits / "asked").read_text() == "now")
        (victim,) = (pid for pid in descendants(arena.pid) if Path(f"/proc/{pid}/cwd").readlink() == waits)
        os.kill(victim, signal.SIGKILL)
        out, err = arena.communicate(timeout=PATIENCE)
    assert (arena.returncode, err) == (0, "")
    assert "waits" in out
    killed, next_one = read(saved)
    (verdict,) = killed.verdicts
    assert (verdict.seat, verdict.kind, verdict.turn, verdict.signal) == (0, VerdictKind.CRASHED, 4, signal.SIGKILL)
    assert "was killed by signal 9 (SIGKILL)" in verdict.detail
    assert verdict.log_tail == "waiting\n"
    assert killed.outcome is not None
    assert killed.outcome.ranks == (2, 1)
    assert next_one.verdicts == ()
    for record in (killed, next_one):
        verify(record)


def test_an_arena_that_is_killed(waits: Path, scratch: Path) -> None:
    """When the arena itself is killed, its bots are gone within two seconds, even one that does not listen."""
    with match(scratch, waits, RANDOM) as arena:
        wait_until((waits / "asked").exists)
        bots = descendants(arena.pid)
        assert len(bots) == 2
        arena.kill()
        arena.wait(PATIENCE)
        wait_until(lambda: not any(map(alive, bots)), seconds=2)
