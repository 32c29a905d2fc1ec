"""Knockout: who is not among the best half of a table is out, or in the second chance of a double knockout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import ClassVar

from arena.errors import UsageError
from arena.tournament.designs import Seating
from arena.tournament.system import WAIT, Length, Played, Sitting, System, Wait
from arena.tournament.systems.encounter import Encounter
from arena.tournament.systems.field import Field
from arena.tournament.systems.options import Options, setting
from arena.tournament.systems.points import points
from arena_rules.chance import shuffled

NAMED = {2: "semi-final", 4: "quarter-final"}
"""Rounds by the number of tables, when everybody left plays in them."""


@dataclass(frozen=True)
class KnockoutOptions(Options):
    system: ClassVar[str] = "knockout"

    best_of: int = setting(1, "how many blocks decide a table", least=1)
    extra: int = setting(5, "how many further blocks a level table plays before the better seed goes on", least=0)
    double: bool = setting(False, "whether only the second defeat puts a bot out")
    third_place: bool = setting(False, "whether the losers of the semi-finals play for the third place")
    seeding: str = setting("entry", "who is seeded best: as entered, or by lot", choices=("entry", "lot"))

    def __post_init__(self) -> None:
        if self.double and self.third_place:
            raise UsageError("a double knockout has a third place by itself: leave out third_place or double")


class Knockout(System):
    """Rounds of tables, seated afresh: the best seed with the weakest, and so on towards the middle.

    Of a table of two or three the best goes on, of a table of four the best two: the best half, rounded down. Where the
    numbers do not fit, the best seeds have a bye in the first round, and at one table fewer are put out. The table that
    seats everybody who is left is the final and decides all its places. A table that has lost a bot which withdrew
    plays on with those who are left.

    In a double knockout everybody has two lives. Those with two and those with one play among themselves, until one
    final of both is left; with two seats, who comes there with two lives has to be beaten twice.
    """

    def __init__(self, field: Field, options: KnockoutOptions) -> None:
        self._seats = field.only_table("knockout")
        if options.third_place and self._seats > 2:
            raise UsageError("a final of three or four has a third place by itself: leave out third_place")
        self._field = field
        self._options = options
        self._seeds = list(field.bots) if options.seeding == "entry" else shuffled(field.seed, "seeds", field.bots)
        self._lives = dict.fromkeys(self._seeds, 2 if options.double else 1)
        self._seating: Seating[str] = Seating(field.chance("seats"))
        self._open: list[Encounter] = []
        self._given: list[Encounter] = []
        """The encounters of the blocks that are being played, oldest first."""
        self._gone: set[str] = set()
        """Those who withdrew."""
        self._places: list[list[str]] = []
        """Who went out together, in that order."""
        self._round = 0
        self._final = False
        self._over = False
        self._begin_round()

    @property
    def length(self) -> Length:
        """Every table ends between a clear lead and all further blocks; a final with two lives may be played twice."""
        tables = self._tables_at_least()
        again = self._options.double and self._seats == 2
        most = self._options.best_of + self._options.extra
        return Length(tables * (self._options.best_of // 2 + 1), (tables + again) * most)

    def _tables_at_least(self) -> int:
        """How many tables there are when the better seed always wins."""
        twin, tables = Knockout(self._field, self._options), 0
        while not twin._over:
            tables += len(twin._open)
            twin._end_round()
            twin._begin_round()
        return tables

    @property
    def places(self) -> tuple[tuple[str, ...], ...]:
        """Everybody whose place is known, best first; those who went out in the same round share one."""
        return tuple(tuple(bots) for bots in reversed(self._places))

    def findings(self) -> tuple[str, ...]:
        """Sentences for the report: who won, who comes next."""
        if not self._over:
            return ()
        place, sentences = 1, []
        for bots in self.places:
            last = place + len(bots) - 1
            sentences.append(f"place {place if place == last else f'{place}-{last}'}: {', '.join(bots)}")
            place = last + 1
        return tuple(sentences)

    def next(self) -> Sitting | Wait | None:
        while not self._over:
            for encounter in self._open:
                if encounter.wants_block:
                    return self._give(encounter)
            if not all(encounter.decided and encounter.idle for encounter in self._open):
                return WAIT
            self._end_round()
            self._begin_round()
        return None

    def _give(self, encounter: Encounter) -> Sitting:
        encounter.give()
        self._given.append(encounter)
        return Sitting(self._seating.lineup(encounter.bots), encounter.stage)

    def learn(self, played: Played) -> None:
        self._given.pop(0).learn(points(played))

    def withdraw(self, bot: str) -> None:
        self._gone.add(bot)
        for encounter in self._open:
            encounter.withdraw(bot)
        if self._lives.pop(bot, 0):
            self._places.insert(0, [bot])

    def _begin_round(self) -> None:
        alive = self._alive()
        self._final = len(alive) <= self._seats
        if len(alive) <= 1:
            self._finish(alive)
        elif self._final:
            self._open = [self._table(alive, 1, "final"), *self._for_third()]
        else:
            self._round += 1
            self._open = self._elimination() or [self._last_chance(alive)]

    def _end_round(self) -> None:
        if self._final:
            self._settle_third()
            self._settle_final()
        else:
            beaten = [bot for table in self._open for bot in table.bots if bot not in table.survivors()]
            self._put_out([bot for bot in self._seeds if bot in beaten and self._lose_life(bot)])

    def _lose_life(self, bot: str) -> bool:
        """Whether it was the last one."""
        self._lives[bot] -= 1
        return not self._lives[bot]

    def _put_out(self, bots: Sequence[str]) -> None:
        """Those who go out together share a place."""
        for bot in bots:
            del self._lives[bot]
        if bots:
            self._places.append(list(bots))

    def _settle_final(self) -> None:
        for bot in reversed(self._open[0].ranking()[1:]):
            if self._seats > 2 or self._lose_life(bot):
                self._put_out([bot])

    def _for_third(self) -> list[Encounter]:
        losers = self._places[-1] if self._places else []
        if not self._options.third_place or len(losers) != 2 or self._gone.intersection(losers):
            return []
        return [self._table(losers, 1, "third place")]

    def _settle_third(self) -> None:
        for encounter in self._open[1:]:
            order = encounter.ranking()
            order += [bot for bot in self._places[-1] if bot not in order]
            self._places[-1:] = [[bot] for bot in reversed(order)]

    def _finish(self, alive: Sequence[str]) -> None:
        self._put_out(alive)
        self._open = []
        self._over = True

    def _alive(self, lives: int | None = None) -> list[str]:
        """Who is left, best seed first."""
        return [bot for bot in self._seeds if bot in self._lives and lives in {None, self._lives[bot]}]

    def _elimination(self) -> list[Encounter]:
        """The tables of a round: those who have the same number of lives play among themselves."""
        lives = sorted(set(self._lives.values()), reverse=True)
        return [table for left in lives for table in self._group(self._alive(left), second=left == 1)]

    def _group(self, bots: list[str], *, second: bool) -> list[Encounter]:
        """The tables of those who are level in lives; none when they are few enough to wait for the others."""
        out = len(bots) - self._goal(len(bots), second=second)
        beaten = self._seats - self._through
        tables = min(ceil(out / beaten), len(bots) // self._seats)
        playing = bots[len(bots) - tables * self._seats :]
        spared = max(0, tables * beaten - out)
        stage = self._stage(len(bots), tables, second=second)
        return [
            self._table(_snake(playing, tables, number), self._through + (0 if number else spared), stage)
            for number in range(tables)
        ]

    @property
    def _through(self) -> int:
        """How many of a full table go on."""
        return self._seats // 2

    def _goal(self, size: int, *, second: bool) -> int:
        """To how many a group comes down in this round: a number from which whole tables lead to the final."""
        goal = self._seats
        if self._options.double:
            goal = self._seats // 2 if second else ceil(self._seats / 2)
        while goal * self._seats // self._through < size:
            goal = goal * self._seats // self._through
        return min(goal, size)

    def _last_chance(self, alive: list[str]) -> Encounter:
        """When no group fills a table: the weakest, of whom as many lose a life as are too many for the final."""
        weakest = sorted(alive, key=lambda bot: -self._lives[bot])[-self._seats :]
        too_many = min(len(alive) - self._seats, self._seats - self._through)
        return self._table(weakest, self._seats - too_many, "last chance")

    def _table(self, bots: Sequence[str], through: int, stage: str) -> Encounter:
        return Encounter(bots, through, self._options.best_of, self._options.extra, stage)

    def _stage(self, bots: int, tables: int, *, second: bool) -> str:
        if self._options.double and second:
            return f"second chance, round {self._round}"
        whole = bots == tables * self._seats and not self._options.double
        return NAMED[tables] if whole and tables in NAMED else f"round {self._round}"


def _snake(bots: Sequence[str], tables: int, number: int) -> list[str]:
    """A table when the bots are dealt to all tables there and back again: the best meets the weakest."""
    rows = range(0, len(bots), tables)
    return [bots[row + (number if turn % 2 == 0 else tables - 1 - number)] for turn, row in enumerate(rows)]
