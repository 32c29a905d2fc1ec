"""A position of My Shelfie, and how it changes."""

from __future__ import annotations

from random import Random
from typing import Final

from arena_rules.errors import IllegalMove
from arena_rules.outcome import Outcome, Score, Termination, rank_seats
from arena_rules.position import Picture, State
from arena_rules.shelfie.choices import Choices
from arena_rules.shelfie.deal import Deal, full_bag, put_back
from arena_rules.shelfie.facts import (
    BOARD_CELLS,
    END_TOKEN_POINTS,
    PICK_MAX,
    REFILL_MAX_TILES,
    SHELF_CELLS,
    SHELF_COLUMNS,
    SHELF_ROWS,
    TILE_TYPES,
)
from arena_rules.shelfie.goals import personal_points
from arena_rules.shelfie.moves import Move, cell_name, line_ends, lines_with, mask_of, takeable_cells, touching_pairs
from arena_rules.shelfie.shelf import FULL, ROWS, group_points
from arena_rules.shelfie.view import ShelfieView

SETS: Final = 1 + len(TILE_TYPES)
"""Sets of cells per shelf: the filled cells and those of each type."""

_BITS: Final = tuple(1 << cell for cell in range(SHELF_CELLS))

# Few cells left to take: listing the lines is then cheaper than guessing one.
_FEW: Final = 7


class ShelfieState(State[Move]):
    """A complete position: tables of small numbers and sets of cells as integers, cheap to copy and to change."""

    __slots__ = (
        "bag",
        "board",
        "deal",
        "first_full",
        "left",
        "occupied",
        "pairs",
        "players",
        "refills",
        "room",
        "shelves",
        "takeable",
        "tiles",
        "to_move",
        "tokens",
        "turn",
    )

    deal: Deal
    board: bytearray
    """The tile on each board cell."""
    occupied: int
    takeable: int
    """Board cells with a tile; those of them with a free side."""
    pairs: int
    """How many pairs of tiles on the board touch."""
    bag: bytes
    refills: int
    tiles: bytearray
    """The tile on each shelf cell, thirty per seat: what people and views see."""
    shelves: list[int]
    """The same as sets of cells, SETS per seat: what goals and scores are read from."""
    room: list[int]
    """Free cells in each shelf column, five per seat."""
    tokens: list[int]
    """Points of the common-goal token each seat has taken, one per goal and seat."""
    first_full: int
    """The seat with the end-game token, or -1."""

    @staticmethod
    def dealt(deal: Deal) -> ShelfieState:
        state = ShelfieState.empty(deal)
        state.bag = full_bag(deal.seed)
        state._fill_board()
        return state

    @staticmethod
    def empty(deal: Deal) -> ShelfieState:
        """A table with nothing on it yet."""
        players = deal.rules.players
        state = ShelfieState()
        state.deal = deal
        state.players = players
        state.board = bytearray(BOARD_CELLS)
        state.occupied = state.takeable = state.pairs = 0
        state.bag = b""
        state.refills = 0
        state.tiles = bytearray(SHELF_CELLS * players)
        state.shelves = [0] * (SETS * players)
        state.room = [SHELF_ROWS] * (SHELF_COLUMNS * players)
        state.tokens = [0] * (len(deal.common_goals) * players)
        state.first_full = -1
        state.turn = state.to_move = 0
        state.left = ()
        return state

    def copy(self) -> ShelfieState:
        twin = ShelfieState()
        twin.deal = self.deal
        twin.players = self.players
        twin.board = self.board[:]
        twin.occupied = self.occupied
        twin.takeable = self.takeable
        twin.pairs = self.pairs
        twin.bag = self.bag
        twin.refills = self.refills
        twin.tiles = self.tiles[:]
        twin.shelves = self.shelves[:]
        twin.room = self.room[:]
        twin.tokens = self.tokens[:]
        twin.first_full = self.first_full
        twin.turn = self.turn
        twin.to_move = self.to_move
        twin.left = self.left
        return twin

    # ── what may be done ────────────────────────────────────────────────────────────────────────────────────────────

    def choices(self) -> Choices:
        """What the seat to move may do."""
        start = self.to_move * SHELF_COLUMNS
        free = bytes(self.room[start : start + SHELF_COLUMNS])
        return Choices(line_ends(self.takeable, self._longest()), free)

    def _longest(self) -> int:
        """The most tiles that fit into one column of the seat to move: as many rows from the top have a free cell."""
        filled = self.shelves[self.to_move * SETS]
        longest = PICK_MAX
        while longest and filled & ROWS[longest - 1] == ROWS[longest - 1]:
            longest -= 1
        return longest

    def legal_moves(self) -> list[Move]:
        return [] if self.to_move < 0 else self.choices().moves(self.board)

    def random_move(self, rng: Random) -> Move:
        """A line drawn evenly from those that can be taken, then a column that has room, then an order."""
        random = rng.random
        room = self.room
        takeable = self.takeable
        start = self.to_move * SHELF_COLUMNS
        longest = self._longest()
        # Guess until a guess fits: it draws from the same lines, evenly, without listing them.
        lines = self.deal.rules.lines_up_to[longest]
        if takeable.bit_count() <= _FEW:
            lines = lines_with(line_ends(takeable, longest))
        count = len(lines)
        line = lines[int(random() * count)]
        while line.mask & takeable != line.mask:
            line = lines[int(random() * count)]
        size = line.size
        column = int(random() * SHELF_COLUMNS)
        while room[start + column] < size:
            column = int(random() * SHELF_COLUMNS)
        orders = line.moves[column]
        return orders[int(random() * len(orders))] if size > 1 else orders[0]

    def check(self, move: Move) -> None:
        if self.to_move < 0:
            raise IllegalMove("the game is over")
        if move.mask & self.takeable != move.mask:
            for cell in move.cells:
                if not self.board[cell]:
                    raise IllegalMove(f"{move}: there is no tile on {cell_name(cell)}")
                if not self.takeable & mask_of((cell,)):
                    raise IllegalMove(f"{move}: the tile on {cell_name(cell)} has no free side")
        room = self.room[self.to_move * SHELF_COLUMNS + move.column]
        if move.size > room:
            raise IllegalMove(f"{move}: column {move.column + 1} has room for {room}, not for {move.size}")

    # ── what happens ────────────────────────────────────────────────────────────────────────────────────────────────

    def advance(self, move: Move) -> None:
        seat = self.to_move
        board = self.board
        tiles = self.tiles
        shelves = self.shelves
        size = move.size

        # The tiles move from the board to the shelf.
        own_sets = seat * SETS
        own_tiles = seat * SHELF_CELLS
        own_column = seat * SHELF_COLUMNS + move.column
        room = self.room[own_column]
        cell = (room - 1) * SHELF_COLUMNS + move.column
        filled = shelves[own_sets]
        for place in move.cells:
            tile = board[place]
            board[place] = 0
            tiles[own_tiles + cell] = tile
            bit = _BITS[cell]
            shelves[own_sets + tile] |= bit
            filled |= bit
            cell -= SHELF_COLUMNS
        shelves[own_sets] = filled
        self.room[own_column] = room - size

        # A tile that has a free side keeps it until the refill, so these need no looking at the whole board.
        occupied = self.occupied ^ move.mask
        bared = occupied & move.near
        self.occupied = occupied
        self.takeable = (self.takeable ^ move.mask) | bared
        self.pairs -= bared.bit_count() + size - 1

        deal = self.deal
        self.turn += 1
        count = filled.bit_count()
        if count >= deal.least_tiles:
            self._claim_tokens(seat, count)
            if filled == FULL and self.first_full < 0:
                self.first_full = seat
        if self.pairs == 0 if deal.rules.refill_when_apart else occupied.bit_count() <= REFILL_MAX_TILES:
            self._refill()
        if self.left or self.first_full >= 0:
            self._pass_turn(seat)
        else:
            self.to_move = (seat + 1) % self.players

    def _claim_tokens(self, seat: int, count: int) -> None:
        """Hand the seat the next token of each common goal that it has fulfilled and has no token of."""
        tokens = self.tokens
        goals = self.deal.goals
        shelf = self.shelves[seat * SETS : (seat + 1) * SETS]
        own = seat * len(goals)
        for index, goal in enumerate(goals):
            if count >= goal.least_tiles and not tokens[own + index] and goal.check(shelf):
                taken = tokens[index :: len(goals)]
                tokens[own + index] = self.deal.rules.tokens[self.players - taken.count(0)]

    def _pass_turn(self, seat: int) -> None:
        """The next seat still in the game moves; past the last one the round ends, and after a full shelf the game."""
        following = seat + 1
        while following < self.players and following in self.left:
            following += 1
        if following == self.players:
            if self.first_full >= 0:
                self.to_move = -1
                return
            following = next(other for other in range(self.players) if other not in self.left)
        self.to_move = following

    def _refill(self) -> None:
        rules = self.deal.rules
        self.refills += 1
        if not rules.leftovers_stay:
            leftovers = bytes(self.board).replace(b"\0", b"")
            self.bag = put_back(self.bag, leftovers, self.deal.seed, self.refills)
            self.board = bytearray(BOARD_CELLS)
        self._fill_board()

    def _fill_board(self) -> None:
        """Draw tiles for the empty spaces in reading order; a bag that runs short leaves the last ones empty."""
        rules = self.deal.rules
        board = self.board
        empty = [cell for cell in rules.spaces if not board[cell]]
        drawn = self.bag[: -len(empty) - 1 : -1]
        self.bag = self.bag[: -len(empty)]
        for cell, tile in zip(empty, drawn, strict=False):
            board[cell] = tile
        if len(drawn) == len(empty):
            self.occupied = rules.full_board
            self.takeable = rules.full_takeable
            self.pairs = rules.full_pairs
        else:
            self.see_board()

    def see_board(self) -> None:
        """Find out anew what advance() keeps up to date."""
        self.occupied = mask_of([cell for cell in range(BOARD_CELLS) if self.board[cell]])
        self.takeable = takeable_cells(self.occupied)
        self.pairs = touching_pairs(self.occupied)

    def retire(self, seat: int) -> ShelfieState:
        after = self.copy()
        if self.to_move < 0 or seat in self.left:
            return after
        after.left = (*self.left, seat)
        if len(after.left) == self.players - 1:
            after.to_move = -1
        elif seat == self.to_move:
            after._pass_turn(seat)
        return after

    # ── what it comes to ────────────────────────────────────────────────────────────────────────────────────────────

    def score(self, seat: int) -> Score:
        goals = len(self.deal.common_goals)
        shelf = self.shelves[seat * SETS : (seat + 1) * SETS]
        personal = self.deal.personal_goals[seat]
        return Score(
            (
                ("common goals", sum(self.tokens[seat * goals : (seat + 1) * goals])),
                ("personal goal", personal_points(shelf, personal) if personal else 0),
                ("groups", sum(group_points(tiles) for tiles in shelf[1:])),
                ("first full shelf", END_TOKEN_POINTS if self.first_full == seat else 0),
            )
        )

    def outcome(self) -> Outcome | None:
        if self.to_move >= 0:
            return None
        scores = tuple(self.score(seat) for seat in range(self.players))
        # Of tied players the one further from the first player wins, so the seat decides.
        merits = [(score.total, seat) for seat, score in enumerate(scores)]
        abandoned = len(self.left) == self.players - 1
        termination = Termination.ABANDONED if abandoned else Termination.COMPLETED
        return Outcome(rank_seats(merits, self.left), scores, termination)

    # ── what is seen ────────────────────────────────────────────────────────────────────────────────────────────────

    def view(self, seat: int) -> ShelfieView:
        personal = self.deal.personal_goals[seat]
        assert personal is not None, "a state behind a view has no other views"
        return ShelfieView(
            self.deal.rules.options,
            self.players,
            seat,
            self.to_move,
            self.turn,
            bytes(self.board),
            bytes(self.tiles),
            self.deal.common_goals,
            bytes(self.tokens),
            self.first_full,
            personal,
            self.left,
            self.choices() if seat == self.to_move else None,
        )

    def picture(self) -> Picture:
        from arena_rules.shelfie.picture import picture

        return picture(self)

    def __str__(self) -> str:
        from arena_rules.shelfie.notation import write_state

        return write_state(self)

    def __reduce__(self) -> tuple[object, ...]:
        from arena_rules.shelfie.notation import read_state

        return read_state, (str(self),)
