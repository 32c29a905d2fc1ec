"""A trained eye for My Shelfie: what each seat's points will come to, and which moves look best at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from math import exp
from operator import itemgetter
from typing import Final

from arena_rules.shelfie import Line, Move, ShelfieState
from arena_rules.shelfie.facts import END_TOKEN_POINTS, PICK_MAX, SHELF_CELLS, SHELF_COLUMNS, SHELF_ROWS
from arena_rules.shelfie.shelf import COLUMNS
from arena_rules.shelfie.state import SETS
from arena_sdk.search.shelfie.prospects import goal_chance, shelf_prospect

_REMEMBERED: Final = 1 << 15
_PER_LINE: Final = 2
"""Ways to place the same tiles that are looked at: a third one is hardly ever the best."""

_KEPT: Final = 24
"""Moves that are ranked at all."""

Stakes = tuple[tuple[int, float], ...]
"""The common goals that a seat can still win, each with the points of a token."""
Placement = tuple[float, int, tuple[int, ...]]
"""What a shelf is worth after it, the column, and the tiles from the lowest to the highest."""


def shelf_at(state: ShelfieState, seat: int) -> tuple[int, ...]:
    return tuple(state.shelves[seat * SETS : (seat + 1) * SETS])


def expected_points(state: ShelfieState, personal_goals: Sequence[int | None]) -> list[float]:
    """For every seat, the points that it can expect to have in the end. Of an unknown personal goal, the usual."""
    if state.to_move < 0:
        return [float(state.score(seat).total) for seat in range(state.players)]
    shelves = [shelf_at(state, seat) for seat in range(state.players)]
    reaches = _reaches(state, shelves)
    points = [
        shelf_prospect(shelf, personal, reach) + (END_TOKEN_POINTS if state.first_full == seat else 0.0)
        for seat, (shelf, personal, reach) in enumerate(zip(shelves, personal_goals, reaches, strict=True))
    ]
    for index, goal in enumerate(state.deal.common_goals):
        _add_common_goal(state, index, goal, shelves, reaches, points)
    return points


def _add_common_goal(
    state: ShelfieState,
    index: int,
    goal: int,
    shelves: list[tuple[int, ...]],
    reaches: list[int],
    points: list[float],
) -> None:
    """Tokens won count in full; those to be won by their chance, and less the more likely others come first."""
    held = state.tokens[index :: len(state.deal.common_goals)]
    chances = [
        0.0 if token else goal_chance(goal, shelf, reach)
        for token, shelf, reach in zip(held, shelves, reaches, strict=True)
    ]
    left = state.deal.rules.tokens[len(held) - held.count(0) :]
    rivals = sum(chances)
    for seat, chance in enumerate(chances):
        points[seat] += held[seat]
        if chance:
            ahead = min((rivals - chance) / 2, len(left) - 1)
            whole = int(ahead)
            points[seat] += chance * (
                left[whole] - (ahead - whole) * (left[whole] - left[min(whole + 1, len(left) - 1)])
            )


def _reaches(state: ShelfieState, shelves: list[tuple[int, ...]]) -> list[int]:
    """How many more tiles each seat can expect to take: the game ends when the fullest shelf is full."""
    free = [SHELF_CELLS - shelf[0].bit_count() for shelf in shelves]
    if state.first_full >= 0:
        return [min(PICK_MAX, cells) if seat >= state.to_move else 0 for seat, cells in enumerate(free)]
    fewest = min(free)
    return [fewest] * state.players


def stakes_of(state: ShelfieState, seat: int) -> Stakes:
    goals = state.deal.common_goals
    stakes = []
    for index, goal in enumerate(goals):
        held = state.tokens[index :: len(goals)]
        if not held[seat]:
            stakes.append((goal, float(state.deal.rules.tokens[len(held) - held.count(0)])))
    return tuple(stakes)


def ranked_moves(state: ShelfieState, personal: int | None) -> Ranked:
    """The best ways to place each line that can be taken, for a seat with that personal goal; the best move first."""
    seat = state.to_move
    free = [SHELF_CELLS - state.shelves[other * SETS].bit_count() for other in range(state.players) if other != seat]
    horizon = 0 if state.first_full >= 0 else min(free)
    return _ranked(bytes(state.board), state.takeable, shelf_at(state, seat), personal, horizon, stakes_of(state, seat))


class Ranked:
    """Moves, the best first, with what the own shelf is worth after each, and as weights that add up to 1."""

    __slots__ = ("moves", "weighted", "worths")

    def __init__(self, found: list[tuple[float, Move]]) -> None:
        found.sort(key=itemgetter(0), reverse=True)
        self.worths = [worth for worth, _ in found]
        self.moves = [move for _, move in found]
        weights = [exp(worth - self.worths[0]) for worth in self.worths]
        total = sum(weights)
        self.weighted = [(weight / total, move) for weight, move in zip(weights, self.moves, strict=True)]


@lru_cache(1 << 12)
def _ranked(
    board: bytes, takeable: int, shelf: tuple[int, ...], personal: int | None, horizon: int, stakes: Stakes
) -> Ranked:
    found: list[tuple[Placement, Line]] = []
    for line in _lines(takeable, min(PICK_MAX, max(_room(shelf[0])))):
        tiles = tuple(sorted([board[cell] for cell in line.cells]))
        found += [(placement, line) for placement in _placements(shelf, personal, horizon, stakes, tiles)]
    found.sort(key=lambda one: one[0][0], reverse=True)
    return Ranked([(placement[0], _move(line, board, placement)) for placement, line in found[:_KEPT]])


@lru_cache(_REMEMBERED)
def _lines(takeable: int, longest: int) -> list[Line]:
    from arena_rules.shelfie.moves import line_ends, lines_with

    return lines_with(line_ends(takeable, longest))


def _room(filled: int) -> tuple[int, ...]:
    return tuple(SHELF_ROWS - (filled & column).bit_count() for column in COLUMNS)


def _move(line: Line, board: bytes, placement: Placement) -> Move:
    _, column, tiles = placement
    for move in line.moves[column]:
        if tuple([board[cell] for cell in move.cells]) == tiles:
            return move
    raise AssertionError("a placement holds the tiles of its line")


@lru_cache(_REMEMBERED)
def _placements(
    shelf: tuple[int, ...], personal: int | None, horizon: int, stakes: Stakes, tiles: tuple[int, ...]
) -> list[Placement]:
    """The best ways to put these tiles on the shelf."""
    room = _room(shelf[0])
    reach = min(SHELF_CELLS - shelf[0].bit_count() - len(tiles), horizon)
    found = []
    for order in set(permutations(tiles)) if len(tiles) > 1 else (tiles,):
        for column in range(SHELF_COLUMNS):
            if room[column] >= len(tiles):
                after = _with_tiles(shelf, column, room[column], order)
                found.append((_worth(after, personal, reach, stakes), column, order))
    found.sort(reverse=True)
    return found[:_PER_LINE]


def _with_tiles(shelf: tuple[int, ...], column: int, room: int, tiles: tuple[int, ...]) -> tuple[int, ...]:
    after = list(shelf)
    bit = 1 << (room - 1) * SHELF_COLUMNS + column
    for tile in tiles:
        after[tile] |= bit
        after[0] |= bit
        bit >>= SHELF_COLUMNS
    return tuple(after)


def _worth(shelf: tuple[int, ...], personal: int | None, reach: int, stakes: Stakes) -> float:
    worth = shelf_prospect(shelf, personal, reach)
    for goal, points in stakes:
        worth += points * goal_chance(goal, shelf, reach)
    return worth
