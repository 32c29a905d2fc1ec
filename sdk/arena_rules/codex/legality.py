"""Whether a move may be made, and if not, why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena_rules.codex.area import STEPS, coordinates
from arena_rules.codex.cards import CARD_NAMES, COST, FACES, FIRST_BACK, GUARDS, counts
from arena_rules.codex.facts import HAND, SYMBOLS
from arena_rules.codex.moves import (
    GOLD_DECK,
    NO_DRAW,
    OBJECTIVE_MOVES,
    PASS,
    RESOURCE_DECK,
    SOURCES,
    STARTER_MOVES,
    Move,
)
from arena_rules.errors import IllegalMove

if TYPE_CHECKING:
    from arena_rules.codex.state import CodexState

_DECK_NAMES = {RESOURCE_DECK: "the resource deck", GOLD_DECK: "the gold deck"}


def check(state: CodexState, move: Move) -> None:
    """Raises IllegalMove unless the seat to move may make this move."""
    if state.to_move < 0:
        raise IllegalMove("the game is over")
    words = state.choices().words
    if words:
        _check_word(move, words)
    elif move.word:
        raise IllegalMove(f"{move}: a card can be placed, so one must be")
    else:
        _check_card(state, move)
        _check_spot(state, move)
        _check_source(state, move)


def _check_word(move: Move, words: tuple[Move, ...]) -> None:
    if move in words:
        return
    if words == STARTER_MOVES:
        raise IllegalMove(f"{move}: first a face of the starter card must be chosen, by S:front or S:back")
    if words == OBJECTIVE_MOVES:
        raise IllegalMove(f"{move}: first one of the two objectives must be kept, by O:1 or O:2")
    raise IllegalMove(f"{move}: no card can be placed, so the only move is {PASS}")


def _check_card(state: CodexState, move: Move) -> None:
    seat = state.to_move
    name = CARD_NAMES[move.card]
    if move.card >= FIRST_BACK:
        raise IllegalMove(f"{move}: the card must be named, not only its back")
    if move.card not in state.hands[seat * HAND : (seat + 1) * HAND]:
        raise IllegalMove(f"{move}: {name} is not in the hand of seat {seat}")
    visible = state.areas[seat].symbols
    if (visible | GUARDS) - COST[move.face] & GUARDS != GUARDS:
        there = dict(zip(SYMBOLS, counts(visible), strict=True))
        wanted = FACES[move.face].cost
        lacking = " and ".join(f"{count} {name}" for name, count in wanted.items() if count > there[name])
        found = " and ".join(f"{there[name]} {name}" for name, count in wanted.items() if count > there[name])
        raise IllegalMove(f"{move}: the front of {name} needs {lacking}, and {found} can be seen")


def _check_spot(state: CodexState, move: Move) -> None:
    area = state.areas[state.to_move]
    if move.cell in area.spots:
        return
    x, y = coordinates(move.cell)
    if area.taken.get(move.cell, -1) >= 0:
        raise IllegalMove(f"{move}: a card already lies at {x},{y}")
    if any(area.taken.get(move.cell + step, -1) >= 0 for step in STEPS):
        raise IllegalMove(f"{move}: a card at {x},{y} would lie over a hidden corner")
    raise IllegalMove(f"{move}: a card at {x},{y} would not cover the corner of any card")


def _check_source(state: CodexState, move: Move) -> None:
    sources = state.sources()
    if move.source in sources:
        return
    if sources == [NO_DRAW]:
        raise IllegalMove(f"{move}: no card can be drawn, so the move must end after the place of the card")
    if move.source == NO_DRAW:
        raise IllegalMove(f"{move}: a card must be drawn; add < and one of {', '.join(SOURCES[s] for s in sources)}")
    where = _DECK_NAMES.get(move.source, f"the place {SOURCES[move.source % NO_DRAW]}")
    raise IllegalMove(f"{move}: {where} is empty")
