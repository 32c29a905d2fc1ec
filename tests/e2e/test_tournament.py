"""`arena tournament` as people run it: real referees, real bots, killed at random, with any number of jobs."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena.record import MatchRecord
from arena.replay import verify
from arena.store import open_store
from tests.e2e.test_cli import ARENA, arena
from tests.tree import ROOT
from tests.unit.launch.table import alive
from tests.unit.referee.table import without_times

BOTS = [str(ROOT / "bots" / name) for name in ("planner", "greedy", "random")]
PATIENCE = 60.0


def cup(home: Path, system: str, *words: str, bots: list[str] = BOTS) -> list[str]:
    """A tournament that comes out the same every time."""
    fixed = ["--game", "shelfie", "--seed", "7", "--time", "none", "--name", "cup", "--system", system]
    return ["tournament", *bots, *fixed, "--in-flight", "2", "--home", str(home), *words]


def five(folder: Path) -> list[str]:
    """The bundled bots, and copies of the two quick ones under other names, in that folder."""
    copies = []
    for bot in BOTS[1:]:
        copy = folder / f"second-{Path(bot).name}"
        copy.mkdir()
        manifest = (Path(bot) / "bot.toml").read_text()
        (copy / "bot.toml").write_text(re.sub(r'name = "(.*)"', r'name = "second-\1"', manifest, count=1))
        (copy / "bot.py").write_text((Path(bot) / "bot.py").read_text())
        copies.append(str(copy))
    return [*BOTS, *copies]


def logged(home: Path) -> int:
    """How many matches are in the log."""
    try:
        with sqlite3.connect(f"file:{home / 'arena.db'}?mode=ro", uri=True) as database:
            return int(database.execute("select count(*) from matches").fetchone()[0])
    except sqlite3.OperationalError:  # there is no log yet
        return 0


def killed_at(words: list[str], home: Path, matches: int) -> bool:
    """Run the command and kill it when so many matches are logged; False when it ends by itself before."""
    process = subprocess.Popen([*ARENA, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + PATIENCE
    try:
        while logged(home) < matches and process.poll() is None:
            assert time.monotonic() < deadline, "it does not get on"
            time.sleep(0.002)  # looking without a break would take the core from the referee
        return process.poll() is None
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)


def the_end(words: list[str], home: Path) -> str:
    """What the command prints in the end, wherever the arena is."""
    done = arena(*words)
    assert done.returncode == 0, done.stderr
    assert f"--home {home}" in done.stdout, "the printed command must find the same arena"
    return done.stdout.replace(str(home), "HOME")


def records(home: Path) -> Iterator[MatchRecord]:
    with open_store(home / "arena.db", create=False) as store:
        for kept in store.records("cup"):
            yield kept.record()


def timeless(record: MatchRecord) -> MatchRecord:
    return replace(without_times(record), efforts=())


SYSTEMS = {
    "round-robin": ["--rounds", "4"],
    "swiss": ["--rounds", "10"],
    "knockout": ["--best-of", "5"],
    "adaptive": ["--games", "120"],
}


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("system", "kills", "first"),
    [("round-robin", 2, 1), *(pytest.param(system, 20, 0, marks=pytest.mark.long) for system in SYSTEMS)],
)
def test_killed_and_resumed(system: str, kills: int, first: int, tmp_path: Path) -> None:
    """Killed with -9 again and again and resumed, a tournament comes to the same table, byte for byte."""
    bots = five(tmp_path)[first:]  # the first of them is the slow one
    whole, home = tmp_path / "whole", tmp_path / "killed"
    expected = the_end(cup(whole, system, *SYSTEMS[system], bots=bots), whole)
    games = logged(whole)
    moments = sorted(Random(games).sample(range(1, games), kills))
    words = cup(home, system, *SYSTEMS[system], bots=bots)
    done = [killed_at(words, home, moment) for moment in moments]
    assert done.count(True) >= kills - 1, "nearly all of them must have come before the end"
    assert the_end(words, home) == expected
    assert logged(home) == games
    for one, other in zip(records(whole), records(home), strict=True):
        assert timeless(one) == timeless(other)
        verify(other)


@pytest.mark.timeout(120)
def test_any_number_of_jobs_gives_the_same(tmp_path: Path) -> None:
    """With one, two and four referees the table is the same, and so is every record, times aside."""
    ends, logs = [], []
    for jobs in ("1", "2", "4"):
        home = tmp_path / jobs
        words = cup(home, "round-robin", "--rounds", "12", "--jobs", jobs, "--format", "json", bots=BOTS[1:])
        ends.append(the_end(words, home))
        logs.append(list(map(timeless, records(home))))
    assert ends[0] == ends[1] == ends[2]
    assert logs[0] == logs[1] == logs[2]
    assert len(logs[0]) == json.loads(ends[0])["games"] == 24


@pytest.mark.timeout(180)
def test_interrupted_and_resumed_by_name(tmp_path: Path) -> None:
    """Ctrl-C leaves no process, says how to go on, and going on plays only what is missing."""
    home = tmp_path / "home"
    words = cup(home, "round-robin", "--rounds", "60", bots=BOTS[1:])
    process = subprocess.Popen([*ARENA, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while logged(home) < 20:
        assert process.poll() is None, process.communicate()
        time.sleep(0.002)
    family = descendants(process.pid)
    assert len(family) > 3
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert f"go on with: arena tournament --resume cup --home {home}\n" in errors
    assert not any(map(alive, family))
    before = logged(home)
    assert before < 120
    done = arena("tournament", "--resume", "cup", "--home", home, "--in-flight", "4")
    assert done.returncode == 0, done.stderr
    assert logged(home) == 120
    assert arena("verify", "--home", home).returncode == 0


def descendants(pid: int) -> list[int]:
    """The processes that this one has started, and theirs."""
    children = [int(word) for path in Path(f"/proc/{pid}/task").glob("*/children") for word in path.read_text().split()]
    return children + [one for child in children for one in descendants(child)]


def test_a_cup_in_a_file(tmp_path: Path) -> None:
    """A tournament may stand in a file, with bots by their place from there, and flags have the last word."""
    (tmp_path / "bots").symlink_to(ROOT / "bots")
    (tmp_path / "cup.toml").write_text(
        'name = "spring"\nbots = ["bots/greedy", "bots/random"]\ngame = "shelfie"\nseed = 3\ntime = "none"\n'
        'system = "round-robin"\n[options]\nrounds = 2\n'
    )
    done = arena("tournament", tmp_path / "cup.toml", "--home", tmp_path / "home", "--seed", "4", "--format", "json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["games"] == 4
    assert (document["tournament"]["name"], document["tournament"]["seed"]) == ("spring", 4)


def test_a_dry_run_plays_nothing(tmp_path: Path) -> None:
    """A dry run shows the plan and its cost, and leaves nothing behind."""
    done = arena("tournament", *BOTS, "--game", "codex", "--rounds", "5", "--dry-run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "15 blocks, 30 games in all" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["bots/greedy"], "a tournament needs two bots or more"),
        (["bots/greedy", "bots/random", "--system", "swis"], "there is no system called swis: did you mean swiss?"),
        (["bots/greedy", "bots/random"], "these bots can play codex and shelfie; choose one with --game"),
        (["bots/greedy", "nobody"], "there is no bot named nobody in this arena"),
        (
            ["bots/greedy", "bots/random", "--game", "shelfie", "--players", "5"],
            "shelfie is played by 2, 3, 4, or mixed",
        ),
        (["bots/greedy", "bots/greedy", "--game", "shelfie"], "greedy@1 is entered twice"),
        (["--resume", "autumn"], "there is no tournament named autumn"),
        (["bots/greedy", "bots/random", "--game", "shelfie", "--rounds", "x"], "rounds must be a whole number"),
        (["nowhere.toml"], "nowhere.toml cannot be read"),
    ],
)
def test_mistakes(words: list[str], sentence: str, tmp_path: Path) -> None:
    """A mistake gets one sentence, exit code 2 and no traceback."""
    done = subprocess.run(
        [*ARENA, "tournament", *words, "--home", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


# ── compare ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("new", "old", "players", "code", "decision"),
    [
        ("greedy", "random", "2", 0, "better"),
        ("random", "greedy", "3", 10, "not better"),
    ],
)
def test_which_bot_is_better(new: str, old: str, players: str, code: int, decision: str, tmp_path: Path) -> None:
    """The exit code says whether the new one is better, and the score comes with an interval."""
    words = ["--game", "shelfie", "--players", players, "--time", "none", "--seed", "3", "--in-flight", "4"]
    done = arena("compare", ROOT / "bots" / new, ROOT / "bots" / old, *words, "--format", "json", "--home", tmp_path)
    assert done.returncode == code, done.stderr
    found = json.loads(done.stdout)
    assert found["decision"] == decision
    assert found["interval"][0] <= found["score"] <= found["interval"][1]
    assert found["blocks"] < 40


def test_a_question_that_stays_open(tmp_path: Path) -> None:
    """A bot is not better than its own copy, and few blocks leave the question open."""
    words = ["--game", "shelfie", "--time", "none", "--seed", "3", "--most", "3", "--home", str(tmp_path / "home")]
    copy = five(tmp_path)[3]
    done = arena("compare", ROOT / "bots" / "greedy", copy, *words)
    assert done.returncode == 11, done.stderr
    assert "it is not decided whether greedy@1 is better than second-greedy@1, after 3 blocks" in done.stdout


def test_a_comparison_goes_on(tmp_path: Path) -> None:
    """Asked again, a question that was answered is answered from the log."""
    words = ["compare", BOTS[1], BOTS[2], "--game", "shelfie", "--time", "none", "--seed", "3", "--home", str(tmp_path)]
    first = arena(*words)
    games = logged(tmp_path)
    assert arena(*words).stdout == first.stdout
    assert logged(tmp_path) == games
