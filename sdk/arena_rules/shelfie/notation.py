"""Text for views and states: one line of named fields that a person can read and a program can read back.

    players=2 turn=5 to-move=1 left=- board=.../... shelves=.../... goals=3,9 tokens=0,8;0,0 first-full=- ...

Tiles are the first letters of their names (`C B G F T P`, `.` for nothing), rows are separated by `/`, seats by `;`.
A view goes on with `seat` and `personal`; a state with `personals`, `seed`, `refills` and `bag` (the next tile last).
Rule options come last, each as `option:value`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from arena_rules.chance import SEED_LIMIT
from arena_rules.errors import NotationError
from arena_rules.game import Options
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
    return _line({**public, "seat": str(view.seat), "personal": str(view.personal_goal)}, view.options)


def write_state(state: ShelfieState) -> str:
    hidden = {
        "personals": _numbers(card or 0 for card in state.deal.personal_goals),
        "seed": str(state.deal.seed),
        "refills": str(state.refills),
        "bag": _letters(state.bag) or "-",
    }
    public = _public_fields(state, bytes(state.board), bytes(state.tiles), state.deal.common_goals)
    return _line({**public, **hidden}, state.deal.rules.options)


def read_view(text: str) -> ShelfieView:
    fields = _Fields(text, _VIEW_FIELDS)
    view = fields.view(fields.number("seat", fields.players - 1), fields.card("personal", PERSONAL_GOALS))
    if view.seat == view.to_move:
        view.choices = view.public.choices()
    return view


def read_state(text: str) -> ShelfieState:
    fields = _Fields(text, _STATE_FIELDS)
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
    tokens = [_numbers(table.tokens[i : i + goals]) for i in range(0, len(table.tokens), goals)]
    return {
        "players": str(table.players),
        "turn": str(table.turn),
        "to-move": _or_none(table.to_move),
        "left": _numbers(table.left),
        "board": _rows(board, BOARD_SIDE),
        "shelves": ";".join(shelf_rows),
        "goals": _numbers(common_goals),
        "tokens": ";".join(tokens),
        "first-full": _or_none(table.first_full),
    }


def _line(fields: Mapping[str, str], options: Options) -> str:
    words = [f"{name}={value}" for name, value in fields.items()]
    return " ".join(words + [f"{name}:{value}" for name, value in sorted(options.items())])


def _letters(tiles: bytes) -> str:
    return tiles.translate(_TO_LETTERS).decode()


def _rows(tiles: bytes, width: int) -> str:
    return "/".join(_letters(tiles[i : i + width]) for i in range(0, len(tiles), width))


def _numbers(values: Iterable[int]) -> str:
    return ",".join(map(str, values)) or "-"


def _or_none(value: int) -> str:
    return "-" if value < 0 else str(value)


def _is_number(text: str) -> bool:
    """Whether int() takes it: it refuses numbers of thousands of digits, and no field needs more than twenty."""
    return text.isascii() and text.isdecimal() and len(text) <= 20


class _Fields:
    """The fields of one line, read with care: every complaint names its field."""

    def __init__(self, text: str, own: tuple[str, ...]) -> None:
        words = text.split()
        self.values = dict(word.split("=", 1) for word in words if "=" in word)
        self.options = dict(word.split(":", 1) for word in words if ":" in word and "=" not in word)
        for name in own:
            self.get(name)
        if self.options.keys() != OPTIONS.keys():
            raise NotationError(f"all rule options must be given: {', '.join(sorted(OPTIONS))}")
        for name, value in self.options.items():
            if value not in OPTIONS[name]["choices"]:
                raise NotationError(f"{name}: there is no '{value}'")
        self.players = self.number("players", max(PLAYERS))
        if self.players not in PLAYERS:
            raise NotationError(f"players: {self.players} cannot play")

    def get(self, name: str) -> str:
        try:
            return self.values[name]
        except KeyError:
            raise NotationError(f"{name}: missing") from None

    def number(self, name: str, largest: int, least: int = 0) -> int:
        text = self.get(name)
        if text == "-" and least < 0:
            return least
        if not _is_number(text) or int(text) > largest:
            raise NotationError(f"{name}: '{text[:40]}' is not a number up to {largest}")
        return int(text)

    def numbers(self, name: str) -> tuple[int, ...]:
        text = self.get(name)
        parts = [] if text == "-" else text.replace(";", ",").split(",")
        if not all(_is_number(part) and int(part) < 256 for part in parts):
            raise NotationError(f"{name}: '{text[:40]}' is not a row of small numbers")
        return tuple(map(int, parts))

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

    def left(self) -> tuple[int, ...]:
        left = self.numbers("left")
        if len(set(left)) != len(left) or not all(seat < self.players for seat in left) or len(left) >= self.players:
            raise NotationError("left: different seats of the table are needed, and one must stay")
        return left

    def to_move(self) -> int:
        seat = self.number("to-move", self.players - 1, -1)
        own = self.shelves()[seat * SHELF_CELLS : (seat + 1) * SHELF_CELLS]
        if seat >= 0 and (seat in self.left() or 0 not in own):
            raise NotationError("to-move: that seat has left, or its shelf is full")
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
            first_full=self.number("first-full", self.players - 1, -1),
            personal_goal=personal_goal,
            left=self.left(),
        )
