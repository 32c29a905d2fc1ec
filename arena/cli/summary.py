"""Many records in one line per bot: a fold over the log."""

from __future__ import annotations

from dataclasses import dataclass, field

from arena.record import MatchRecord


@dataclass(slots=True)
class Tally:
    """What a bot made of its games. A bot that sits at a table twice is counted for both seats."""

    bot: str
    games: int = 0
    wins: int = 0
    """Games in which it alone ranked first."""
    ties: int = 0
    """Games in which it shared the first rank."""
    ranks: int = 0
    points: int = 0
    forfeits: int = 0
    moves: int = 0
    think_us: int = 0
    think_max_us: int = 0

    @property
    def mean_rank(self) -> float:
        return self.ranks / self.games if self.games else 0.0

    @property
    def mean_score(self) -> float:
        return self.points / self.games if self.games else 0.0

    @property
    def think_mean_us(self) -> float:
        return self.think_us / self.moves if self.moves else 0.0

    def as_json(self) -> dict[str, str | int | float]:
        return {
            "bot": self.bot,
            "games": self.games,
            "wins": self.wins,
            "ties": self.ties,
            "mean_rank": round(self.mean_rank, 4),
            "mean_score": round(self.mean_score, 4),
            "forfeits": self.forfeits,
            "think_mean_us": round(self.think_mean_us),
            "think_max_us": self.think_max_us,
        }


@dataclass(slots=True)
class Summary:
    """The tallies of all bots. Void matches count for nobody."""

    games: int = 0
    void: int = 0
    by_bot: dict[str, Tally] = field(default_factory=dict)

    def add(self, record: MatchRecord) -> None:
        self.games += 1
        if record.outcome is None:
            self.void += 1
            return
        for seat, bot in enumerate(record.spec.lineup):
            self._add_result(self._tally(bot), record, seat)
        for move in record.moves:
            _add_move(self._tally(record.spec.lineup[move.seat]), move.think_us)
        for verdict in record.verdicts:
            self._tally(record.spec.lineup[verdict.seat]).forfeits += 1

    def tallies(self) -> list[Tally]:
        """The best mean rank first."""
        return sorted(self.by_bot.values(), key=lambda tally: (tally.mean_rank, -tally.mean_score, tally.bot))

    def _tally(self, bot: str) -> Tally:
        return self.by_bot.setdefault(bot, Tally(bot))

    @staticmethod
    def _add_result(tally: Tally, record: MatchRecord, seat: int) -> None:
        outcome = record.outcome
        assert outcome is not None, "void matches are not added"
        tally.games += 1
        tally.ranks += outcome.ranks[seat]
        tally.points += outcome.scores[seat].total
        if seat in outcome.winners:
            tally.wins += len(outcome.winners) == 1
            tally.ties += len(outcome.winners) > 1


def _add_move(tally: Tally, think_us: int) -> None:
    tally.moves += 1
    tally.think_us += think_us
    tally.think_max_us = max(tally.think_max_us, think_us)
