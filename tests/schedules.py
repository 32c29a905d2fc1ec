"""Tournaments without games: systems driven as the runner drives them, by bots whose strengths are known."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any

from arena.record import Result
from arena.tournament.system import Played, Sitting, System, Wait

Play = Callable[[int, Sitting], Played]
"""Plays the block of a number."""


def names(count: int) -> tuple[str, ...]:
    return tuple(f"bot{number:03}" for number in range(count))


def rotations(lineup: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return ((*lineup[turn:], *lineup[:turn]) for turn in range(len(lineup)))


def result(block: int, bots: Sequence[str], ranks: Sequence[int]) -> Result:
    return Result("cup", 0, block, "shelfie", tuple(bots), tuple(ranks), (0,) * len(bots), (False,) * len(bots))


def ranked(marks: Sequence[float]) -> tuple[int, ...]:
    """The ranks of those who reached these marks; equal marks share a rank."""
    return tuple(1 + sum(other > mark for other in marks) for mark in marks)


@dataclass
class Table:
    """Plays blocks by chance: whose strength plus luck is more comes out on top; rounding makes ties."""

    strengths: Mapping[str, float]
    seed: int = 0
    luck: float = 1.0
    grain: float = 0.0
    """Marks are rounded to multiples of it, which makes ties."""

    def __call__(self, block: int, sitting: Sitting) -> Played:
        chance = Random(f"{self.seed} {block}")
        games = [
            result(block, bots, ranked([self._mark(bot, chance) for bot in bots])) for bots in rotations(sitting.lineup)
        ]
        return Played(sitting, tuple(games))

    def _mark(self, bot: str, chance: Random) -> float:
        mark = self.strengths[bot] + chance.gauss(0, self.luck)
        return round(mark / self.grain) * self.grain if self.grain else mark


def by_order(block: int, sitting: Sitting) -> Played:
    """The bot whose name comes first in the alphabet always wins."""
    games = [result(block, bots, [1 + sorted(bots).index(bot) for bot in bots]) for bots in rotations(sitting.lineup)]
    return Played(sitting, tuple(games))


@dataclass
class Story:
    """What a system gave, and what it was told, in the order of the calls."""

    sittings: list[Sitting] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)
    over: bool = False
    """Whether the system said so, and was not merely stopped."""

    @property
    def lineups(self) -> list[tuple[str, ...]]:
        return [sitting.lineup for sitting in self.sittings]

    @property
    def games(self) -> int:
        return sum(len(played.results) for played in self.played)


def drive(
    system: System,
    play: Play = by_order,
    *,
    lead: int = 4,
    most: int = 100_000,
    withdrawals: Mapping[int, str] | None = None,
) -> Story:
    """Call a system as the runner does: ``lead`` blocks are under way, the oldest is learned first.

    A bot withdraws when so many blocks have been given. Fails when a system waits for nothing.
    """
    story, under_way = Story(), deque[tuple[int, Sitting]]()
    leaving = dict(withdrawals or {})

    def learn() -> None:
        story.played.append(play(*under_way.popleft()))
        system.learn(story.played[-1])

    while len(story.sittings) < most:
        if bot := leaving.pop(len(story.sittings), None):
            system.withdraw(bot)
        sitting = system.next() if len(under_way) < lead else Wait.WAIT
        if sitting is None:
            story.over = True
            break
        if isinstance(sitting, Wait):
            assert under_way, "the system waits, and nothing is being played"
            learn()
        else:
            under_way.append((len(story.sittings), sitting))
            story.sittings.append(sitting)
    while under_way:
        learn()
    return story


def meetings(lineups: Sequence[Sequence[str]], bots: Sequence[str]) -> Counter[tuple[str, str]]:
    """How often each pair of the bots sat at one table; also those who never did."""
    met: Counter[tuple[str, str]] = Counter(dict.fromkeys(combinations(sorted(bots), 2), 0))
    for lineup in lineups:
        met.update(combinations(sorted(lineup), 2))
    return met


def appearances(lineups: Sequence[Sequence[str]], bots: Sequence[str]) -> Counter[str]:
    """How often each of the bots played; also those who never did."""
    seen: Counter[str] = Counter(dict.fromkeys(bots, 0))
    for lineup in lineups:
        seen.update(lineup)
    return seen


def spread(counts: Mapping[Any, int]) -> int:
    return max(counts.values()) - min(counts.values())
