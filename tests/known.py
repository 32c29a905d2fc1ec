"""Bots of known strength: samplers of ranks, with the luck of the deal shared by the games of a block."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.rating import Parameters
from arena.record import Result


@dataclass(frozen=True)
class Luck:
    """What luck consists of, in shares of its variance; the rest is drawn anew in every game.

    The luck of a seat in a deal comes to everybody who takes that seat in turn, so blocks even it out. How a deal suits
    a bot stays with the bot through the whole block, so a block says less than so many independent games.
    """

    seat: float = 0.0
    suit: float = 0.0


EVEN = Luck(seat=0.9, suit=0.05)
"""Blocks vary half as much as independent games would, as seen between bots that play alike."""
PLAIN = Luck()
LUMPY = Luck(seat=0.2, suit=0.5)
"""Blocks vary up to twice as much as independent games would; more than was seen between any bots."""


class Field:
    """Bots with their true skills, on the TrueSkill scale."""

    def __init__(
        self,
        skills: Mapping[str, float],
        luck: Luck = PLAIN,
        *,
        seed: int = 0,
        seat_bonus: Sequence[float] = (),
    ) -> None:
        self.skills = dict(skills)
        self.seat_bonus = [*seat_bonus, 0.0, 0.0, 0.0, 0.0]
        beta = Parameters().beta
        self._seat = beta * luck.seat**0.5
        self._suit = beta * luck.suit**0.5
        self._rest = beta * (1 - luck.seat - luck.suit) ** 0.5
        self._rng = random.Random(seed)
        self._blocks = 0

    def block(self, bots: Sequence[str]) -> list[Result]:
        """One deal over all rotations."""
        gauss = self._rng.gauss
        players, number = len(bots), self._blocks
        self._blocks += 1
        seats = [gauss(bonus, self._seat) for bonus in self.seat_bonus[:players]]
        suits = [self.skills[bot] + gauss(0, self._suit) for bot in bots]
        played = []
        for turn in range(players):
            places = [(turn + seat) % players for seat in range(players)]
            merits = [suits[place] + seats[seat] + gauss(0, self._rest) for seat, place in enumerate(places)]
            played.append(self._result(number, turn, [bots[place] for place in places], merits))
        return played

    def _result(self, block: int, turn: int, bots: Sequence[str], merits: Sequence[float]) -> Result:
        players = len(bots)
        ranks = tuple(1 + sum(other > merit for other in merits) for merit in merits)
        return Result(
            "known", block * players + turn, block, "shelfie", tuple(bots), ranks, (0,) * players, (False,) * players
        )

    def round_robin(self, players: int, blocks: int) -> list[Result]:
        """So many blocks of line-ups drawn such that all bots play about equally often."""
        played: list[Result] = []
        waiting: list[str] = []
        for _ in range(blocks):
            while len(waiting) < players:
                fresh = [bot for bot in self.skills if bot not in waiting]
                waiting += self._rng.sample(fresh, len(fresh))
            played += self.block(waiting[:players])
            del waiting[:players]
        return played
