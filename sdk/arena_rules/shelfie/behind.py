"""From a view back to states: the part of the state that a seat knows, and draws of the part that it does not."""

from __future__ import annotations

from random import Random

from arena_rules.chance import SEED_LIMIT
from arena_rules.shelfie.deal import Deal, rules_of
from arena_rules.shelfie.facts import PERSONAL_GOALS, SHELF_CELLS, SHELF_COLUMNS, TILE_TYPES, TILES_PER_TYPE
from arena_rules.shelfie.shelf import shelf_of
from arena_rules.shelfie.state import SETS, ShelfieState
from arena_rules.shelfie.view import ShelfieView


def public_state(view: ShelfieView) -> ShelfieState:
    """The state that a view tells of: the bag in sorted order, the goals of others missing, refills from seed 0."""
    personal = tuple(view.personal_goal if seat == view.seat else None for seat in range(view.players))
    state = ShelfieState.empty(Deal(rules_of(view.players, view.options), 0, view.common_goals, personal))
    set_table(state, view.board, view.shelves)
    state.bag = unseen_tiles(view.board, view.shelves)
    state.tokens = list(view.tokens)
    state.first_full = view.first_full
    state.turn = view.turn
    state.to_move = view.to_move
    state.left = view.left
    return state


def set_table(state: ShelfieState, board: bytes, shelves: bytes) -> None:
    """Put these tiles on the board and the shelves, and bring all that is counted along up to date."""
    state.board = bytearray(board)
    state.see_board()
    state.tiles = bytearray(shelves)
    for seat in range(state.players):
        tiles = shelves[seat * SHELF_CELLS : (seat + 1) * SHELF_CELLS]
        state.shelves[seat * SETS : (seat + 1) * SETS] = shelf_of(tiles)
        for column in range(SHELF_COLUMNS):
            state.room[seat * SHELF_COLUMNS + column] = tiles[column::SHELF_COLUMNS].count(0)


def unseen_tiles(board: bytes, shelves: bytes) -> bytes:
    """What must be in the bag, sorted: all tiles that are not on the table."""
    seen = board + shelves
    return b"".join([bytes([tile]) * (TILES_PER_TYPE - seen.count(tile)) for tile in TILE_TYPES])


def sampled(view: ShelfieView, rng: Random) -> ShelfieState:
    """A complete state behind the view: any order of the bag, any personal goals not known, all equally likely."""
    state = view.public.copy()
    random = rng.random
    state.bag = bytes(sorted(state.bag, key=lambda _: random()))
    others = [card for card in PERSONAL_GOALS if card != view.personal_goal]
    hidden = iter(rng.sample(others, view.players - 1))
    personal = tuple(view.personal_goal if seat == view.seat else next(hidden) for seat in range(view.players))
    state.deal = Deal(state.deal.rules, rng.randrange(SEED_LIMIT), view.common_goals, personal)
    return state
