"""Bots that do their worst, in the sandbox, beside an honest match in the same house.

Each loses its own game, or is let play on when it has harmed nobody; the honest match goes as if it were alone; and
nothing is left of the rogue: no process, no control group, no socket.
"""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from arena.errors import BotFailed
from arena.launch import Guard, read_manifest
from arena.launch.probe import found
from arena.record import MatchRecord, MatchSpec, Verdict, VerdictKind
from arena.replay import verify
from arena.tournament import house as house_module
from arena.tournament.check import CALM, LIMITS, read_zoo
from arena.tournament.house import House
from arena.tournament.runner import again
from arena_sdk import TimeControl
from tests.tree import ROOT
from tests.unit.launch.table import until

pytestmark = [
    pytest.mark.needs("bwrap", "apt-get install bubblewrap"),
    pytest.mark.needs("cc", "apt-get install build-essential"),
]

ROGUES = ROOT / "tests" / "rogues"
HONEST = MatchSpec(1, "shelfie", "en-2022", ("greedy", "random"), 11, TimeControl(10_000, 60_000))

Kind = VerdictKind

ZOO = {rogue.folder.name: rogue for rogue in read_zoo()}

ELSEWHERE = {"comes_once"}
"""Rogues that are at work in other tests only."""


def children() -> set[int]:
    lists = Path("/proc/self/task").glob("*/children")
    return {int(pid) for path in lists for pid in path.read_text().split()}


def traces() -> set[Path]:
    """Control groups of this process, and folders of sockets."""
    tools = found().tools
    homes = set(tools.groups.homes.values()) if tools and tools.groups else set()
    groups = {group for home in homes for group in home.glob(f"arena-{os.getpid()}-*")}
    return groups | set(Path(tempfile.gettempdir()).glob("arena-????????"))


@pytest.fixture(autouse=True)
async def nothing_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[None]:
    """Whatever happens, afterwards all is as before. Temporary files go to a folder of the test's own."""
    folder = tempfile.mkdtemp(prefix="a")
    monkeypatch.setattr(tempfile, "tempdir", folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
    monkeypatch.setattr(house_module, "JOIN_SECONDS", 2.0)
    before = children()
    yield
    await until(lambda: children() <= before)
    await until(lambda: not traces())
    os.rmdir(folder)  # noqa: PTH106 - it fails if anything is left


async def played(house: House, spec: MatchSpec) -> MatchRecord:
    """The record that counts. What the machine has spoiled, if it is too busy for clocks, is played again."""
    record = await house.play(spec, 1)
    while record.outcome is None:
        record = await house.play(again(record.spec), 1)
    verify(record)
    return record


async def honest_alone() -> MatchRecord:
    bots = {name: read_manifest(ROOT / "bots" / name) for name in HONEST.lineup}
    async with House(bots, wrapper=Guard()) as house:
        return await played(house, HONEST)


async def beside_an_honest_match(*rogues: str, time: TimeControl) -> MatchRecord:
    """The record of a match of rogues, and of one random bot if it is one rogue; the honest match is checked here."""
    lineup = rogues if len(rogues) > 1 else (*rogues, "random")
    bots = {name: read_manifest(ROOT / "bots" / name) for name in ("greedy", "random")}
    bots |= {name: read_manifest(ROGUES / name) for name in rogues}
    async with House(bots, wrapper=Guard(limits=LIMITS)) as house:
        spec = MatchSpec(0, "shelfie", "en-2022", lineup, 7, time)
        rogue, honest = await asyncio.gather(played(house, spec), played(house, HONEST))
    assert honest.verdicts == ()
    assert [move.notation for move in honest.moves] == [move.notation for move in (await honest_alone()).moves]
    return rogue


def test_every_rogue_is_at_work() -> None:
    """No rogue is kept in the zoo that nobody lets out."""
    assert {path.name for path in ROGUES.iterdir() if path.is_dir()} == ZOO.keys() | ELSEWHERE


@pytest.mark.parametrize("rogue", ZOO)
async def test_a_rogue_beside_an_honest_match(rogue: str) -> None:
    """It gets the verdict that is true, with what proves it, and harms nobody else."""
    kinds = ZOO[rogue].kinds
    record = await beside_an_honest_match(rogue, time=ZOO[rogue].time)
    assert [verdict.seat for verdict in record.verdicts] == ([0] if kinds else [])
    assert record.lineup[-1].confinement.startswith("sandbox: ")
    for verdict in record.verdicts:
        assert verdict.kind in kinds
        proof = EVIDENCE.get(rogue)
        assert proof is None or proof(verdict), verdict
    assert "\x1b" not in str(record.verdicts)


EVIDENCE: dict[str, Callable[[Verdict], bool]] = {
    "exits_at_once": lambda verdict: verdict.exit_status == 9 and "rather not" in verdict.log_tail,
    "breaks": lambda verdict: verdict.signal == signal.SIGSEGV and "here it comes" in verdict.log_tail,
    "gives_up": lambda verdict: verdict.exit_status == 7 or verdict.signal == signal.SIGKILL,
    "raises": lambda verdict: verdict.exit_status == 1 and "IndexError" in verdict.log_tail,
    "kills_itself": lambda verdict: verdict.signal == signal.SIGKILL,
    "eats_memory": lambda verdict: verdict.signal == signal.SIGKILL and "256 MB" in verdict.detail,
    "overeats": lambda verdict: "70,0" in verdict.detail,
    "mumbles": lambda verdict: "the blue one" in verdict.detail,
    "hangs": lambda verdict: "1,500 ms" in verdict.detail,
}


async def test_two_that_fail_in_one_game() -> None:
    """When several bots fail in one round, each gets its own verdict, and who is left has won."""
    record = await beside_an_honest_match("cheats", "raises", "haunts", time=CALM)
    assert [(verdict.seat, verdict.kind) for verdict in record.verdicts] == [(1, Kind.CRASHED), (0, Kind.ILLEGAL)]
    assert record.outcome is not None
    assert record.outcome.ranks == (2, 3, 1)


async def said(rogue: str) -> str:
    bots = {"random": read_manifest(ROOT / "bots" / "random"), rogue: read_manifest(ROGUES / rogue)}
    async with House(bots, measure=True, wrapper=Guard(limits=LIMITS)) as house:
        record = await played(house, MatchSpec(0, "shelfie", "en-2022", (rogue, "random"), 7, CALM))
        assert record.verdicts == ()
        return house._live[rogue, 0].process.log_tail


async def test_a_spy_finds_nothing() -> None:
    """Neither files, nor processes, nor networks, nor the doors of other seats are open to a bot."""
    log = await said("spies")
    assert "DID" not in log
    assert log.count("could not") >= 12


async def test_a_token_is_good_for_once() -> None:
    """A bot that uses its token a second time is refused, and its game goes on."""
    assert "its token again: UNAUTHENTICATED" in await said("replays")


async def test_what_can_be_filled_is_small() -> None:
    """A bot that writes as much as it can is told that there is no more room, and that is all."""
    log = await said("fills_up")
    assert log.count("No space left on device") == 2


async def test_a_bot_that_cannot_be_had() -> None:
    """Whoever opens the house to a bot that does not start is told why, at once."""
    bots = {"breaks": read_manifest(ROGUES / "breaks")}
    async with House(bots, wrapper=Guard()) as house:
        with pytest.raises(BotFailed, match="SIGSEGV"):
            await house.welcome(("breaks", "breaks"))
