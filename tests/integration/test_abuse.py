"""Bots that do their worst, in the sandbox, beside an honest match in the same house.

Each loses its own game, or is let play on when it has harmed nobody; the honest match goes as if it were alone; the
log has these two matches as they were played, and an audit finds nothing wrong with it; and nothing is left of the
rogue: no process, no control group, no socket.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from arena.errors import BotFailed
from arena.launch import Guard, read_manifest
from arena.launch.probe import found
from arena.record import Entrant, MatchRecord, MatchSpec, Verdict, VerdictKind
from arena.replay import verify
from arena.store import Store, open_store
from arena.tournament import house as house_module
from arena.tournament.audit import audit
from arena.tournament.check import CALM, LIMITS, read_zoo
from arena.tournament.entry import register
from arena.tournament.house import House
from arena.tournament.runner import again, run
from arena_sdk import TimeControl
from tests.tree import ROOT
from tests.unit.launch.table import until

pytestmark = pytest.mark.needs("bwrap", "apt-get install bubblewrap")

BOTS, ROGUES = ROOT / "bots", ROOT / "tests" / "rogues"
HONEST = MatchSpec(1, "shelfie", "en-2022", ("greedy@1", "random@1"), 11, CALM, tournament="abuse", block=1)

Kind = VerdictKind

ZOO = {rogue.folder.name: rogue for rogue in read_zoo()}

ELSEWHERE = {"comes_once"}
"""Rogues that are at work in other tests only."""

FILES = 64
"""How many files the arena may have open for four bots: if a rogue could take more, it could take all of them."""

PACKAGES = {"cc": "build-essential", "node": "nodejs"}
"""Where the programs come from that rogues need."""


def children() -> set[int]:
    lists = Path("/proc/self/task").glob("*/children")
    return {int(pid) for path in lists for pid in path.read_text().split()}


def traces() -> set[Path]:
    """Control groups of this process, and folders of sockets."""
    tools = found().tools
    homes = set(tools.groups.homes.values()) if tools and tools.groups else set()
    groups = {group for home in homes for group in home.glob(f"arena-{os.getpid()}-*")}
    return groups | set(Path(tempfile.gettempdir()).glob("arena-????????"))


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture(autouse=True)
async def nothing_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[None]:
    """Whatever happens, afterwards all is as before. Temporary files go to a folder of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
    folder = tempfile.mkdtemp(prefix="a")
    monkeypatch.setattr(tempfile, "tempdir", folder)
    monkeypatch.setattr(house_module, "JOIN_SECONDS", 2.0)
    before = children()
    yield
    await until(lambda: children() <= before)
    await until(lambda: not traces())
    os.rmdir(folder)  # noqa: PTH106 - it fails if anything is left


# ── two matches in one house, and in one log ────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that has the tables: copying it is quicker than making them."""
    path = tmp_path_factory.mktemp("made") / "arena.db"
    open_store(path).close()
    return path


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Iterator[Store]:
    with open_store(shutil.copy(made, tmp_path / "arena.db")) as opened:
        opened.open_tournament("abuse", "shelfie", "none", {}, 1)
        yield opened


@pytest.fixture(scope="module", autouse=True)
def telephone() -> Iterator[None]:
    """Somebody who listens under a name that is no file, for the spy to find."""
    with socket.socket(socket.AF_UNIX) as line:
        with suppress(OSError):  # there is one already, in another process of the tests
            line.bind("\0arena-abuse")
            line.listen()
        yield


@pytest.fixture(scope="module")
def honest_alone() -> list[str]:
    """The moves of the honest match when there is nobody else in the house."""

    async def play() -> MatchRecord:
        bots = {f"{name}@1": read_manifest(BOTS / name) for name in ("greedy", "random")}
        async with House(bots, wrapper=Guard()) as house:
            return (await attempts(house, HONEST))[-1]

    return notations(run(play()))


def notations(record: MatchRecord) -> list[str]:
    return [move.notation for move in record.moves]


async def attempts(house: House, spec: MatchSpec) -> list[MatchRecord]:
    """The records of a match. What the machine has spoiled, if it is too busy for clocks, is void and played again."""
    records = [await house.play(spec, 1)]
    while records[-1].outcome is None:
        records.append(await house.play(again(records[-1].spec), 1))
    verify(records[-1])
    return records


class Hall:
    """A house with an arena behind it: who plays in it is registered there, and what is played is logged there."""

    def __init__(self, store: Store, honest: list[str]) -> None:
        self._store = store
        self._honest = honest

    async def beside_an_honest_match(self, *lineup: str, time: TimeControl = CALM) -> MatchRecord:
        """The record of a match of these bots. The honest match and the log are checked here."""
        names = sorted({*lineup, "greedy", "random"})
        folders = {name: BOTS / name if (BOTS / name).is_dir() else ROGUES / name for name in names}
        bots = {f"{name}@1": read_manifest(folder) for name, folder in folders.items()}
        versions = {label: register(self._store, bot, trusted=True) for label, bot in bots.items()}
        entrants = {label: Entrant(one.name, one.content_hash, one.number) for label, one in versions.items()}
        labels = tuple(f"{name}@1" for name in lineup)
        files = open_files()
        async with House(bots, entrants, measure=True, wrapper=Guard(limits=LIMITS)) as house:
            spec = MatchSpec(0, "shelfie", "en-2022", labels, 7, time, tournament="abuse")
            played, honest = await asyncio.gather(attempts(house, spec), attempts(house, HONEST))
            assert open_files() - files < FILES
        assert honest[-1].verdicts == ()
        assert notations(honest[-1]) == self._honest
        self._log([*played, *honest])
        return played[-1]

    def _log(self, records: Sequence[MatchRecord]) -> None:
        """The log has just these records, as they were played, and nothing is wrong with it."""
        self._store.record(records, through=2)
        assert [kept.record() for kept in self._store.records()] == records
        report = audit(self._store)
        assert report.findings == []
        assert report.matches == len(records)
        assert self._store.check() == []


@pytest.fixture
def hall(honest_alone: list[str], store: Store) -> Hall:
    return Hall(store, honest_alone)


# ── one rogue ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_rogue_is_at_work() -> None:
    """No rogue is kept in the zoo that nobody lets out."""
    assert {path.name for path in ROGUES.iterdir() if path.is_dir()} == ZOO.keys() | ELSEWHERE


def needs(rogue: str) -> list[pytest.MarkDecorator]:
    program = ZOO[rogue].needs
    return [pytest.mark.needs(program, f"apt-get install {PACKAGES[program]}")] if program else []


@pytest.mark.parametrize("rogue", [pytest.param(rogue, marks=needs(rogue)) for rogue in ZOO])
async def test_a_rogue_beside_an_honest_match(rogue: str, hall: Hall) -> None:
    """It gets the verdict that is true, with what proves it, and harms nobody else."""
    wanted = ZOO[rogue]
    record = await hall.beside_an_honest_match(rogue, "random", time=wanted.time)
    assert [(verdict.seat, verdict.kind) for verdict in record.verdicts] == ([(0, wanted.kind)] if wanted.kind else [])
    assert record.lineup[-1].confinement.startswith("sandbox: ")
    for verdict in record.verdicts:
        assert EVIDENCE.get(rogue, bool)(verdict), verdict
    if rogue in TOLD:
        assert TOLD[rogue](said(record)), said(record)
    assert all(text.isprintable() for text in texts(record))


def said(record: MatchRecord) -> str:
    """What the first seat wrote to its log in the game."""
    return "\n".join(line.text for line in record.efforts[0].log)


def texts(record: MatchRecord) -> Iterator[str]:
    """Whatever of a bot's making is in a record, line by line."""
    for verdict in record.verdicts:
        yield from (verdict.detail, verdict.answer, *verdict.log_tail.splitlines())
    for effort in record.efforts:
        yield from (text for line in effort.log for text in line.text.splitlines())


EVIDENCE: dict[str, Callable[[Verdict], bool]] = {
    "exits_at_once": lambda verdict: verdict.exit_status == 9 and "rather not" in verdict.log_tail,
    "breaks": lambda verdict: verdict.signal == signal.SIGSEGV and "here it comes" in verdict.log_tail,
    "gives_up": lambda verdict: verdict.exit_status == 7 or verdict.signal == signal.SIGKILL,
    "raises": lambda verdict: verdict.exit_status == 1 and "IndexError" in verdict.log_tail,
    "kills_itself": lambda verdict: verdict.signal == signal.SIGKILL,
    "eats_memory": lambda verdict: verdict.signal == signal.SIGKILL and "256 MB" in verdict.detail,
    "overeats": lambda verdict: "70,0" in verdict.detail,
    "gorges": lambda verdict: "5,000,0" in verdict.detail,
    "floods": lambda verdict: "2,000 events in one message" in verdict.detail,
    "resets": lambda verdict: "more than 32 streams" in verdict.detail,
    "mumbles": lambda verdict: "the blue one" in verdict.detail,
    "hangs": lambda verdict: "1,500 ms" in verdict.detail,
}


TOLD: dict[str, Callable[[str], bool]] = {
    "spies": lambda log: "DID" not in log and log.count("could not") == 18,
    "links": lambda log: "DID" not in log and log.count("could not") == 6,
    "replays": lambda log: "its token again: UNAUTHENTICATED" in log,
    "fills_up": lambda log: log.count("No space left on device") == 2,
}
"""What the log of a rogue says that could do no harm."""


# ── several of them ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_two_that_fail_in_one_game(hall: Hall) -> None:
    """When several bots fail in one round, each gets its own verdict, and who is left has won."""
    record = await hall.beside_an_honest_match("cheats", "raises", "haunts")
    assert [(verdict.seat, verdict.kind) for verdict in record.verdicts] == [(1, Kind.CRASHED), (0, Kind.ILLEGAL)]
    assert record.outcome is not None
    assert record.outcome.ranks == (2, 3, 1)


@pytest.mark.parametrize("bomb", ["multiplies", "swarms"])
async def test_a_bot_beside_a_bomb_still_starts_processes(bomb: str, hall: Hall) -> None:
    """At the table of one that starts all the processes or threads it can, another starts one for each of its moves."""
    record = await hall.beside_an_honest_match(bomb, "delegates", "delegates", time=ZOO[bomb].time)
    assert [(verdict.seat, verdict.kind) for verdict in record.verdicts] == [(0, Kind.TIMED_OUT)]
    assert sum(move.seat > 0 for move in record.moves) > 20


async def test_a_bot_that_cannot_be_had() -> None:
    """Whoever opens the house to a bot that does not start is told why, at once."""
    bots = {"breaks": read_manifest(ROGUES / "breaks")}
    async with House(bots, wrapper=Guard()) as house:
        with pytest.raises(BotFailed, match="SIGSEGV"):
            await house.welcome(("breaks", "breaks"))
