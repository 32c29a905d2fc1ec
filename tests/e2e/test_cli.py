"""The command as people run it: real processes, real terminals, real bots."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from select import select
from typing import Any

import pytest

from arena.archive import read, write
from arena.replay import verify
from tests.tree import ROOT
from tests.unit.cli.logged import blocks, home_with
from tests.unit.cli.played import played, spec_of
from tests.unit.store.table import arena_of

ARENA = [sys.executable, "-m", "arena.cli"]
PATIENCE = 20.0
GREEDY, RANDOM = str(ROOT / "bots" / "greedy"), str(ROOT / "bots" / "random")


def arena(*words: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [*ARENA, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=60, check=False)


# ── matches ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def started(*words: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen([*ARENA, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def without_times(value: Any) -> Any:
    """The same JSON without all that a clock has a say in."""
    if isinstance(value, dict):
        return {key: without_times(part) for key, part in value.items() if not key.endswith("_us")}
    return [without_times(part) for part in value] if isinstance(value, list) else value


EDITIONS = ("en-2022", "en-revised", "it", "de")
QUICK = {(2, "en-2022"), (3, "en-revised"), (4, "it"), (2, "de")}
"""One table of each edition; the others are for the longer run."""


@pytest.mark.parametrize(
    ("players", "edition"),
    [pytest.param(*table, marks=() if table in QUICK else pytest.mark.long) for table in product((2, 3, 4), EDITIONS)],
)
def test_a_match_can_be_played_again(players: int, edition: str) -> None:
    """The same command gives the same games, moves and scores; only times differ."""
    bots = [GREEDY, RANDOM, RANDOM, GREEDY][:players]
    words = ["match", *bots, "--game", "shelfie", "--edition", edition, "--seed", "7", "--format", "json"]
    both = [started(*words) for _ in range(2)]
    outputs = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    first, second = (json.loads(out) for out, _ in outputs)
    assert first["matches"][0]["outcome"]["termination"] == "completed"
    assert len(first["matches"][0]["lineup"]) == players
    assert without_times(first) == without_times(second)
    assert [errors for _, errors in outputs] == ["", ""]


def test_saved_games_replay(tmp_path: Path) -> None:
    """What a match has saved is proved by a replay, with several games in flight as well."""
    file = tmp_path / "log.arena"
    words = ["--game", "shelfie", "--games", "6", "--in-flight", "3", "--seed", "11", "--time", "none"]
    done = arena("match", GREEDY, RANDOM, *words, "--save", file)
    assert done.returncode == 0, done.stderr
    assert "6 games, seed 11" in done.stdout
    records = read(file)
    assert [record.spec.index for record in records] == list(range(6))
    assert all(len(bot.content_hash) == 64 for record in records for bot in record.lineup)
    for record in records:
        verify(record)
    assert arena("replay", file).stdout.count("result confirmed") == 6


def make_bot(folder: Path, code: str) -> Path:
    folder.mkdir()
    (folder / "bot.toml").write_text(f'name = "{folder.name}"\ngames = ["shelfie"]\ncommand = ["python", "bot.py"]\n')
    (folder / "bot.py").write_text(code)
    return folder


def test_a_bot_that_does_not_start(tmp_path: Path) -> None:
    """It is said which bot it is and what it wrote to its log, and no traceback of ours is shown."""
    bot = make_bot(tmp_path / "broken", "raise SystemExit('no such luck')\n")
    done = arena("match", bot, RANDOM)
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert "broken" in done.stderr.splitlines()[0]
    assert "no such luck" in done.stderr
    assert "arena/cli" not in done.stderr


CRASHING = """
import os
from arena_sdk import Bot, run

class Crashing(Bot):
    def choose(self, turn):
        if turn.number >= 4:
            os._exit(7)
        return turn.legal[0]

run(Crashing())
"""


def test_a_bot_that_dies_in_mid_game(tmp_path: Path) -> None:
    """The opponent wins, the table says how the bot died, and that is a result: exit code 0."""
    done = arena("match", make_bot(tmp_path / "crashing", CRASHING), RANDOM)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [row[2] for row in rows if row[:1] == ["random"]] == ["1"]
    assert "crashed at move 5" in done.stdout
    assert "abandoned after 4 moves" in done.stdout


SLOW = """
import pathlib, sys, time
from arena_sdk import Bot, run

class Slow(Bot):
    def choose(self, turn):
        pathlib.Path(__file__).with_name("asked").touch()
        time.sleep(60)

run(Slow())
"""


@pytest.mark.usefixtures("in_the_open")
def test_interrupting_a_match(tmp_path: Path) -> None:
    """Ctrl-C in mid-game ends the command with one line and leaves no process behind."""
    bot = make_bot(tmp_path / "slow", SLOW)
    match = started("match", bot, RANDOM, "--time", "none")
    wait_until((bot / "asked").exists)
    children = children_of(match.pid)
    assert len(children) >= 2
    match.send_signal(signal.SIGINT)
    assert match.communicate(timeout=PATIENCE) == ("", "interrupted\n")
    assert match.returncode == 130
    wait_until(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


def children_of(pid: int) -> list[int]:
    """The processes that a process has started, and theirs."""
    listing = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = {int(child): int(parent) for child, parent in map(str.split, listing.splitlines())}
    found = [child for child, parent in parents.items() if parent == pid]
    return found + [deeper for child in found for deeper in children_of(child)]


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.01)


# ── the viewer in a terminal ────────────────────────────────────────────────────────────────────────────────────────

TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)
OWN_SCREEN, USUAL_SCREEN = "\x1b[?1049h", "\x1b[?1049l"
STYLING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Screen:
    """A terminal with a command running in it, seen from the side of the person."""

    def __init__(self, *words: str | Path, rows: int = 50, columns: int = 120) -> None:
        self.person, self.terminal = os.openpty()
        self.resize(rows, columns)
        self.before = termios.tcgetattr(self.terminal)
        self.process = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL, *ARENA, *map(str, words)],
            stdin=self.terminal,
            stdout=self.terminal,
            stderr=self.terminal,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color"},
        )
        self.output = ""
        self.decoder = getincrementaldecoder("utf-8")()

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.person, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys: str) -> None:
        os.write(self.person, keys.encode())

    def lines(self) -> list[str]:
        """What is on the screen now, if it has been drawn to the end."""
        drawn = self.output.rpartition("\x1b[H")[2]
        return STYLING.sub("", drawn).splitlines() if drawn.endswith("\x1b[J") else []

    def wait_for(self, text: str) -> list[str]:
        """The screen as soon as this text is on it."""
        wait_until(lambda: self._hear() and any(text in line for line in self.lines()))
        return self.lines()

    def hears(self, text: str) -> bool:
        """Whether this has been printed by now."""
        return self._hear() and text in STYLING.sub("", self.output)

    def leave(self) -> int:
        """The exit code, when the command has ended."""
        wait_until(lambda: self._hear() and self.process.poll() is not None)
        self._hear()
        return self.process.returncode

    def _hear(self) -> bool:
        while select([self.person], [], [], 0.01)[0]:
            self.output += self.decoder.decode(os.read(self.person, 65536))
        return True

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.person)
        os.close(self.terminal)

    def is_as_before(self) -> bool:
        """Is the terminal as it was, with the usual screen and the cursor?"""
        screens = re.findall(r"\x1b\[\?1049[hl]", self.output)
        cursors = re.findall(r"\x1b\[\?25[hl]", self.output)
        return (
            termios.tcgetattr(self.terminal) == self.before
            and screens[:1] == [OWN_SCREEN]
            and screens[-1:] == [USUAL_SCREEN]
            and cursors[-1:] == ["\x1b[?25h"]
        )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two matches; the second one is false in its third move."""
    record = played(spec_of())
    moves = (*record.moves[:2], replace(record.moves[2], notation="hello"))
    write(tmp_path / "x.arena", [record, replace(record, moves=moves)])
    return tmp_path / "x.arena"


@pytest.fixture
def viewer(file: Path) -> Iterator[Screen]:
    screen = Screen("replay", file, "--match", "1")
    yield screen
    screen.close()


def test_stepping_through_a_match(viewer: Screen, file: Path) -> None:
    """Keys lead through the game, and at its end it is confirmed."""
    record = read(file)[0]
    deal = viewer.wait_for("move 0 of ")
    assert deal[0] == "My Shelfie, edition en-2022, seed 7, time 1s+10s"
    viewer.press("\x1b[C")
    first = viewer.wait_for("move 1 of ")
    assert any(record.moves[0].notation in line for line in first)
    viewer.press("n p")
    viewer.wait_for("move 2 of ")
    viewer.press("g12\r")
    viewer.wait_for("move 12 of ")
    viewer.press("\x1b[F")
    viewer.wait_for(f"replayed: {len(record.moves)} moves, result confirmed")
    viewer.press("\x1b[H")
    viewer.wait_for("move 0 of ")
    viewer.press("q")
    assert viewer.leave() == 0
    assert viewer.is_as_before()
    assert viewer.output.endswith(f"replayed: {len(record.moves)} moves, result confirmed\r\n")


def test_the_screen_follows_the_window(viewer: Screen) -> None:
    """When the window changes, everything is drawn anew to fit it."""
    viewer.wait_for("q quit")
    for rows in (10, 40):
        viewer.output = ""
        viewer.resize(rows, 60)
        lines = viewer.wait_for("move 0 of ")
        assert len(lines) <= rows
        assert all(len(line) <= 60 for line in lines)


@pytest.mark.parametrize("how", ["q", "Ctrl-C", "SIGTERM", "SIGHUP"])
def test_every_way_out_gives_the_terminal_back(how: str, viewer: Screen) -> None:
    """However the viewer ends, the shell finds its terminal as it was."""
    viewer.wait_for("q quit")
    assert termios.tcgetattr(viewer.terminal) != viewer.before
    if how.startswith("SIG"):
        viewer.process.send_signal(signal.Signals[how])
    else:
        viewer.press({"q": "q", "Ctrl-C": "\x03"}[how])
    assert viewer.leave() == {"q": 0, "Ctrl-C": 130, "SIGTERM": 143, "SIGHUP": 129}[how]
    assert viewer.is_as_before()
    assert "Traceback" not in viewer.output


def test_suspending(viewer: Screen) -> None:
    """Ctrl-Z hands the terminal to the shell; when the viewer goes on, it draws its screen again."""
    viewer.wait_for("q quit")
    viewer.press("n")
    viewer.wait_for("move 1 of ")
    viewer.press("\x1a")
    wait_until(lambda: viewer._hear() and viewer.output.count(OWN_SCREEN) == 2)
    assert OWN_SCREEN not in viewer.output.partition(USUAL_SCREEN)[0].partition(OWN_SCREEN)[2]
    viewer.wait_for("move 1 of ")
    viewer.press("q")
    assert viewer.leave() == 0
    assert viewer.is_as_before()


def test_coming_upon_a_false_match(file: Path) -> None:
    """A match that does not replay ends the viewer with its sentence, on a terminal that is as it was."""
    viewer = Screen("replay", file)
    try:
        viewer.wait_for("match 1 of 2")
        viewer.press("]")
        assert viewer.leave() == 4
        assert viewer.is_as_before()
        sentence = "error: move 3 (seat 0, hello) does not replay: 'hello' is not a move"
        assert sentence in viewer.output.rpartition(USUAL_SCREEN)[2]
    finally:
        viewer.close()


def test_progress_is_for_people() -> None:
    """In a terminal a bar shows how many games are done; the data on standard output stays clean."""
    person, terminal = os.openpty()
    words = ["match", GREEDY, RANDOM, "--game", "shelfie", "--games", "4", "--format", "json"]
    environment = {**os.environ, "TERM": "xterm-256color"}
    done = subprocess.run([*ARENA, *words], stdout=subprocess.PIPE, stderr=terminal, env=environment, check=True)
    assert len(json.loads(done.stdout)["matches"]) == 4
    assert "playing" in os.read(person, 65536).decode()
    os.close(person)
    os.close(terminal)


def test_plain_output_in_a_terminal(file: Path) -> None:
    """With --plain a terminal gets lines, with colours, and no screen is taken."""
    terminal = Screen("replay", file, "--match", "1", "--plain")
    try:
        assert terminal.leave() == 0
        assert "\x1b[" in terminal.output
        assert OWN_SCREEN not in terminal.output
        assert "result confirmed" in terminal.output
    finally:
        terminal.close()


def test_watching_a_leaderboard(tmp_path: Path) -> None:
    """The table is drawn anew in its place as matches come in, until Ctrl-C, which is not an error."""
    with home_with(tmp_path) as store:
        arena_of(store, "ada", "bob")
        records = list(blocks("cup", "ada", "bob", rounds=10))
        store.record(records[:10], through=10)
        terminal = Screen("leaderboard", "--watch", "--home", tmp_path / ".arena")
        try:
            wait_until(lambda: terminal.hears("My Shelfie: 8 games, 2 bots"))
            store.record(records[10:], through=20)
            store.finish("cup")
            wait_until(lambda: terminal.hears("My Shelfie: 20 games, 2 bots"))
            assert "not enough games" not in STYLING.sub("", terminal.output).rpartition("20 games")[2]
            terminal.press("\x03")
            assert terminal.leave() == 0
            assert "interrupted" not in terminal.output
            assert re.findall(r"\x1b\[\?25[hl]", terminal.output)[-1] == "\x1b[?25h"
            assert termios.tcgetattr(terminal.terminal) == terminal.before
        finally:
            terminal.close()
