"""`arena check`: good bots pass, bad ones are told why, and so is an installation that does not hold its rogues."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import cli
from arena.tournament.check import ZOO, Step, check_arena
from tests.tree import ROOT

pytestmark = pytest.mark.needs("bwrap", "apt-get install bubblewrap")

GOOD = ROOT / "bots" / "random"
ROGUES = ROOT / "tests" / "rogues"


def check(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, ["check", *map(str, words)], prog_name="arena")


def test_a_good_bot_passes() -> None:
    """A bundled bot passes every step, and its author sees what it needs."""
    done = check(GOOD)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[-1] == "all 15 steps passed"
    assert [line[:8].split() for line in lines[:15]] == [[str(number), "ok"] for number in range(1, 16)]
    for words in ("starts and joins", "plays codex with 4 players", "keeps time", "MB at most", "with status 0"):
        assert words in done.stdout


def test_a_bot_with_a_bug() -> None:
    """The step at which it fails is named, with the reason and what the bot printed, and the exit code is 3."""
    done = check(ROGUES / "raises")
    assert done.exit_code == 3
    assert "FAIL  plays shelfie with 2 players: seat 1, turn 1: The bot's process ended in mid-game" in done.stdout
    assert "| IndexError: list index out of range" in done.stdout


def test_a_bot_that_does_not_start() -> None:
    """What comes after the start is not tried; programs get the same findings as people."""
    done = check(ROGUES / "exits_at_once", "--format", "json")
    assert done.exit_code == 3
    document = json.loads(done.stdout)
    assert document["passed"] is False
    assert [step["passed"] for step in document["steps"]] == [True, False]
    assert "exited with status 9" in document["steps"][1]["finding"]
    assert "I would rather not play" in document["steps"][1]["log"]


SLOW = """
import time
from arena_sdk import Bot, run

class Slow(Bot):
    def choose(self, turn):
        time.sleep(0.06 if turn.number == 3 else 0)
        return turn.legal[0]

run(Slow())
"""

FICKLE = """
import random
from arena_sdk import Bot, run

class Fickle(Bot):
    def choose(self, turn):
        return random.choice(turn.legal)

run(Fickle())
"""

FRAGILE = """
from arena_sdk import Bot, run, player

hear = player.Player.hear
def fussy(self, response):
    assert all(event.WhichOneof("event") for event in response.events), "what is that?"
    return hear(self, response)
player.Player.hear = fussy

class Fragile(Bot):
    def choose(self, turn):
        return turn.legal[0]

run(Fragile())
"""


def bot_of(folder: Path, code: str, more: str = "") -> Path:
    (folder / "bot.py").write_text(code)
    (folder / "bot.toml").write_text(f'name = "x"\ngames = ["shelfie"]\ncommand = ["python", "bot.py"]\n{more}')
    return folder


@pytest.mark.parametrize("bound", [False, True])
def test_a_bot_that_never_plays_the_same_game(bound: bool, tmp_path: Path) -> None:
    """Its author is told; only a bot that says of itself that it is deterministic fails by it."""
    done = check(bot_of(tmp_path, FICKLE, "deterministic = true\n" if bound else ""))
    assert done.exit_code == (3 if bound else 0), done.output
    assert f"{'FAIL' if bound else 'ok  '}  plays the same game again: no: its moves depend on more" in done.stdout
    assert ("bot.toml says deterministic = true" in done.stdout) == bound


def test_a_bot_that_cuts_it_fine(tmp_path: Path) -> None:
    """Being in time here is not enough: a move may take half of its time."""
    done = check(bot_of(tmp_path, SLOW), "--time", "100ms+10s")
    assert done.exit_code == 3
    assert "FAIL  keeps time" in done.stdout
    assert "of the 100 ms that a move has" in done.stdout


def test_a_bot_that_cannot_hear_anything_new(tmp_path: Path) -> None:
    """A bot that breaks on what it does not know would break when the referee learns something."""
    done = check(bot_of(tmp_path, FRAGILE))
    assert done.exit_code == 3
    assert "FAIL  survives events that it does not know" in done.stdout
    assert "what is that?" in done.stdout


@pytest.mark.parametrize("words", [[], [GOOD, "--arena"]])
def test_one_or_the_other(words: list[str | Path]) -> None:
    """A bot or the arena is tried out, not both and not nothing."""
    done = check(*words)
    assert done.exit_code == 2
    assert "name a bot to try out" in done.output


def zoo_of(folder: Path, **expected: str) -> Path:
    for name in expected:
        shutil.copytree(ROGUES / name, folder / name)
    lines = [f"[{name}]\nverdict = {kind!r}\n" for name, kind in expected.items()]
    (folder / "zoo.toml").write_text("".join(lines))
    return folder


async def test_an_arena_and_its_zoo(tmp_path: Path) -> None:
    """Each rogue is a step: passed when the referee finds what it should, and not when it finds something else."""
    zoo = zoo_of(tmp_path, cheats="illegal move", mumbles="flood")
    steps = [step async for step in check_arena(GOOD, zoo)]
    assert [(step.name, step.passed) for step in steps] == [("holds cheats", True), ("holds mumbles", False)]
    assert steps[0] == Step("holds cheats", True, "illegal move")
    assert steps[1].finding == "found 'unreadable answer', expected 'flood'"


def test_the_zoo_is_where_the_sources_are() -> None:
    """The command finds the rogues that come with the clone."""
    assert (ZOO / "zoo.toml").is_file()
