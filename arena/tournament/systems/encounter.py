"""One table of a knockout: so many blocks until it is clear who goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

Scores = Mapping[str, Fraction]


class Encounter:
    """The best of so many blocks: what counts is the sum of what the blocks were worth.

    It ends as soon as the blocks that are left cannot change who goes on. When those at the cut are level after all
    blocks, further ones are played, one at a time, until they are not; after so many of these the better seed goes on.
    """

    def __init__(self, bots: Sequence[str], through: int, best_of: int, extra: int, stage: str) -> None:
        self.bots = list(bots)
        """Best seed first; without those who withdrew."""
        self.stage = stage
        self._through = through
        self._best_of = best_of
        self._most = best_of + extra
        self._given = 0
        self._learned = 0
        self._total = dict.fromkeys(bots, Fraction(0))

    @property
    def decided(self) -> bool:
        """Whether it is known who goes on, whatever is still being played."""
        return len(self.bots) <= self._through or self._learned >= self._most or self._lead > self._left

    @property
    def wants_block(self) -> bool:
        """Whether another block could be needed, given those that are being played."""
        if self.decided or self._given >= self._most:
            return False
        if self._given >= self._best_of:
            return self._given == self._learned
        playing = self._given - self._learned
        return self._lead + playing <= self._left - playing

    @property
    def idle(self) -> bool:
        """Whether none of its blocks is being played."""
        return self._given == self._learned

    @property
    def _left(self) -> int:
        """How many of the regular blocks have no result yet."""
        return max(0, self._best_of - self._learned)

    @property
    def _lead(self) -> Fraction:
        """By how much the last who would go on is ahead of the first who would not."""
        scores = sorted((self._total[bot] for bot in self.bots), reverse=True)
        return scores[self._through - 1] - scores[self._through]

    def give(self) -> None:
        self._given += 1

    def learn(self, scores: Scores) -> None:
        self._learned += 1
        for bot in self.bots:
            self._total[bot] += scores[bot]

    def withdraw(self, bot: str) -> None:
        if bot in self.bots:
            self.bots.remove(bot)

    def ranking(self) -> list[str]:
        """Best first; who is level stands in the order of the seeds."""
        return sorted(self.bots, key=lambda bot: -self._total[bot])

    def survivors(self) -> list[str]:
        """Who goes on, once it is decided."""
        return self.ranking()[: self._through]
