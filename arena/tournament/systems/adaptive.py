"""Adaptive: asks what tells most about who is on top, and stops when that is known."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, ClassVar

from arena.tournament.designs import Mixture, Seating
from arena.tournament.system import Length, Played, Sitting, System
from arena.tournament.systems.budget import affordable
from arena.tournament.systems.field import Field, joined
from arena.tournament.systems.options import Options, setting
from arena.tournament.systems.points import duels
from arena_rules.chance import shuffled

if TYPE_CHECKING:
    from arena.tournament.systems.gain import Numbers
    from arena.tournament.systems.statement import Statement

FIRST = 3
"""How many blocks everybody plays before anything is concluded."""
EXPLORED = 10
"""Every so manieth block goes to whoever has played least, so that nobody is given up for good."""
PATIENCE = 200
"""How many blocks per bot are played at most, unless there is a budget: bots that are equal are never told apart."""


@dataclass(frozen=True)
class AdaptiveOptions(Options):
    system: ClassVar[str] = "adaptive"

    top: int = setting(3, "how many bots are to be found that are above all others", least=1)
    order: bool = setting(False, "whether their order is wanted too, or only who they are")
    confidence: float = setting(0.95, "with which confidence, however often one looks", least=0.5, most=0.9999)
    blocks: int | None = setting(None, "how many blocks it may take at most", least=1)
    games: int | None = setting(None, "how many games it may take at most, in whole blocks", least=1)

    def __post_init__(self) -> None:
        self.at_most_one("blocks", "games")

    def limit(self, field: Field) -> int:
        """How many blocks it may take."""
        if self.games is not None:
            return affordable(field, self.games)
        return self.blocks or PATIENCE * len(field.bots)


class Adaptive(System):
    """Which bots are the best three, as a set (or in order), at the wanted confidence, with few games.

    First everybody plays a few blocks. Then each block is the one that is expected to tell most about what is wanted,
    counting those that are still being played. With three or four seats the line-up grows from the most telling pair.
    """

    def __init__(self, field: Field, options: AdaptiveOptions) -> None:
        from arena.tournament.systems.belief import Belief

        self._field = field
        self._options = options
        self._limit = options.limit(field)
        self._bots = shuffled(field.seed, "schedule numbers", field.bots)
        self._present = set(range(len(self._bots)))
        self._belief = Belief(len(self._bots))
        self._seating: Seating[str] = Seating(field.chance("seats"))
        self._first = Mixture(len(self._bots), field.players, self._first_blocks(), field.chance("adaptive"))
        self._pending: deque[tuple[int, ...]] = deque()
        self._given = 0
        self._turns: Counter[int] = Counter()
        """How many blocks each bot was given."""
        self._games = 0
        self._statement: Statement | None = None
        self._risk = 1.0
        self._over = False

    def _first_blocks(self) -> int:
        sizes = self._field.players
        return -(-FIRST * len(self._field.bots) // sum(sizes)) * len(sizes)

    @property
    def length(self) -> Length:
        return Length(min(self._first_blocks(), self._limit), self._limit)

    def join(self, bot: str) -> None:
        """Let a bot take part from now on. Raises UsageError if it does already, or did."""
        joined(bot, self._bots)
        self._present.add(len(self._bots))
        self._bots.append(bot)
        self._belief.add()

    def withdraw(self, bot: str) -> None:
        number = self._bots.index(bot)
        self._present.discard(number)
        if number < len(self._field.bots):
            self._first.withdraw(number)

    def learn(self, played: Played) -> None:
        self._pending.popleft()
        self._games += len(played.results)
        numbers = {bot: self._bots.index(bot) for bot in played.sitting.lineup}
        weight = _weight(len(numbers))
        for one, other, score in duels(played):
            self._belief.learn(numbers[one], numbers[other], float(score), weight)

    def next(self) -> Sitting | None:
        table = self._table()
        if table is None:
            return None
        self._pending.append(table)
        self._turns.update(table)
        self._given += 1
        return Sitting(self._seating.lineup([self._bots[number] for number in table]))

    def _table(self) -> tuple[int, ...] | None:
        from arena.tournament.systems.belief import one_thread

        sizes = [seats for seats in self._field.players if seats <= len(self._present)]
        spent = not sizes or self._given >= self._limit
        table = None if spent or self._over else next(self._first, None)
        if table is not None:
            return table
        with one_thread():
            return None if self._concluded() or spent else self._most_telling(sizes[self._given % len(sizes)])

    def _concluded(self) -> bool:
        """See what can be said now. Whether it is certain enough to stop, which is for good."""
        import numpy as np

        from arena.tournament.systems.statement import Statement

        if self._over or len(self._present) < 2:
            return self._over
        self._belief.fit()
        top = min(self._options.top, len(self._present) - 1)
        present = np.array(sorted(self._present))
        self._statement = Statement.about(self._belief.strength, present, top, ordered=self._options.order)
        self._risk = self._statement.risk(self._belief.strength, self._belief.covariance())
        self._over = self._risk <= 1 - self._options.confidence
        return self._over

    def _most_telling(self, seats: int) -> tuple[int, ...]:
        from arena.tournament.systems.gain import gains

        assert self._statement is not None, "concluded before"
        gain = gains(self._belief, self._statement, self._under_way())
        table = self._opening(gain)
        while len(table) < seats:
            others = sorted(self._present.difference(table))
            table.append(max(others, key=lambda bot: float(gain[bot, table].sum())))
        return tuple(table)

    def _opening(self, gain: Numbers) -> list[int]:
        """With whom a line-up begins: the most telling pair, or who has played least when that is due."""
        present = sorted(self._present)
        least = min(present, key=lambda bot: self._turns[bot])
        if self._turns[least] < FIRST or self._given % EXPLORED == 0:
            return [least]
        pairs = gain[present][:, present]
        one, other = divmod(int(pairs.argmax()), len(present))
        return [present[one], present[other]]

    def _under_way(self) -> Numbers:
        """How often each pair meets in the blocks that are being played."""
        import numpy as np

        meetings = np.zeros((len(self._bots), len(self._bots)))
        for table in self._pending:
            for one in table:
                meetings[one, [other for other in table if other != one]] += _weight(len(table))
        return meetings

    def findings(self) -> tuple[str, ...]:
        """Sentences for the report: what is known, what it took, and what a round robin would have taken."""
        if self._statement is None:
            return ("nothing can be said yet: play more blocks",)
        names = ", ".join(self._bots[number] for number in self._statement.best)
        what = f"the best {len(self._statement.best)}{' in order' if self._options.order else ''}: {names}"
        if not self._over:
            sure = f"open after {self._games} games: {what} is wrong with a chance of up to {min(1.0, self._risk):.0%}"
            return (sure,)
        return (
            f"{what}, at {self._options.confidence:.4g} confidence, after {self._games} games",
            f"a round robin would have needed about {self.round_robin_games():,} games (estimated)",
        )

    def round_robin_games(self) -> int:
        """About how many games a round robin would have needed to say the same, were the strengths as believed."""
        import numpy as np

        statement, bound = self._statement, 1 - self._options.confidence
        assert statement is not None, "asked for at the end"
        bots = len(self._bots)
        per_block = sum(comb(seats, 2) * _weight(seats) for seats in self._field.players)
        games = sum(self._field.games(seats) for seats in self._field.players)

        def risk(rounds: float) -> float:
            meetings = np.full((bots, bots), rounds)
            np.fill_diagonal(meetings, 0)
            return statement.risk(self._belief.strength, self._belief.forecast(meetings))

        low, high = 0.0, 1.0
        while risk(high) > bound and high < 1e6:
            low, high = high, 2 * high
        for _ in range(20):
            middle = (low + high) / 2
            low, high = (middle, high) if risk(middle) > bound else (low, middle)
        return round(high * comb(bots, 2) / per_block * games)


def _weight(seats: int) -> float:
    """What the score of one pair counts: the pairs of a table do not speak independently of each other."""
    return 2 / seats
