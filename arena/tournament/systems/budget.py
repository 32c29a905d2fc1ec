"""How long a system of fixed length lasts: so many rounds, blocks or games."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from arena.errors import UsageError
from arena.tournament.systems.field import Field
from arena.tournament.systems.options import Options, setting


@dataclass(frozen=True)
class Budget(Options):
    """At most one of the three is given; without any it is one round."""

    rounds: int | None = setting(None, "how often everybody meets everybody, on the average of all pairs", least=1)
    blocks: int | None = setting(None, "how many blocks are played in all", least=1)
    games: int | None = setting(None, "how many games at most; only whole blocks are played", least=1)

    def __post_init__(self) -> None:
        self.at_most_one("rounds", "blocks", "games")

    def length(self, field: Field, meetings: int, per_cycle: int) -> int:
        """How many blocks that is.

        ``meetings`` are to happen in a round; ``per_cycle`` of them do in one block of each size of table.
        """
        if self.blocks is not None:
            return self.blocks
        if self.games is not None:
            return affordable(field, self.games)
        return ceil((self.rounds or 1) * meetings / per_cycle) * len(field.players)


def affordable(field: Field, games: int) -> int:
    """How many blocks fit, taking the sizes of tables in turn."""
    prices = [field.games(seats) for seats in field.players]
    cycles, left = divmod(games, sum(prices))
    blocks = cycles * len(prices)
    for price in prices:
        left -= price
        if left < 0:
            break
        blocks += 1
    if not blocks:
        raise UsageError(f"{games} games are less than one block, which has {prices[0]}: allow more games")
    return blocks
