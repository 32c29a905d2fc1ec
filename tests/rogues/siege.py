"""A long siege: matches with one bot in ten evil, after which the house stands as it stood before.

    python -m tests.rogues.siege --matches 1000

Three sit at each table: two honest bots, and in three matches of ten a rogue. Each of those matches is played again
with the rogue replaced by what it did until it was put out, move by move, and must come to the same end for the rest.
In the end no more files may be open, no more memory taken, and no more processes alive, than after the first tenth.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from arena.launch import Guard, read_manifest
from arena.record import MatchRecord, MatchSpec, Verdict
from arena.referee.match import play_match
from arena.referee.seat import ScriptedSeat
from arena.referee.verdict import Forfeit
from arena.replay import verify
from arena.tournament.check import CALM, LIMITS, read_zoo
from arena.tournament.house import House
from arena.tournament.runner import again, run
from arena_sdk import TimeControl

BOTS = Path(__file__).parents[2] / "bots"
TIRESOME = {"never_joins", "knocks"}
"""Rogues that take ten seconds before they are given up."""
MAY_GROW_KB = 24 * 1024
HASTE = TimeControl(600, 0)


class Look(NamedTuple):
    """What this process holds."""

    files: int
    children: int
    resident_kb: int


def look() -> Look:
    status = Path("/proc/self/status").read_text().splitlines()
    resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))
    children = sum(len(path.read_text().split()) for path in Path("/proc/self/task").glob("*/children"))
    return Look(len(list(Path("/proc/self/fd").iterdir())), children, resident)


async def played(house: House, spec: MatchSpec) -> MatchRecord:
    record = await house.play(spec, 1)
    while record.outcome is None:
        record = await house.play(again(record.spec), 1)
    verify(record)
    return record


async def replaced(house: House, record: MatchRecord) -> MatchRecord:
    """The same match with the rogue replaced by its own moves, and a forfeit where it was put out."""
    script: list[str | Forfeit] = [move.notation for move in record.moves if move.seat == 2]
    script += [_forfeit(verdict) for verdict in record.verdicts]
    honest = [(await house.guest(name)).connection.seat() for name in record.spec.lineup[:2]]
    return await play_match(record.spec, [*honest, ScriptedSeat(script)])


def _forfeit(verdict: Verdict) -> Forfeit:
    return Forfeit(verdict.kind, "as before")


def differences(record: MatchRecord, same: MatchRecord) -> list[str]:
    moves = [[(move.seat, move.notation) for move in one.moves] for one in (record, same)]
    found = [] if moves[0] == moves[1] else ["the moves differ"]
    return found if record.outcome == same.outcome else [*found, "the outcomes differ"]


async def siege(matches: int) -> int:
    rogues = [rogue for rogue in read_zoo() if rogue.folder.name not in TIRESOME]
    bots = {name: read_manifest(BOTS / name) for name in ("greedy", "random", "planner")}
    bots |= {rogue.folder.name: read_manifest(rogue.folder) for rogue in rogues}
    evil, faults, kinds, before = cycle(rogues), 0, Counter[str](), look()
    warm = 10 * len(rogues) // 3 + 10  # by then all have been in, and those who harm nobody have stayed
    async with House(bots, wrapper=Guard(limits=LIMITS)) as house:
        for index in range(matches):
            rogue = next(evil) if index % 10 < 3 else None
            third = rogue.folder.name if rogue else "planner"
            limit = CALM if rogue is None or rogue.time == CALM else HASTE
            spec = MatchSpec(index, "shelfie", "en-2022", ("greedy", "random", third), index, limit)
            record = await played(house, spec)
            kinds.update(verdict.kind.value for verdict in record.verdicts)
            faults += _judge(record, third, {verdict.seat for verdict in record.verdicts} - ({2} if rogue else set()))
            if rogue:
                for difference in differences(record, await replaced(house, record)):
                    print(f"match {index} with {third}: {difference}")
                    faults += 1
            if index == warm:
                before = look()
        after = look()
    print(f"{matches} matches; {dict(kinds)}")
    return faults + _compare(before, after)


def _judge(record: MatchRecord, third: str, blamed: set[int]) -> int:
    for seat in blamed:
        print(f"match {record.spec.index} with {third}: seat {seat} is honest and was put out: {record.verdicts}")
    return len(blamed)


def _compare(before: Look, after: Look) -> int:
    print(f"when all had been in: {before}\nin the end:           {after}")
    grown = (after.files > before.files + 4, after.children > before.children + 2)
    return sum(grown) + (after.resident_kb > before.resident_kb + MAY_GROW_KB)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1000)
    wanted = parser.parse_args()
    began = time.monotonic()
    faults = run(siege(wanted.matches))
    print(f"{faults} faults in {time.monotonic() - began:.0f} s")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
