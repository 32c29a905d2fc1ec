"""From a system to specs: numbers, deals and seats for every sitting, and results back to the system.

Whatever the number of jobs and whichever match ends first, the system hears of the same results at the same points:
when so many blocks are given out that have not been learned of, the oldest of them is learned first, and no block is
learned of sooner. So the schedule is a function of the definition and the results, and a tournament that is resumed
goes the same way again.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from arena.record import MatchSpec, Result
from arena.tournament.definition import Definition
from arena.tournament.system import WAIT, Played, Sitting, System, Wait
from arena_rules.chance import derive

LEAD: Final = {"adaptive": 8, "ladder": 8, "duel": 4}
"""How many blocks a system gives out before it learns of the first: few where each result counts for the next one."""
USUAL_LEAD: Final = 64

STRIKE_SHARE: Final = 0.2
"""The share of its games that a bot has to have forfeited before its strikes take it out."""


@dataclass(frozen=True, slots=True)
class Block:
    """One deal to be played, in every order of its line-up."""

    number: int
    sitting: Sitting
    specs: tuple[MatchSpec, ...]


@dataclass(slots=True)
class _Open:
    """A block that was given out and has not been learned of."""

    block: Block
    results: dict[int, Result] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        return len(self.results) == len(self.block.specs)

    def played(self) -> Played:
        return Played(self.block.sitting, tuple(self.results[spec.index] for spec in self.block.specs))


class Schedule:
    """Gives out blocks and takes in results, in any order."""

    def __init__(self, definition: Definition, system: System, lead: int | None = None) -> None:
        self.definition = definition
        self.system = system
        self.withdrawn: list[str] = []
        """The bots that were taken out for their forfeits, in that order."""
        self.settled = 0
        """How many matches from the first on have their result."""
        self._lead = lead or LEAD.get(definition.system, USUAL_LEAD)
        self._open: deque[_Open] = deque()
        self._by_index: dict[int, _Open] = {}
        self._system_waits = False
        self._over = False
        self._blocks = 0
        self._games = 0
        self._early: set[int] = set()
        """Matches that have a result while one before them has none."""
        self._to_join = deque(definition.joins)
        self._seats: Counter[str] = Counter()
        self._forfeits: Counter[str] = Counter()

    @property
    def given(self) -> int:
        """How many matches have been given out."""
        return self._games

    @property
    def blocks(self) -> int:
        """How many blocks have been given out."""
        return self._blocks

    def next(self) -> Block | Wait | None:
        """The next block to play; WAIT when a result is needed first; None when there are no more."""
        while not self._over:
            if self._system_waits or len(self._open) >= self._lead:
                if not self._learn():
                    return WAIT
                self._system_waits = False
            self._let_in()
            sitting = self.system.next()
            if isinstance(sitting, Sitting):
                return self._give(sitting)
            self._over = sitting is None
            self._system_waits = sitting is WAIT
        return None

    def settled_with(self, indices: Iterable[int]) -> int:
        """How many matches from the first on would have their result, if these had theirs."""
        known = self._early.union(indices)
        settled = self.settled
        while settled in known:
            settled += 1
        return settled

    def take(self, result: Result) -> None:
        """The result of a match that was given out."""
        self._by_index.pop(result.index).results[result.index] = result
        self.settled, before = self.settled_with([result.index]), self.settled
        self._early.add(result.index)
        self._early.difference_update(range(before, self.settled))

    def finish(self) -> None:
        """After the last block: let the system learn of all that are complete."""
        while self._open and self._learn():
            pass

    def _let_in(self) -> None:
        """Let those join for whom it is time: as many matches are given out as there were when they came."""
        while self._to_join and self._to_join[0].after <= self._games:
            self.system.join(self._to_join.popleft().bot)

    def _give(self, sitting: Sitting) -> Block:
        number, first = self._blocks, self._games
        orders = self.definition.deals.orders(sitting.lineup)
        specs = tuple(self._spec(order, first + place, number) for place, order in enumerate(orders))
        self._blocks += 1
        self._games += len(specs)
        opened = _Open(Block(number, sitting, specs))
        self._open.append(opened)
        self._by_index |= dict.fromkeys((spec.index for spec in specs), opened)
        return opened.block

    def _spec(self, lineup: tuple[str, ...], index: int, block: int) -> MatchSpec:
        plan = self.definition
        return MatchSpec(
            index=index,
            game=plan.game,
            edition=plan.edition,
            lineup=lineup,
            seed=derive(plan.seed, f"deal {block}"),
            time=plan.time,
            options=plan.options,
            tournament=plan.name,
            block=block,
            lenient=plan.lenient,
        )

    def _learn(self) -> bool:
        """Tell the system of the oldest block; False when that is not complete."""
        assert self._open, "a system may only wait for blocks that it gave"
        oldest = self._open[0]
        if not oldest.complete:
            return False
        self._open.popleft()
        played = oldest.played()
        self.system.learn(played)
        self._count_strikes(played.results)
        return True

    def _count_strikes(self, results: Iterable[Result]) -> None:
        for result in results:
            self._seats.update(result.bots)
            self._forfeits.update(bot for bot, forfeit in zip(result.bots, result.forfeits, strict=True) if forfeit)
        for bot in self._struck_out():
            self.withdrawn.append(bot)
            self.system.withdraw(bot)

    def _struck_out(self) -> Iterator[str]:
        limit = self.definition.strikes
        for bot, forfeits in sorted(self._forfeits.items()):
            often = forfeits >= STRIKE_SHARE * self._seats[bot]
            if limit and forfeits >= limit and often and bot not in self.withdrawn:
                yield bot
