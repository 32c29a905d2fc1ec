"""`arena submit`, with real bots in real processes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import cli
from arena.record import MatchSpec
from arena.store import Pool, Standing, open_store
from arena.tournament.qualify import _file
from arena_rules import game
from tests.ledgers import entrants, play_cup, record_of, register_bots
from tests.tree import ROOT

Arena = Callable[..., Result]

TALKS = """
import os
import sys
from arena_sdk import Bot, run

class Talks(Bot):
    def choose(self, turn):
        print("I am made of", ", ".join(sorted(os.listdir())), file=sys.stderr, flush=True)
        return turn.legal[0]

run(Talks())
"""


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Arena:
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], prog_name="arena")


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    """A bot that says where it is run from."""
    folder = tmp_path / "author" / "talks"
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text('name = "talks"\ngames = ["shelfie", "chess"]\ncommand = ["python", "bot.py"]\n')
    (folder / "bot.py").write_text(TALKS)
    (folder / ".git").mkdir()  # which is not packed, and so is not there when it plays
    return folder


def test_a_bot_comes_in(arena: Arena, talks: Path, tmp_path: Path) -> None:
    """A submitted bot qualifies against itself when it is the first, plays from its packed files, and is unrated."""
    done = arena("submit", talks)
    assert done.exit_code == 0, done.output
    assert done.output.startswith("talks@1 is a new version, content ")
    assert "\nqualified\n" in done.output
    assert "shelfie: talks@1 is unrated until it has played a tournament; nobody is rated so far" in done.output
    with open_store(tmp_path / ".arena" / "arena.db", create=False) as store:
        assert store.version("talks").standing is Standing.QUALIFIED
        assert not store.version("talks").trusted
        assert not store.tournament("qualifying-shelfie").rated
        first, second = (kept.record() for kept in store.records("qualifying-shelfie"))
    assert (first.spec.index, second.spec.index, first.spec.seed) == (0, 1, second.spec.seed)
    assert first.spec.lineup == ("talks@1", "talks@1")
    assert first.efforts[0].log[0].text == "I am made of bot.py, bot.toml"
    assert arena("verify").exit_code == 0


def test_the_same_content_is_recognised(arena: Arena, talks: Path, tmp_path: Path) -> None:
    """The same files again, wherever they lie, make no second version, and nothing is played."""
    arena("submit", talks)
    moved = shutil.move(talks, tmp_path / "elsewhere")
    done = arena("submit", moved, "--format", "json")
    report = json.loads(done.output)
    assert done.exit_code == 0
    assert (report["version"], report["known"], report["standing"]) == ("talks@1", True, "qualified")
    assert report["qualifying"] == []
    with open_store(tmp_path / ".arena" / "arena.db", create=False) as store:
        assert [version.number for version in store.lineage("talks")] == [1]
        assert len(list(store.records("qualifying-shelfie"))) == 2


def test_a_changed_bot_is_a_new_version(arena: Arena, talks: Path, tmp_path: Path) -> None:
    """Other files are the next version, which meets what was there before it; the first one stays what it was."""
    arena("submit", talks, "--trust")
    (talks / "bot.py").write_text(TALKS.replace("legal[0]", "legal[-1]"))
    done = arena("submit", talks, "--format", "json")
    report = json.loads(done.output)
    assert (report["version"], report["known"], report["standing"]) == ("talks@2", False, "qualified")
    assert report["qualifying"][0]["opponent"] == "talks@1"
    with open_store(tmp_path / ".arena" / "arena.db", create=False) as store:
        first, second = store.lineage("talks")
        assert (first.trusted, second.trusted, second.parent) == (True, False, 1)
        latest = list(store.records("qualifying-shelfie"))[-1].record()
    assert {bot.content_hash for bot in latest.lineup} == {first.content_hash, second.content_hash}


def test_a_bot_that_fails_is_rejected(arena: Arena, tmp_path: Path) -> None:
    """A bot that forfeits is rejected with the verdict and its own output, and its name stands for nothing."""
    folder = shutil.copytree(ROOT / "tests" / "rogues" / "raises", tmp_path / "raises")
    done = arena("submit", folder)
    assert done.exit_code == 3
    assert "qualifying-shelfie/0: crashed at move " in done.output
    assert "  | IndexError: list index out of range" in done.output
    assert done.output.count("IndexError") == 1
    assert "  more: arena why qualifying-shelfie/0" in done.output
    assert done.output.endswith("rejected: mend it and submit it again\n")
    with open_store(tmp_path / ".arena" / "arena.db", create=False) as store:
        assert store.version("raises@1").standing is Standing.REJECTED
    assert arena("verify").exit_code == 0
    again = arena("submit", folder, "--format", "json")
    assert again.exit_code == 3
    assert json.loads(again.output)["known"]


def test_a_bot_that_never_starts_is_rejected(arena: Arena, tmp_path: Path) -> None:
    """A command that does not exist is a failure of the bot, not of the arena."""
    folder = tmp_path / "ghost"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "ghost"\ngames = ["shelfie"]\ncommand = ["./nothing-there"]\n')
    done = arena("submit", folder, "--format", "json")
    assert done.exit_code == 3
    failures = json.loads(done.output)["qualifying"][0]["failures"]
    assert [failure["verdict"] for failure in failures][:1] == ["failed to start"]


def test_it_meets_the_best_of_the_field(arena: Arena, tmp_path: Path) -> None:
    """The opponent is the best rated bot that can be had; one that fails itself costs the newcomer nothing."""
    with open_store(tmp_path / ".arena" / "arena.db") as store:
        play_cup(store, register_bots(store, tmp_path / "bots", "ann", "bob"), blocks=4)
        best = store.leaderboard_rows(Pool("shelfie"))[0].bot
    report = json.loads(arena("submit", ROOT / "bots" / "random", "--format", "json").output)
    assert report["qualifying"][0]["opponent"] == best
    assert report["standing"] == "qualified", "what its opponent does is not held against it"
    assert report["positions"][0] == {"game": "shelfie", "rated": 2, "versions": []}


@pytest.mark.parametrize(
    ("manifest", "sentence"),
    [
        (None, "has no bot.toml"),
        ('name = "x"\ngames = ["chess"]\ncommand = ["true"]\n', "x plays chess, and this arena has "),
    ],
)
def test_what_cannot_come_in(arena: Arena, tmp_path: Path, manifest: str | None, sentence: str) -> None:
    """A folder that is no bot for this arena is refused before anything is registered."""
    (tmp_path / "x").mkdir()
    if manifest is not None:
        (tmp_path / "x" / "bot.toml").write_text(manifest)
    done = arena("submit", "x")
    assert done.exit_code == 2
    assert sentence in done.stderr
    with open_store(tmp_path / ".arena" / "arena.db", create=False) as store:
        assert store.bots() == []


def test_those_who_come_at_once_share_no_match(tmp_path: Path) -> None:
    """However many bots qualify at the same time, each block gets places of its own, one after the other."""
    with open_store(tmp_path / "arena.db") as store:
        labels = register_bots(store, tmp_path, "ann", "bob")
        known, shelfie = entrants(store, labels), game("shelfie")
        specs = [MatchSpec(index, "shelfie", "it", tuple(labels), seed=3) for index in range(2)]

        def come(who: int) -> list[int]:
            records = [record_of(replace(spec, seed=who), known) for spec in specs]
            return [record.spec.index for record in _file(store, shelfie, records)]

        with ThreadPoolExecutor(8) as pool:
            places = sorted(index for block in pool.map(come, range(8)) for index in block)
        assert places == list(range(16))
        results = list(store.results("shelfie", tournament="qualifying-shelfie"))
    assert [result.block for result in results] == [index // 2 for index in range(16)]
