"""Matches that nobody has played, for a store that does not care."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from arena.record import Effort, Entrant, LogLine, MatchRecord, MatchSpec, PlayedMove, Verdict, VerdictKind
from arena.store import Store
from arena_rules import Outcome, Score, Termination


def content_of(label: str) -> str:
    return hashlib.sha256(label.encode()).hexdigest()


def entrant(label: str) -> Entrant:
    name, _, number = label.partition("@")
    return Entrant(name, content_of(f"{name}@{number or 1}"), int(number or 1))


def arena_of(store: Store, *labels: str, tournaments: Sequence[str] = ("cup",), game: str = "shelfie") -> None:
    """Register these versions, each name from 1 on, and open these tournaments one after the other."""
    for label in labels:
        bot = entrant(label)
        store.register(bot.name, bot.content_hash, {"games": [game]}, trusted=True)
    for opened_us, name in enumerate(tournaments):
        store.open_tournament(name, game, "round-robin", {"bots": list(labels)}, opened_us)


def match(
    index: int,
    *labels: str,
    tournament: str = "cup",
    ranks: Sequence[int] | None = None,
    attempt: int = 0,
    game: str = "shelfie",
    started_us: int | None = None,
    forfeits: Sequence[int] = (),
    void: str = "",
    seed: int = 7,
) -> MatchRecord:
    """A match in which the seats rank as they sit, unless told otherwise."""
    bots = tuple(map(entrant, labels or ("ann", "bob")))
    seats = range(len(bots))
    places = tuple(seat + 1 for seat in seats) if ranks is None else tuple(ranks)
    outcome = Outcome(places, tuple(Score((("points", 10 - rank),)) for rank in places), Termination.COMPLETED)
    return MatchRecord(
        spec=MatchSpec(
            index=index,
            game=game,
            edition="it",
            lineup=tuple(bot.name for bot in bots),
            seed=seed,
            options={"b": "2", "a": "1"},
            tournament=tournament,
            block=index // len(bots),
            attempt=attempt,
        ),
        rules_version="1",
        lineup=bots,
        moves=tuple(PlayedMove(turn % len(bots), f"move {turn}", 100 + turn) for turn in range(8)),
        outcome=None if void else outcome,
        verdicts=tuple(Verdict(seat, VerdictKind.TIMED_OUT, 3, "It was late.") for seat in forfeits),
        started_us=1_000 * index + attempt if started_us is None else started_us,
        elapsed_us=5_000,
        void_reason=void,
        efforts=tuple(Effort(1_000 + seat, 2_000 + seat, (LogLine(1, "hm"),)) for seat in seats),
    )
