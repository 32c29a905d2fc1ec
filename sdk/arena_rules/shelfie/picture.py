"""A drawing of the table: the living room with the common goals beside it, and below it each seat with its shelf.

Pieces are of the kinds "cats", "books" and so on for tiles, "heading", "faint" for what is there to guide the eye, and
"mark" for what deserves a glance: the seat to move, tokens taken, the winner. Plain text has the kind "".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Final

from arena_rules.game import Picture
from arena_rules.shelfie import facts
from arena_rules.shelfie.state import ShelfieState
from arena_rules.shelfie.view import ShelfieView

Piece = tuple[str, str]
Line = list[Piece]

_ROOM_WIDTH: Final = 26
_SEAT_WIDTH: Final = 25
_SHELF_WIDTH: Final = 2 * facts.SHELF_COLUMNS
_EMPTY: Final[Piece] = ("· ", "faint")
_UNKNOWN: Final[Piece] = ("? ", "faint")
_BLANK: Final[Piece] = ("  ", "")


def picture(state: ShelfieState) -> Picture:
    """The table as a whole. A state that stands behind a view is drawn with a ``?`` where the seat does not know."""
    view = _open_view(state)
    seats = [_seat_block(state, view, seat) for seat in range(state.players)]
    return [*_beside([_room(view), _news(state, view)], _ROOM_WIDTH), [], *_beside(seats, _SEAT_WIDTH)]


def _open_view(state: ShelfieState) -> ShelfieView:
    """What all seats see alike. A state behind a view has the personal goal of one seat alone."""
    return state.view(next(seat for seat, card in enumerate(state.deal.personal_goals) if card))


# ── the living room ─────────────────────────────────────────────────────────────────────────────────────────────────


def _room(view: ShelfieView) -> list[Line]:
    side = facts.BOARD_SIDE
    letters = "".join(f"{letter} " for letter in "abcdefghi")
    rows: list[Line] = [[("   " + letters, "faint")]]
    for row in range(side):
        cells = range(row * side, (row + 1) * side)
        rows.append([(f" {row + 1} ", "faint"), *(_space(view, cell) for cell in cells)])
    return rows


def _space(view: ShelfieView, cell: int) -> Piece:
    if view.board[cell]:
        return _tile(view.board[cell])
    return _EMPTY if cell in facts.SPACES[view.players] else _BLANK


def _tile(tile: int) -> Piece:
    return (f"{facts.TILE_LETTERS[tile]} ", facts.TILE_NAMES[tile]) if tile else _EMPTY


# ── what there is to know besides ───────────────────────────────────────────────────────────────────────────────────


def _news(state: ShelfieState, view: ShelfieView) -> list[Line]:
    lines = [_headline(state), []]
    for index, card in enumerate(view.common_goals):
        lines += [*_goal(view, index, card), []]
    tiles = facts.TILES_PER_TYPE * len(facts.TILE_TYPES)
    seen = sum(1 for tile in view.board + view.shelves if tile)
    return [*lines, [(f"{tiles - seen} tiles in the bag", "faint")]]


def _headline(state: ShelfieState) -> Line:
    outcome = state.outcome()
    if outcome is None:
        news = f"seat {state.to_move} to move"
    elif None in state.deal.personal_goals:
        news = "the game is over"
    else:
        news = f"seat {outcome.winners[0]} has won"
    return [(f"after {state.turn} moves · ", "heading"), (news, "mark")]


def _goal(view: ShelfieView, index: int, card: int) -> list[Line]:
    name: str = facts.COMMON_GOALS[card]["name"]
    reading = view.options.get(name, "")
    usual = reading in {"", facts.OPTIONS.get(name, {}).get("default")}
    title: Line = [(name.replace("_", " "), "heading"), ("" if usual else f" ({reading})", "faint")]
    return [title, [(f"  {facts.COMMON_GOALS[card]['about']}", "")], _tokens(view, index)]


def _tokens(view: ShelfieView, index: int) -> Line:
    """The tokens that were taken, in the order of taking, and those still to be had."""
    taken = {points: seat for seat, points in enumerate(view.tokens[index :: len(view.common_goals)]) if points}
    line: Line = [("  tokens ", "faint")]
    for points in facts.TOKENS[view.players]:
        line += [(f"{points} seat {taken[points]}", "mark") if points in taken else (f"{points}", ""), ("  ", "")]
    return line


# ── the seats ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _seat_block(state: ShelfieState, view: ShelfieView, seat: int) -> list[Line]:
    personal = state.deal.personal_goals[seat]
    goal_title = f"goal {personal or '?'}"
    columns = "".join(f"{column + 1} " for column in range(facts.SHELF_COLUMNS))
    return [
        _seat_heading(state, seat),
        [(" " * (_SHELF_WIDTH + 2), ""), (goal_title, "faint")],
        *_shelf_and_goal(view.shelf(seat), personal),
        [(columns, "faint")],
        [],
        *_score_sheet(state, seat),
    ]


def _seat_heading(state: ShelfieState, seat: int) -> Line:
    if seat in state.left:
        return [(f"seat {seat}", "faint"), (" left the game", "faint")]
    return [(f"seat {seat}", "heading"), (" to move" if seat == state.to_move else "", "mark")]


def _shelf_and_goal(shelf: bytes, personal: int | None) -> list[Line]:
    wanted = {cell: tile for tile, cell in facts.PERSONAL_GOALS[personal]} if personal else None
    width = facts.SHELF_COLUMNS
    tiles = [_tile(tile) for tile in shelf]
    wishes = [_wish(cell, wanted, shelf) for cell in range(facts.SHELF_CELLS)]
    rows = range(0, facts.SHELF_CELLS, width)
    return [[*tiles[start : start + width], _BLANK, *wishes[start : start + width]] for start in rows]


def _wish(cell: int, wanted: dict[int, int] | None, shelf: bytes) -> Piece:
    """A cell of the personal goal: a small letter until the tile is there, and faint when another one is."""
    if wanted is None:
        return _UNKNOWN
    if cell not in wanted:
        return _EMPTY
    letter, kind = _tile(wanted[cell])
    if shelf[cell] == wanted[cell]:
        return letter, kind
    return letter.lower(), "faint" if shelf[cell] else ""


def _score_sheet(state: ShelfieState, seat: int) -> list[Line]:
    score = state.score(seat)
    unknown = state.deal.personal_goals[seat] is None
    lines = [_entry(name, "?" if unknown and name == "personal goal" else str(points)) for name, points in score.parts]
    total = f"{score.total}+?" if unknown else str(score.total)
    return [*lines, [(f"{'total':<17}", "heading"), (f"{total:>5}", "heading")]]


def _entry(name: str, points: str) -> Line:
    return [(f"{name:<17}", "faint"), (f"{points:>5}", "")]


# ── layout ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _beside(blocks: Sequence[list[Line]], width: int) -> list[Line]:
    """The blocks side by side, each but the last brought to the same width."""
    return [_joined(lines, width) for lines in zip_longest(*blocks, fillvalue=[])]


def _joined(lines: Iterable[Line], width: int) -> Line:
    whole: Line = []
    for place, line in enumerate(lines):
        missing = place * width - sum(len(text) for text, _ in whole)
        if line and missing > 0:
            whole.append((" " * missing, ""))
        whole += line
    return whole
