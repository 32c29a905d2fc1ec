"""Duel: is the first bot better than the second? Blocks are played until that is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arena.errors import UsageError
from arena.rating import Decision, SequentialTest, block_score, elo_difference
from arena.tournament.definition import Deals, rotated
from arena.tournament.system import Length, Played, Sitting, System
from arena.tournament.systems.field import Field
from arena.tournament.systems.options import Options, setting


@dataclass(frozen=True)
class DuelOptions(Options):
    system: ClassVar[str] = "duel"

    alpha: float = setting(0.05, "how often a bot that is not better may be called better", least=0.0001, most=0.4)
    beta: float = setting(
        0.05, "how often one that is better by 'margin' may be called not better", least=0.0001, most=0.4
    )
    margin: float = setting(0.05, "how much more than a half the better one scores per block", least=0.005, most=0.45)
    most: int = setting(2000, "after how many blocks it ends undecided", least=1)


class Duel(System):
    """The first two bots meet in every block. Further seats go to the others by lot, or to copies of the second bot."""

    def __init__(self, field: Field, options: DuelOptions) -> None:
        self._seats = field.only_table("a duel")
        self.new, self.old, *self._others = field.bots
        if self._others and self._seats == 2:
            raise UsageError("a duel of two has no room for a field: seat 3 or 4 with --players, or leave it out")
        self._chance = field.chance("duel")
        self._single = field.deals is Deals.SINGLE
        self._most = options.most
        self._given = 0
        self._withdrawn: str | None = None
        self.test = SequentialTest(options.alpha, options.beta, 0.0, options.margin)

    @property
    def length(self) -> Length:
        """It is over when it is decided."""
        return Length(1, self._most)

    def next(self) -> Sitting | None:
        if self.test.decision is not Decision.UNDECIDED or self._given == self._most or self._withdrawn:
            return None
        lineup = (self.new, self.old, *self._company())
        self._given += 1
        return Sitting(rotated(lineup, self._given - 1) if self._single else lineup)

    def _company(self) -> list[str]:
        """Who takes the seats that are left: part of the deal, and drawn before anything is known of the block."""
        if not self._others:
            return [self.old] * (self._seats - 2)
        ranked = sorted(self._others, key=lambda _: self._chance.random())
        return [ranked[place % len(ranked)] for place in range(self._seats - 2)]

    def learn(self, played: Played) -> None:
        self.test.add(block_score(played.results, self.new, self.old))

    def withdraw(self, bot: str) -> None:
        if bot in {self.new, self.old}:
            self._withdrawn = bot
        else:
            self._others.remove(bot)

    def findings(self) -> tuple[str, ...]:
        test, effect = self.test, self.test.effect()
        words = {
            Decision.BETTER: f"{self.new} is better than {self.old}",
            Decision.NOT_BETTER: f"{self.new} is not better than {self.old} by as much as was asked for",
            Decision.UNDECIDED: f"it is not decided whether {self.new} is better than {self.old}",
        }
        found = [f"{words[test.decision]}, after {test.blocks} blocks: {test.reason}."]
        if self._withdrawn:
            found.append(f"{self._withdrawn} forfeited too often, so it ended.")
        found.append(f"Score per block {effect.estimate:.3f}, between {effect.low:.3f} and {effect.high:.3f}.")
        if self._seats == 2 and 0 < effect.estimate < 1:
            found.append(f"That is {elo_difference(effect.estimate):+.0f} Elo points.")
        return tuple(found)
