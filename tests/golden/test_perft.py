"""How many ways a game can go on for a few moves: numbers that change with the smallest mistake in the rules.

The positions are from the playthroughs beside this file. `leaves` has the number of lines of play of one move, of two
moves and so on, in which a line that comes to the end of the game earlier counts as well.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena_rules import State, game
from tests.golden.test_playthroughs import PLAYTHROUGHS

FILE = Path(__file__).with_name("perft.json")
ENTRIES: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))


def position(playthrough: str, moves: int) -> State[Any]:
    """The state after some moves of a playthrough, counted from its end when the number is negative."""
    play = next(play for play in PLAYTHROUGHS if play.file.stem == playthrough)
    state = play.deal()
    for text in play.moves()[: moves if moves >= 0 else len(play.moves()) + moves]:
        state = state.apply(game(play.name).read_move(text))
    return state


def leaves(state: State[Any], depth: int) -> int:
    """How many different lines of so many moves there are."""
    if state.to_move < 0:
        return 1
    moves = state.legal_moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = state.copy()
        after.advance(move)
        total += leaves(after, depth - 1)
    return total


@pytest.mark.parametrize("index", range(len(ENTRIES)))
def test_lines_of_play_are_as_many_as_they_were(index: int, regenerate: bool) -> None:
    """From each position there are as many lines of one, two and more moves as the file says."""
    entry = ENTRIES[index]
    state = position(entry["playthrough"], entry["moves"])
    found = [leaves(state, depth) for depth in range(1, len(entry["leaves"]) + 1)]
    if regenerate:
        entry["leaves"] = found
        FILE.write_text("[\n" + ",\n".join(f" {json.dumps(each)}" for each in ENTRIES) + "\n]\n", encoding="utf-8")
    assert found == entry["leaves"], f"{FILE.name}: if this should change, run: pytest tests/golden --regenerate-golden"


def test_every_playthrough_is_counted() -> None:
    """The counts cover all games that are told in full, at the beginning, in the middle and near the end."""
    for play in PLAYTHROUGHS:
        assert len([entry for entry in ENTRIES if entry["playthrough"] == play.file.stem]) >= 3


def test_the_count_counts() -> None:
    """Three seats with two faces each: two, four and eight lines; and a game that is over has one."""
    state = game("codex").deal(3, seed=1)
    assert [leaves(state, depth) for depth in (1, 2, 3)] == [2, 4, 8]
    assert leaves(game("codex").deal(2, seed=1).retire(0), 3) == 1
