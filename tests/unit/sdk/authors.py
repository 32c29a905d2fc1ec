"""Bots as authors write them, for the tests of the SDK."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arena_sdk import BatchBot, Bot, GameEnded, News, Table, Turn


class RandomBot(Bot):
    """Takes all its chance from the turn."""

    def choose(self, turn: Turn) -> Any:
        return turn.rng.choice(turn.legal)


class FirstBot(Bot):
    """Takes the first legal move."""

    def choose(self, turn: Turn) -> Any:
        return turn.legal[0]


class AskedBot(Bot):
    """Answers with what a function makes of the turn."""

    def __init__(self, answer: Callable[[Turn], Any]) -> None:
        self.answer = answer

    def choose(self, turn: Turn) -> Any:
        return self.answer(turn)


class DiaryBot(RandomBot):
    """Writes down all that it is told, and with which table."""

    def __init__(self) -> None:
        self.diary: list[tuple[str, Table, Any]] = []

    def started(self, table: Table) -> None:
        self.diary.append(("started", table, None))

    def heard(self, table: Table, news: News) -> None:
        self.diary.append(("heard", table, news))

    def ended(self, table: Table, end: GameEnded) -> None:
        self.diary.append(("ended", table, end))

    def choose(self, turn: Turn) -> Any:
        self.diary.append(("asked", turn.table, turn.number))
        return super().choose(turn)

    def words(self) -> list[str]:
        return [word for word, _, _ in self.diary]

    def told(self, word: str) -> list[Any]:
        return [what for said, _, what in self.diary if said == word]


class CountingBot(BatchBot):
    """Takes the first legal move in game 1, the second in game 2. Notes how many turns it is handed at a time.

    With ``too_many`` it gives other than one move for each turn.
    """

    def __init__(self, too_many: int = 0) -> None:
        self.batches: list[int] = []
        self.too_many = too_many

    def choose_many(self, turns: Sequence[Turn]) -> Sequence[Any]:
        self.batches.append(len(turns))
        moves = [turn.legal[turn.table.number - 1] for turn in turns]
        return (moves + moves * self.too_many) if self.too_many >= 0 else moves[: self.too_many]
