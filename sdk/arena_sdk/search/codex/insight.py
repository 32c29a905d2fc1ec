"""A trained eye for Codex Naturalis: what each seat's points will come to, and which moves look best at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from arena_rules.codex.area import AROUND, Area
from arena_rules.codex.cards import (
    BACK,
    CORNER_SHIFT,
    COST,
    GAIN,
    GUARDS,
    KINGDOM,
    MOST,
    NO_CARD,
    PER,
    POINTS,
    SYMBOL_MASK,
)
from arena_rules.codex.facts import END_POINTS, SHOWN
from arena_rules.codex.moves import NO_DRAW, Move
from arena_rules.codex.objectives import CARDS, NO_OBJECTIVE, Kingdoms, kingdoms_of
from arena_rules.codex.state import ENDING, LAST, PLAY, STARTERS, CodexState
from arena_sdk.search.codex.outlook import area_outlook, hand_outlook
from arena_sdk.search.codex.patterns import affinity, begun, pattern_points, set_points

PACE: Final = 2.2
"""The points by cards that the leader is expected to make in a round."""
SETUP: Final = 9
"""The turns that are to come when a game begins."""
LOOKED_AT: Final = 12
"""How many placements are looked at with all that could be drawn."""

Goals = tuple[int, ...]
"""The objectives that are taken into account for a seat."""
Placement = tuple[float, int, int, int]
"""What it is worth, the face, the cell, and the symbols visible after it."""


def expected_points(state: CodexState, goals: Sequence[Goals]) -> list[float]:
    """For every seat, the points that it can expect to have in the end, counting these objectives."""
    if state.to_move < 0:
        return [float(state.score(seat).total) for seat in range(state.players)]
    return [_expected(state, seat, goals[seat]) for seat in range(state.players)]


def _expected(state: CodexState, seat: int, goals: Goals) -> float:
    area = state.areas[seat]
    turns = turns_left(state, seat)
    cells = kingdoms_of(area)
    points = area.points + area_outlook(area.symbols, len(area.spots), turns)
    for goal in goals:
        if goal != NO_OBJECTIVE:
            points += pattern_points(goal, area, cells, partly=turns > 0)
            points += set_points(goal, area.symbols, partly=turns > 0)
    return points + hand_outlook(state.hand(seat), area.symbols, turns)


def turns_left(state: CodexState, seat: int) -> int:
    """How many more turns the seat will have, by the pace of the leader."""
    if state.phase >= ENDING:
        return (LAST - state.phase) + (seat >= state.to_move)
    if state.phase < PLAY:
        return SETUP
    lead = max([area.points for area in state.areas])
    rounds = min((END_POINTS - lead) / PACE, sum(state.stock) / state.players)
    return 1 + max(1, round(rounds))


def ranked_moves(state: CodexState, goals: Goals, draws: int = 2) -> list[tuple[float, Move]]:
    """The moves that look best to the seat to move, the best first, with what its position is worth after each."""
    if state.phase < PLAY:
        return _ranked_words(state)
    seat = state.to_move
    hand = state.hand(seat)
    area = state.areas[seat]
    if not hand or not area.spots:
        return [(0.0, move) for move in state.legal_moves()]
    turns = turns_left(state, seat) - 1
    placements = _placements(state, area, hand, goals, turns)
    sources = state.sources()
    found: list[tuple[float, Move]] = []
    for worth, face, cell, symbols in placements:
        rest = [card for card in hand if card != face >> 1]
        drawn = [
            (worth + hand_outlook([*rest, card], symbols, turns) if card >= 0 else worth, Move(face, cell, source))
            for source, card in ((source, _top(state, source)) for source in sources)
        ]
        drawn.sort(key=itemgetter(0), reverse=True)
        found += drawn[:draws]
    found.sort(key=itemgetter(0), reverse=True)
    return found


def _ranked_words(state: CodexState) -> list[tuple[float, Move]]:
    """The faces of the starter, or the two objectives."""
    seat = state.to_move
    area = state.areas[seat]
    if state.phase == STARTERS:
        faces = (2 * state.deal.starters[seat], 2 * state.deal.starters[seat] + 1)
        worths = [area_outlook(GAIN[face], sum(is_open for _, is_open, _ in AROUND[face]), SETUP) for face in faces]
    else:
        kingdoms = [KINGDOM[card] for card in state.hand(seat)]
        worths = [affinity(goal, area.symbols, kingdoms) for goal in state.deal.offer(seat)]
    return sorted(zip(worths, state.legal_moves(), strict=True), key=itemgetter(0), reverse=True)


def _top(state: CodexState, source: int) -> int:
    """The card to be had there, or as much as can be seen of it."""
    if source == NO_DRAW:
        return NO_CARD
    if source < SHOWN:
        return state.shown[source]
    deck = source - SHOWN
    return BACK[state.deal.decks[deck][state.stock[deck] - 1]]


def _placements(state: CodexState, area: Area, hand: list[int], goals: Goals, turns: int) -> list[Placement]:
    """Every side of every card on every spot, without the worth of the hand; the best ones."""
    cells = kingdoms_of(area)
    known = [goal for goal in goals if goal != NO_OBJECTIVE]
    visible = area.symbols | GUARDS
    found: list[Placement] = []
    for card in hand:
        near = {cell: _pattern_worth(area, cells, known, KINGDOM[card], cell, turns) for cell in area.spots}
        for face in (2 * card, 2 * card + 1):
            if visible - COST[face] & GUARDS == GUARDS:
                found += [_placed(state, area, face, cell, near[cell], known, turns) for cell in area.spots]
    found.sort(reverse=True)
    return found[:LOOKED_AT]


def _placed(
    state: CodexState, area: Area, face: int, cell: int, pattern: float, goals: list[int], turns: int
) -> Placement:
    covered = area.covered_by(cell)
    symbols = area.symbols + GAIN[face] - (covered & SYMBOL_MASK)
    points = POINTS[face]
    if points:
        per = PER[face]
        if per == CORNER_SHIFT:
            points *= covered >> CORNER_SHIFT
        elif per >= 0:
            points *= symbols >> per & MOST
    spots = len(area.spots) - 1
    for step, is_open, _ in AROUND[face]:
        near = cell + step
        if near not in area.taken:
            spots += (near not in area.spots) if is_open else -(near in area.spots)
    worth = points + pattern + area_outlook(symbols, spots, turns)
    for goal in goals:
        worth += set_points(goal, symbols, partly=turns > 0)
    return worth, face, cell, symbols


def _pattern_worth(area: Area, cells: Kingdoms, goals: list[int], kingdom: int, cell: int, turns: int) -> float:
    worth = 0.0
    own = cells[kingdom]
    for goal in goals:
        before = CARDS[goal].times(area, cells)
        own.add(cell)
        gained = CARDS[goal].times(area, cells) - before
        own.discard(cell)
        worth += gained * CARDS[goal].points
        if turns > 0:
            worth += begun(goal, area, cells, kingdom, cell)
    return worth
