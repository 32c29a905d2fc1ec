"""Text for views and states: one line of named fields that a person can read and a program can read back.

    players=2 turn=5 to-move=1 left=- board=.../... shelves=.../... goals=3,9 tokens=0,8;0,0 first-full=- ...

Tiles are the first letters of their names (`C B G F T P`, `.` for nothing), rows are separated by `/`, seats by `;`.
A view goes on with `seat` and `personal`; a state with `personals`, `seed`, `refills` and `bag` (the next tile last).
Rule options come last, each as `option:value`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from arena_rules.chance import SEED_LIMIT
from arena_rules.errors import NotationError
from arena_rules.fields import Fields, read_number, write_fields, write_numbers, write_seat
from arena_rules.shelfie.behind import public_state, set_table, unseen_tiles
from arena_rules.shelfie.deal import Deal, rules_of
from arena_rules.shelfie.facts import (
    BOARD_CELLS,
    BOARD_SIDE,
    COMMON_GOALS,
    OPTIONS,
    PERSONAL_GOALS,
    PLAYERS,
    SHELF_CELLS,
    SHELF_COLUMNS,
    SPACES,
    TILE_LETTERS,
)
from arena_rules.shelfie.state import ShelfieState
from arena_rules.shelfie.view import ShelfieView

_TO_LETTERS: Final = bytes.maketrans(bytes(range(len(TILE_LETTERS))), TILE_LETTERS.encode())
_TO_CODES: Final = {letter: code for code, letter in enumerate(TILE_LETTERS)}

_STATE_FIELDS: Final = ("seed", "refills", "bag", "personals")
_VIEW_FIELDS: Final = ("seat", "personal")

_BOTTOM_ROW: Final = SHELF_CELLS - SHELF_COLUMNS


def write_view(view: ShelfieView) -> str:
    public = _public_fields(view, view.board, view.shelves, view.common_goals)
    return write_fields({**public, "seat": str(view.seat), "personal": str(view.personal_goal)}, view.options)


def write_state(state: ShelfieState) -> str:
    hidden = {
        "personals": write_numbers(card or 0 for card in state.deal.personal_goals),
        "seed": str(state.deal.seed),
        "refills": str(state.refills),
        "bag": _letters(state.bag) or "-",
    }
    public = _public_fields(state, bytes(state.board), bytes(state.tiles), state.deal.common_goals)
    return write_fields({**public, **hidden}, state.deal.rules.options)


def read_view(text: str) -> ShelfieView:
    fields = ShelfieFields(text, _VIEW_FIELDS)
    view = fields.view(fields.number("seat", fields.players - 1), fields.card("personal", PERSONAL_GOALS))
    if view.seat == view.to_move:
        view.choices = view.public.choices()
    return view


def read_state(text: str) -> ShelfieState:
    fields = ShelfieFields(text, _STATE_FIELDS)
    personal = fields.numbers("personals")
    if (
        len(personal) != fields.players
        or len(set(personal)) != len(personal)
        or not set(personal) <= set(PERSONAL_GOALS)
    ):
        raise NotationError("personals: one personal goal card is needed for each seat, no card twice")
    view = fields.view(0, personal[0])
    state = public_state(view)
    rules = rules_of(fields.players, fields.options)
    state.deal = Deal(rules, fields.number("seed", SEED_LIMIT - 1), view.common_goals, personal)
    set_table(state, view.board, view.shelves)
    state.refills = fields.number("refills", 1 << 16)
    state.bag = fields.bag()
    return state


def _public_fields(
    table: ShelfieView | ShelfieState, board: bytes, shelves: bytes, common_goals: tuple[int, ...]
) -> dict[str, str]:
    shelf_rows = [_rows(shelves[i : i + SHELF_CELLS], SHELF_COLUMNS) for i in range(0, len(shelves), SHELF_CELLS)]
    goals = len(common_goals)
    tokens = [write_numbers(table.tokens[i : i + goals]) for i in range(0, len(table.tokens), goals)]
    return {
        "players": str(table.players),
        "turn": str(table.turn),
        "to-move": write_seat(table.to_move),
        "left": write_numbers(table.left),
        "board": _rows(board, BOARD_SIDE),
        "shelves": ";".join(shelf_rows),
        "goals": write_numbers(common_goals),
        "tokens": ";".join(tokens),
        "first-full": write_seat(table.first_full),
    }


def _letters(tiles: bytes) -> str:
    return tiles.translate(_TO_LETTERS).decode()


def _rows(tiles: bytes, width: int) -> str:
    return "/".join(_letters(tiles[i : i + width]) for i in range(0, len(tiles), width))


class ShelfieFields(Fields):
    """One line of notation, cut into its fields."""

    def __init__(self, text: str, own: tuple[str, ...]) -> None:
        super().__init__(text, own, OPTIONS, PLAYERS)

    def numbers(self, name: str) -> tuple[int, ...]:
        """Small numbers, some of them seat by seat."""
        text = self.get(name)
        parts = [] if text == "-" else text.replace(";", ",").split(",")
        return tuple(read_number(name, part, 255) for part in parts)

    def card(self, name: str, cards: Mapping[int, object]) -> int:
        number = self.number(name, max(cards))
        if number not in cards:
            raise NotationError(f"{name}: there is no card {number}")
        return number

    def tiles(self, name: str, count: int) -> bytes:
        letters = self.get(name).replace("/", "").replace(";", "")
        if len(letters) != count or not set(letters) <= set(TILE_LETTERS):
            raise NotationError(f"{name}: {count} tiles are needed, each one of {TILE_LETTERS}")
        return bytes(_TO_CODES[letter] for letter in letters)

    def bag(self) -> bytes:
        text = self.get("bag")
        bag = b"" if text == "-" else self.tiles("bag", len(text))
        if bytes(sorted(bag)) != unseen_tiles(self.board(), self.shelves()):
            raise NotationError("bag: it must hold just the tiles that are neither on the board nor on a shelf")
        return bag

    def board(self) -> bytes:
        board = self.tiles("board", BOARD_CELLS)
        if any(tile and cell not in SPACES[self.players] for cell, tile in enumerate(board)):
            raise NotationError(f"board: there is a tile where {self.players} players have no space")
        return board

    def shelves(self) -> bytes:
        shelves = self.tiles("shelves", SHELF_CELLS * self.players)
        below = zip(shelves, shelves[SHELF_COLUMNS:], strict=False)
        if any(tile and not under for i, (tile, under) in enumerate(below) if i % SHELF_CELLS < _BOTTOM_ROW):
            raise NotationError("shelves: a tile hangs in the air")
        return shelves

    def to_move(self) -> int:
        seat = super().to_move()
        if seat >= 0 and 0 not in self.shelves()[seat * SHELF_CELLS : (seat + 1) * SHELF_CELLS]:
            raise NotationError("to-move: the shelf of that seat is full")
        return seat

    def view(self, seat: int, personal_goal: int) -> ShelfieView:
        goals = self.numbers("goals")
        wanted = int(self.options["common_goals"])
        if len(goals) != wanted or len(set(goals)) != wanted or not COMMON_GOALS.keys() >= set(goals):
            raise NotationError(f"goals: {wanted} of the {len(COMMON_GOALS)} common goals are needed")
        tokens = self.numbers("tokens")
        if len(tokens) != len(goals) * self.players:
            raise NotationError("tokens: one number is needed for each seat and common goal")
        return ShelfieView(
            options=self.options,
            players=self.players,
            seat=seat,
            to_move=self.to_move(),
            turn=self.number("turn", 1 << 16),
            board=self.board(),
            shelves=self.shelves(),
            common_goals=goals,
            tokens=bytes(tokens),
            first_full=self.seat("first-full"),
            personal_goal=personal_goal,
            left=self.left(),
        )
