"""Whole games that a person can read, and that the rules must go on playing in exactly the same way.

The moves are read from the files, so that only a change of the rules can break a playthrough. When files are written
anew, each seat tries a few random moves and plays the one that scores best.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from arena_rules import Game, State, game

HERE = Path(__file__).parent
TRIED = 12


class Playthrough(NamedTuple):
    """Which game a golden file tells of."""

    name: str
    players: int
    edition: str
    seed: int
    pictures: int = 5

    @property
    def file(self) -> Path:
        return HERE / f"{self.name}-{self.players}p-{self.edition}.txt"

    def deal(self) -> State[Any]:
        return game(self.name).deal(self.players, self.seed, game(self.name).rules(self.edition))

    def moves(self) -> list[str]:
        """The moves as the file has them."""
        lines = self.file.read_text(encoding="utf-8").splitlines()
        return [word for line in lines if line.startswith("round ") for word in line.split()[2:]]


PLAYTHROUGHS = [
    Playthrough("codex", 2, "standard", 6, pictures=3),
    Playthrough("codex", 3, "standard", 2, pictures=2),
    Playthrough("codex", 4, "standard", 9, pictures=2),
    Playthrough("shelfie", 2, "en-revised", 7),
    Playthrough("shelfie", 3, "it", 5),
    Playthrough("shelfie", 4, "en-2022", 11),
]


@pytest.mark.parametrize("play", PLAYTHROUGHS, ids=lambda play: play.file.stem)
def test_a_playthrough_is_what_it_was(play: Playthrough, regenerate: bool) -> None:
    """The same deal and the same moves lead through the same positions to the same scores."""
    if regenerate:
        play.file.write_text(story(play, chosen_moves(play)), encoding="utf-8")
    advice = f"{play.file.name} has changed; if it should, run: pytest tests/golden --regenerate-golden"
    assert story(play, play.moves()) == play.file.read_text(encoding="utf-8"), advice


def test_every_golden_file_is_compared() -> None:
    """No file is left behind by a playthrough that is gone, and none is too long to be read."""
    assert set(HERE.glob("*.txt")) == {play.file for play in PLAYTHROUGHS}
    assert max(len(play.file.read_text(encoding="utf-8").splitlines()) for play in PLAYTHROUGHS) <= 200


def chosen_moves(play: Playthrough) -> list[str]:
    rng, state, moves = Random(play.seed), play.deal(), []
    while state.to_move >= 0:
        tried = [state.random_move(rng) for _ in range(TRIED)]
        best = max(tried, key=lambda move: points_after(state, move))
        moves.append(str(best))
        state = state.apply(best)
    return moves


def points_after(state: State[Any], move: object) -> int:
    return state.apply(move).score(state.to_move).total


def story(play: Playthrough, moves: list[str]) -> str:
    rules = game(play.name)
    states = [play.deal()]
    for move in moves:
        states.append(states[-1].apply(rules.read_move(move)))
    return "\n".join([*header(rules, play), *rounds(play, states, moves), "", *score_sheet(states[-1]), ""])


def header(rules: Game[Any], play: Playthrough) -> Iterator[str]:
    yield f"{rules.title}, rules version {rules.rules_version}"
    yield f"{play.players} players, edition {play.edition}, seed {play.seed}"
    yield from (f"  {name} = {value}" for name, value in rules.rules(play.edition).items())


def rounds(play: Playthrough, states: list[State[Any]], moves: list[str]) -> Iterator[str]:
    """The moves, a line for each round, with a picture now and then and one at the end."""
    starts = range(0, len(moves), play.players)
    every = -(-len(starts) // (play.pictures - 1))
    width = max(map(len, moves))
    for number, start in enumerate(starts):
        if number % every == 0:
            yield from ["", *drawn(states[start]), ""]
        yield (
            f"round {number + 1:>2}  "
            + "  ".join(f"{move:<{width}}" for move in moves[start:][: play.players]).rstrip()
        )
    yield from ["", *drawn(states[-1])]


def drawn(state: State[Any]) -> list[str]:
    return ["".join(text for text, _ in line).rstrip() for line in state.picture()]


def score_sheet(state: State[Any]) -> Iterator[str]:
    outcome = state.outcome()
    assert outcome is not None, "the moves of the file do not lead to the end"
    yield f"the game is {outcome.termination.value}"
    for seat, score in enumerate(outcome.scores):
        parts = ", ".join(f"{name} {points}" for name, points in score.parts)
        yield f"seat {seat}  rank {outcome.ranks[seat]}  total {score.total:>2}  ({parts})"
