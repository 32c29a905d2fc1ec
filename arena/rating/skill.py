"""What a rating is made of: a skill, and the numbers that TrueSkill needs to know of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

TIE_RATES: Mapping[str, float] = MappingProxyType({"codex": 0.01, "shelfie": 0.001})
"""How often two seats that rank next to each other tie, by game. The README says how they were measured."""

FALLBACK_TIE_RATE = 0.05
"""For games that nobody has measured. TrueSkill must not be told 0: a tie would then make it less sure of itself."""

LADDER_TAU = 25 / 300
"""How far a skill may drift between two games of a ladder, where bots come and go for as long as it stands."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A belief about a bot: a normal distribution on the TrueSkill scale."""

    mu: float
    sigma: float

    @property
    def score(self) -> float:
        """What a leaderboard is ordered by: the skill that the bot has almost certainly."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class Parameters:
    """What TrueSkill assumes of one game. Stored beside the ratings, so that they can be worked out again."""

    mu: float = 25.0
    sigma: float = 25 / 3
    beta: float = 25 / 6
    """The luck in one game: how far a performance strays from the skill."""
    tau: float = 0.0
    draw_probability: float = FALLBACK_TIE_RATE

    def __post_init__(self) -> None:
        if not (self.sigma > 0 and self.beta > 0 and self.tau >= 0 and 0 < self.draw_probability < 1):
            raise ValueError(f"these cannot be TrueSkill parameters: {self}")

    @classmethod
    def of(cls, game: str, *, ladder: bool = False) -> Parameters:
        """The parameters for a game: skills stand still in a closed tournament, and may drift a little in a ladder."""
        return cls(tau=LADDER_TAU if ladder else 0.0, draw_probability=TIE_RATES.get(game, FALLBACK_TIE_RATE))

    @property
    def newcomer(self) -> Skill:
        """What is believed of a bot that has not played."""
        return Skill(self.mu, self.sigma)
