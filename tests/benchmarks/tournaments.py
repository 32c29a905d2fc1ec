"""What whole tournaments cost: their log and ratings, jobs, games in flight, and ten times as many games.

Trivial bots play tournaments against each other, from the schedule to the settled ratings, as `arena tournament` does.
Everything keeps to one core, but for the tournaments of one and of two jobs that are compared, which have two. Referees
and bots are up before a clock runs: their start takes as long for ten games as for a million. The contests take turns,
several times, in one run; a ratio is taken within each round, and the median over the rounds is what counts.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from shutil import copy

from arena.archive import Sealed
from arena.record import MatchRecord, Result
from arena.store import Pool, State, Store, open_store
from arena.tournament import cup, systems
from arena.tournament.definition import Definition
from arena.tournament.entry import enter
from arena.tournament.executor import LocalExecutor
from arena.tournament.journal import StoreJournal
from arena.tournament.ledger import settle
from arena.tournament.runner import run
from arena.tournament.schedule import Schedule
from arena.tournament.worker import Contender
from arena_rules.registry import build_of
from arena_sdk.events import TimeControl
from arena_sdk.player import Player
from tests.benchmarks import trivial_bot

BOTS = ("ada", "bob")
ROUNDS = 7
GAMES = 100
MANY = 16
TIMES = 10
GROWTH_ROUNDS = 3
CORES = sorted(os.sched_getaffinity(0))
TIME = TimeControl(move_ms=60_000)
CODE = build_of(Player.__module__)
NUMBERS = count()

Play = Callable[[int], Awaitable[float]]
"""Plays a tournament of so many games and gives the seconds that it took."""


class Memory:
    """The log of a tournament that keeps nothing but what its schedule has to hear."""

    def results(self) -> Iterator[Result]:
        return iter(())

    def attempts(self) -> dict[int, int]:
        return {}

    def write(self, records: Sequence[Sealed], through: int) -> None:
        """Nothing."""


@dataclass
class Referee:
    """Sees to it that matches are played as they should be, and how much memory that takes."""

    played_so_far: int = 0
    memory_kb: int = 0

    def resumed(self, result: Result) -> None:
        raise AssertionError("every tournament is a new one")

    def waits(self, reason: str) -> None:
        raise AssertionError(reason)

    def played(self, record: MatchRecord) -> None:
        assert record.outcome is not None, record.void_reason
        assert not record.verdicts, record.verdicts
        self.played_so_far += 1
        if self.played_so_far % GAMES == 0:
            self.memory_kb = max(self.memory_kb, resident_kb())


@dataclass
class Hall:
    """Where tournaments are played: a store, the bots, and referees that stay for the next one."""

    store: Store
    contenders: Mapping[str, Contender]
    executor: LocalExecutor
    cores: Sequence[int]

    async def plain(self, games: int) -> float:
        """A tournament of which nothing is kept."""
        began = time.perf_counter()
        await self._play(_definition(self.contenders, games), Memory())
        return time.perf_counter() - began

    async def logged(self, games: int) -> float:
        """A tournament in the log and in the ratings."""
        plan = _definition(self.contenders, games)
        began = time.perf_counter()
        await self._log(plan)
        return time.perf_counter() - began

    async def weighed(self, games: int) -> tuple[float, int]:
        """A tournament in the log and in the ratings, and the most memory that was in use meanwhile."""
        plan = _definition(self.contenders, games)
        began = time.perf_counter()
        memory_kb = await self._log(plan)
        return time.perf_counter() - began, memory_kb

    async def _log(self, plan: Definition) -> int:
        self.store.open_tournament(plan.name, plan.game, plan.system, plan.as_json(), time.time_ns() // 1000)
        referee = await self._play(plan, StoreJournal(self.store, plan))
        self.store.finish(plan.name, State.FINISHED)
        settle(self.store, Pool(plan.game))
        return max(referee.memory_kb, resident_kb())

    async def _play(self, plan: Definition, journal: cup.Journal) -> Referee:
        referee = Referee()
        with kept_to(self.cores):
            await cup.play(Schedule(plan, systems.of(plan)), self.executor, journal, referee)
        return referee


def _definition(bots: Mapping[str, Contender], games: int) -> Definition:
    number = next(NUMBERS)
    return Definition(
        name=f"cup{number}",
        game="shelfie",
        edition="en-revised",
        players=(2,),
        system="round-robin",
        bots=tuple(bots),
        seed=number,
        time=TIME,
        settings={"games": games},
    )


@contextmanager
def kept_to(cores: Sequence[int]) -> Iterator[None]:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def resident_kb() -> int:
    """The memory of this process and all below it."""
    return sum(_resident_kb(process) for process in _family(os.getpid()))


def _family(process: int) -> Iterator[int]:
    yield process
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from _family(int(child))


def _resident_kb(process: int) -> int:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


@asynccontextmanager
async def hall(jobs: int, in_flight: int, cores: Sequence[int]) -> AsyncIterator[Hall]:
    """A hall that is open: one tournament has been played in it."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = stack.enter_context(open_store(folder / "arena.db"))
        bots = enter(store, [str(_bot(folder / name)) for name in BOTS], folder)
        executor = await stack.enter_async_context(LocalExecutor(bots, jobs=jobs, in_flight=in_flight))
        opened = Hall(store, bots, executor, cores)
        await opened.logged(GAMES)
        yield opened


def _bot(folder: Path) -> Path:
    folder.mkdir()
    copy(trivial_bot.__file__, folder / "bot.py")
    manifest = f'name = "{folder.name}"\ngames = ["shelfie"]\ncommand = ["python", "bot.py"]\n'
    (folder / "bot.toml").write_text(manifest)
    return folder


# ── what is measured ────────────────────────────────────────────────────────────────────────────────────────────────


async def compare(rounds: int) -> dict[str, list[float]]:
    """Games in a second in every round, by contest."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(hall(1, 1, CORES[-1:]))
        many = await stack.enter_async_context(hall(1, MANY, CORES[-1:]))
        free = await stack.enter_async_context(hall(1, 1, CORES))
        two = await stack.enter_async_context(hall(2, 1, CORES))
        contests: dict[str, tuple[Play, int]] = {
            "1 in flight, plain": (one.plain, GAMES),
            "1 in flight, logged": (one.logged, GAMES),
            "16 in flight, plain": (many.plain, 4 * GAMES),
            "16 in flight, logged": (many.logged, 4 * GAMES),
            "1 job, two cores": (free.logged, GAMES),
            "2 jobs, two cores": (two.logged, 2 * GAMES),
        }
        rates: dict[str, list[float]] = {contest: [] for contest in contests}
        for _ in range(rounds):
            for contest, (play, games) in contests.items():
                rates[contest].append(games / await play(games))
    return rates


async def grow(rounds: int) -> list[tuple[float, float]]:
    """How many times the time and the memory that ten times as many games took, in every round."""
    growths = []
    for _ in range(rounds):
        async with hall(1, MANY, CORES[-1:]) as fresh:
            few_s, few_kb = await fresh.weighed(4 * GAMES)
            many_s, many_kb = await fresh.weighed(TIMES * 4 * GAMES)
            growths.append((many_s / few_s, many_kb / few_kb))
    return growths


def told(what: str, ratios: Sequence[float], asked: str) -> str:
    low, *_, high = sorted(ratios)
    return f"{what:44} {statistics.median(ratios):6.2f}x (from {low:.2f} to {high:.2f}; asked: {asked})"


def main(rounds: int = ROUNDS, growth_rounds: int = GROWTH_ROUNDS) -> None:
    rates = run(compare(rounds))
    for contest, values in rates.items():
        print(f"{contest + ', ' + CODE.value:44} {statistics.median(values):8.1f} games/s")

    def ratio(one: str, other: str) -> list[float]:
        return [mine / theirs for mine, theirs in zip(rates[one], rates[other], strict=True)]

    print(told("log and ratings, 1 in flight", ratio("1 in flight, logged", "1 in flight, plain"), "0.9 at least"))
    print(told("log and ratings, 16 in flight", ratio("16 in flight, logged", "16 in flight, plain"), "0.9 at least"))
    print(told("2 jobs against 1", ratio("2 jobs, two cores", "1 job, two cores"), "1.4 at least"))
    print(told("16 in flight against 1", ratio("16 in flight, logged", "1 in flight, logged"), "4 at least"))
    times, memory = zip(*run(grow(growth_rounds)), strict=True)
    print(told(f"time of {TIMES} times the games", times, "10.5 at most"))
    print(told(f"memory of {TIMES} times the games", memory, "about 1"))


if __name__ == "__main__":
    main()
