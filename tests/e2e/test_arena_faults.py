"""What is no bot's fault: a referee that is killed, a full disk, a database that goes away, a host that is busy.

Whatever it is, no bot is blamed for it, no game that was acknowledged is lost or counted twice, and the tournament
comes to the same end, by itself or by the command that is printed.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.cli.boards import board_json
from arena.record import MatchRecord
from arena.store import Pool, Store, open_store
from arena.tournament.audit import audit
from arena.tournament.board import board
from tests.e2e.test_cli import arena, started
from tests.e2e.test_tournament import descendants, logged
from tests.postgres import cluster
from tests.tree import ROOT
from tests.unit.launch.table import alive

PATIENCE = 50.0
BOTS = [str(ROOT / "bots" / name) for name in ("greedy", "random")]
ROUNDS = 60
FIXED = [*BOTS, "--game", "shelfie", "--seed", "7", "--time", "none", "--name", "cup", "--rounds", str(ROUNDS)]


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.005)


def table(store: Store) -> dict[str, Any]:
    """How the tournament has ended. Every match counts once, nobody is blamed, and an audit finds nothing wrong."""
    results = list(store.results("shelfie", tournament="cup"))
    assert [result.index for result in results] == list(range(2 * ROUNDS))
    assert not any(any(result.forfeits) for result in results)
    assert audit(store).findings == []
    assert store.check() == []
    return board_json(board(store, Pool("shelfie", tournament="cup")))


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """How the tournament ends when nothing happens."""
    home = tmp_path_factory.mktemp("calm")
    done = arena("tournament", *FIXED, "--in-flight", "8", "--home", home)
    assert done.returncode == 0, done.stderr
    with open_store(home / "arena.db") as store:
        return table(store)


def records(store: Store) -> dict[tuple[int, int], MatchRecord]:
    """What is acknowledged, by index and attempt."""
    return {(kept.key.index, kept.key.attempt): kept.record() for kept in store.records()}


# ── a referee that is killed ────────────────────────────────────────────────────────────────────────────────────────


def children(pid: int) -> list[int]:
    return [int(word) for path in Path(f"/proc/{pid}/task").glob("*/children") for word in path.read_text().split()]


def test_a_referee_that_is_killed(expected: dict[str, Any], tmp_path: Path) -> None:
    """Its bots go with it, another takes its place, and what it was playing is void and played again."""
    with started("tournament", *FIXED, "--in-flight", "4", "--jobs", "1", "--home", tmp_path) as cup:
        wait_until(lambda: logged(tmp_path) > 4)
        (referee,) = children(cup.pid)
        bots = descendants(referee)
        os.kill(referee, signal.SIGKILL)
        _, err = cup.communicate(timeout=PATIENCE)
    assert (cup.returncode, err) == (0, "")
    assert bots
    assert not any(map(alive, bots))
    with open_store(tmp_path / "arena.db") as store:
        void = {record.void_reason for record in records(store).values() if record.outcome is None}
        assert void == {"The referee's process ended before the match did."}
        assert table(store) == expected


# ── a host that is busy ─────────────────────────────────────────────────────────────────────────────────────────────

THINKS = """
import time
from pathlib import Path
from arena_sdk import Bot, run

asked = Path(__file__).with_name("asked")

class Thinks(Bot):
    def choose(self, turn):
        if turn.number > 4 and not asked.exists():
            asked.touch()
            time.sleep(0.3)
        return turn.legal[0]

run(Thinks())
"""


@pytest.mark.usefixtures("in_the_open")  # for the bot to say when it thinks
def test_a_machine_that_stands_still(tmp_path: Path) -> None:
    """A bot whose time runs out while nothing runs is not to blame: the match is void, and played again."""
    thinks = tmp_path / "thinks"
    thinks.mkdir()
    (thinks / "bot.toml").write_text('name = "thinks"\ngames = ["shelfie"]\ncommand = ["python", "bot.py"]\n')
    (thinks / "bot.py").write_text(THINKS)
    plan = ["--game", "shelfie", "--seed", "7", "--time", "1s", "--name", "cup", "--rounds", "1", "--jobs", "1"]
    home = tmp_path / "home"
    with started("tournament", thinks, BOTS[1], *plan, "--home", home) as cup:
        wait_until((thinks / "asked").exists)
        machine = descendants(cup.pid)
        for pid in machine:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(1.5)  # it is this that is tried out
        for pid in machine:
            os.kill(pid, signal.SIGCONT)
        _, err = cup.communicate(timeout=PATIENCE)
    assert (cup.returncode, err) == (0, "")
    with open_store(home / "arena.db") as store:
        found = records(store)
        (void,) = [record for record in found.values() if record.outcome is None]
        assert void.void_reason.startswith("The machine stood still for ")
        assert (void.spec.index, void.spec.attempt + 1) in found
        assert all(record.verdicts == () for record in found.values() if record.outcome is not None)
        assert audit(store).findings == []


# ── a disk that is full ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of eight megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "arena-test", str(place)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"a small disk can only be made by root, where mounting is allowed: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)  # the last bot may still be on its way out


def fill(place: Path) -> Path:
    """A file that leaves no room beside it."""
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return ballast


def test_a_disk_that_is_full(expected: dict[str, Any], small_disk: Path) -> None:
    """One sentence says so, all that was acknowledged is there, and with room again the printed command goes on."""
    home = small_disk / "home"
    with started("tournament", *FIXED, "--in-flight", "4", "--home", home) as cup:
        wait_until(lambda: logged(home) > 4)
        ballast = fill(small_disk)
        out, err = cup.communicate(timeout=PATIENCE)
    assert (cup.returncode, out) == (5, "")
    how, why = err.splitlines()
    assert why.startswith(f"error: there is no room left for {home / 'arena.db'}: free some space")
    ballast.unlink()
    with open_store(home / "arena.db") as store:
        before = records(store)
        assert audit(store).findings == []
    assert 4 < len(before) < 2 * ROUNDS
    again = shlex.split(how.partition("go on with: arena ")[2])
    done = arena(*again, "--in-flight", "8")
    assert done.returncode == 0, done.stderr
    with open_store(home / "arena.db") as store:
        assert before.items() <= records(store).items()
        assert table(store) == expected


# ── a database that goes away ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_a_database_that_is_restarted(expected: dict[str, Any]) -> None:
    """The tournament waits for it, says so, and goes on: nothing acknowledged is lost, and nothing counts twice."""
    with cluster() as server, open_store(server.fresh()) as store:
        place = store.database.place
        with started("tournament", *FIXED, "--db", place) as cup:
            wait_until(lambda: len(records(store)) > 4)
            before = records(store)
            server.restart()
            _, err = cup.communicate(timeout=PATIENCE)
        assert cup.returncode == 0, err
        assert err.count("; waiting up to 60 s for it to come back\n") == len(err.splitlines()) == 1
        assert len(before) < 2 * ROUNDS
        assert before.items() <= records(store).items()
        assert table(store) == expected
