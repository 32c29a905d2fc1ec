"""How a seat is put out of a game: the closed set of reasons, each with its sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from arena.record import Verdict, VerdictKind

SENTENCES: Final[Mapping[VerdictKind, str]] = {
    VerdictKind.FAILED_TO_START: "The bot could not be started: {}.",
    VerdictKind.NEVER_JOINED: "The bot did not take its seat: {}.",
    VerdictKind.CRASHED: "The bot's process ended in mid-game: it {}.",
    VerdictKind.DISCONNECTED: "The bot's connection ended in mid-game while its process lived on{}.",
    VerdictKind.TIMED_OUT: "The bot did not answer in time: {}.",
    VerdictKind.ILLEGAL: "The bot made a move that the rules forbid: {}.",
    VerdictKind.UNREADABLE: "The bot's answer could not be read as a move: {}.",
    VerdictKind.OUT_OF_TURN: "The bot spoke out of turn: {}.",
    VerdictKind.STALLED: "The bot's process had been stopped and did not run: {}.",
    VerdictKind.TOO_LARGE: "The bot sent more in one message than any answer takes: {}.",
    VerdictKind.FLOODED: "The bot sent more than any game asks for: {}.",
    VerdictKind.MEMORY_LIMIT: "The bot took more memory than it may: it {}.",
}

_SHOWN: Final = 200
"""How much of an answer is kept."""


class Forfeit(Exception):
    """Raised by a seat, or by the match on its behalf: the bot is out of this game."""

    def __init__(
        self,
        kind: VerdictKind,
        detail: str = "",
        *,
        exit_status: int | None = None,
        signal: int = 0,
        log_tail: str = "",
        answer: str = "",
    ) -> None:
        self.kind = kind
        self.detail = detail.rstrip(".")
        self.exit_status = exit_status
        self.signal = signal
        self.log_tail = log_tail
        self.answer = answer[:_SHOWN]
        super().__init__(self.sentence)

    @property
    def sentence(self) -> str:
        return SENTENCES[self.kind].format(self.detail)

    def verdict(self, seat: int, turn: int) -> Verdict:
        return Verdict(seat, self.kind, turn, self.sentence, self.exit_status, self.signal, self.log_tail, self.answer)
