"""A command line without processes: bot folders that are never started, and a runner that plays at random."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.archive import write
from arena.cli import cli
from arena.record import MatchRecord, MatchSpec
from tests.unit.cli.played import played, spec_of, timed_out

Arena = Callable[..., Result]


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Arena:
    """Runs the command with these words, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], prog_name="arena")


@pytest.fixture
def make_bot(tmp_path: Path) -> Callable[..., Path]:
    """Makes a bot folder, below the current one, and gives its path."""

    def make(folder: str, name: str | None = None, games: str = "shelfie") -> Path:
        (tmp_path / folder).mkdir(parents=True)
        words = "".join(f'"{game}",' for game in games.split())
        text = f'name = "{name or folder}"\ngames = [{words}]\ncommand = ["true"]\n'
        (tmp_path / folder / "bot.toml").write_text(text)
        return Path(folder)

    return make


class FakeRunner(ModuleType):
    """Stands in for `arena.tournament.runner`: plays the specs at random and remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__("arena.tournament.runner")
        self.specs: list[MatchSpec] = []
        self.bots: Mapping[str, Any] = {}
        self.in_flight = 0
        self.closed = False
        self.changed: Callable[[MatchRecord], MatchRecord] = lambda record: record
        """What happens to a record before it is handed out."""

    async def play_matches(
        self, specs: Iterable[MatchSpec], bots: Mapping[str, Any], *, in_flight: int = 1, wrapper: object = None
    ) -> AsyncIterator[MatchRecord]:
        self.specs, self.bots, self.in_flight = list(specs), bots, in_flight
        try:
            for spec in self.specs:
                yield self.changed(played(spec))
        finally:
            self.closed = True

    @staticmethod
    def run(coroutine: Coroutine[Any, Any, None]) -> None:
        asyncio.run(coroutine)


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> FakeRunner:
    fake = FakeRunner()
    monkeypatch.setitem(sys.modules, "arena.tournament.runner", fake)
    return fake


@pytest.fixture
def one_match(tmp_path: Path) -> Path:
    """A file with the record of one match."""
    write(tmp_path / "one.arena", [played(spec_of())])
    return tmp_path / "one.arena"


@pytest.fixture
def three_matches(tmp_path: Path) -> Path:
    """A file with matches of two, three and four; in the second one a bot is put out after four moves."""
    lineups = [("ann", "bob"), ("ann", "bob", "cleo"), ("ann", "bob", "cleo", "dan")]
    verdicts = [(), (timed_out(1, 4),), ()]
    write(
        tmp_path / "three.arena",
        [played(spec_of(*bots), *found) for bots, found in zip(lineups, verdicts, strict=True)],
    )
    return tmp_path / "three.arena"
