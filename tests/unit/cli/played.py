"""Records of whole games, played at random without any bot or process."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from arena.record import Entrant, MatchRecord, MatchSpec, PlayedMove, Verdict, VerdictKind
from arena_rules import game
from arena_sdk.events import TimeControl


def spec_of(*bots: str, seed: int = 7, edition: str = "en-2022") -> MatchSpec:
    return MatchSpec(0, "shelfie", edition, bots or ("ann", "bob"), seed, TimeControl(1_000, 10_000))


def played(spec: MatchSpec, *verdicts: Verdict) -> MatchRecord:
    """A match of random moves in which seats leave as the verdicts say. The move numbered n took n milliseconds."""
    shelfie, rng = game(spec.game), Random(spec.seed)
    state = shelfie.deal(len(spec.lineup), spec.seed, shelfie.rules(spec.edition, spec.options))
    moves: list[PlayedMove] = []
    leaving = list(verdicts)
    while state.to_move >= 0:
        if leaving and leaving[0].turn == state.turn:
            state = state.retire(leaving.pop(0).seat)
            continue
        move = state.random_move(rng)
        moves.append(PlayedMove(state.to_move, str(move), 1_000 * (len(moves) + 1)))
        state = state.apply(move)
    lineup = tuple(Entrant(name, f"{seat}f" * 32) for seat, name in enumerate(spec.lineup))
    return MatchRecord(spec, shelfie.rules_version, lineup, tuple(moves), state.outcome(), verdicts, 1, 250_000)


def timed_out(seat: int, turn: int) -> Verdict:
    return Verdict(
        seat, VerdictKind.TIMED_OUT, turn, "The bot did not answer in time: it took 1.2 s.", log_tail="thinking"
    )


def void(record: MatchRecord) -> MatchRecord:
    return replace(record, outcome=None)
