"""A drawing of the table: what can be drawn and the common objectives, and below it each seat with its hand and area.

    F───o   corners: a letter for a symbol, o for an empty one, the frame where there is no corner
    │R08│   in the middle the name of the card, or the symbols that can never be covered
    o───┘   where two cards meet, the corner of the one on top

Pieces are of the kinds "fungi", "plant", "animal", "insect", "object" and "gold", "heading", "faint" for what is there
to guide the eye, and "mark" for what deserves a glance. Plain text has the kind "".
"""

from __future__ import annotations

from arena_rules.codex.area import cell_at, coordinates
from arena_rules.codex.canvas import CARD_HEIGHT, CARD_WIDTH, Canvas, Line, card_drawing, symbol_kind
from arena_rules.codex.cards import BACK, CARD_NAMES, FACES, NO_CARD, counts
from arena_rules.codex.facts import END_POINTS, HAND, OBJECTIVE_CARDS, SYMBOL_LETTERS, SYMBOLS
from arena_rules.codex.moves import GOLD_DECK, RESOURCE_DECK, SOURCES
from arena_rules.codex.objectives import NO_OBJECTIVE, OBJECTIVE_NAMES
from arena_rules.codex.state import ENDING, LAST, STARTERS, CodexState
from arena_rules.game import Picture

_CARD_COLUMN = 16
"""From one card in a row of cards to the next, with room for points and cost."""
_STEP_X = CARD_WIDTH - 1
_STEP_Y = CARD_HEIGHT - 1
"""From one cell of an area to the next: a card shares no more than a corner with another."""
_PER = {"": "", "covered corner": "/corner"} | {name: f"/{SYMBOL_LETTERS[SYMBOLS.index(name)]}" for name in SYMBOLS}
_MARGIN = 5
"""For the coordinates on the left of an area."""


def picture(state: CodexState) -> Picture:
    """The table as a whole. A state behind a view is drawn with backs and a ``?`` where the seat does not know."""
    lines = [_headline(state), [], *_sources(state), [], *_common_objectives(state)]
    for seat in range(state.players):
        lines += [[], *_seat(state, seat)]
    return lines


# ── the middle of the table ─────────────────────────────────────────────────────────────────────────────────────────


def _headline(state: CodexState) -> Line:
    line: Line = [(f"after {state.turn} moves · ", "heading"), (_news(state), "mark")]
    if state.to_move >= 0 and state.phase in {ENDING, LAST}:
        line.append((" · the last round" if state.phase == LAST else " · the last round but one", "mark"))
    return line


def _news(state: CodexState) -> str:
    outcome = state.outcome()
    if outcome is None:
        return f"seat {state.to_move} to move"
    if any(_is_unknown(state, seat) for seat in range(state.players)):
        return "the game is over"
    if len(outcome.winners) == 1:
        return f"seat {outcome.winners[0]} has won"
    return f"seats {' and '.join(map(str, outcome.winners))} have won"


def _sources(state: CodexState) -> list[Line]:
    """Both decks and the cards face up beside them."""
    canvas = Canvas()
    places = (RESOURCE_DECK, 0, 1, GOLD_DECK, 2, 3)
    for column, source in enumerate(places):
        left = column * _CARD_COLUMN
        canvas.write(0, left, SOURCES[source], "heading")
        if source in {RESOURCE_DECK, GOLD_DECK}:
            deck = source - RESOURCE_DECK
            stock = state.stock[deck]
            canvas.write(0, left + 2, f"{stock} cards", "faint")
            _draw_card(canvas, left, 2 * BACK[state.deal.decks[deck][stock - 1]] + 1 if stock else NO_CARD)
        else:
            card = state.shown[source]
            _draw_card(canvas, left, 2 * card if card >= 0 else NO_CARD)
    return canvas.lines()


def _draw_card(canvas: Canvas, left: int, face: int, top: int = 1, note: str = "") -> None:
    """A card with its points and cost beside it; a faint place where there is none."""
    if face < 0:
        canvas.write(top + 1, left + 2, "-", "faint")
        return
    canvas.draw(top, left, card_drawing(face))
    printed = FACES[face]
    beside = left + CARD_WIDTH + 1
    if printed.points:
        canvas.write(top, beside, f"{printed.points}{_PER[printed.per]}", "mark")
    for place, letter in enumerate("".join(SYMBOL_LETTERS[SYMBOLS.index(s)] * n for s, n in printed.cost.items())):
        canvas.write(top + 1, beside + place, letter, symbol_kind(letter))
    canvas.write(top + 2, beside, note, "faint")


def _common_objectives(state: CodexState) -> list[Line]:
    common = state.objectives(0)[:-1]
    return [_objective("common ", card) for card in common]


def _objective(title: str, card: int) -> Line:
    if card == NO_OBJECTIVE:
        return [(title, "faint"), ("not yet dealt", "faint")]
    name = OBJECTIVE_NAMES[card]
    facts = OBJECTIVE_CARDS[name]
    return [(title, "faint"), (f"{name} {facts['points']}/", "heading"), (f" {facts['about']}", "")]


# ── the seats ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _seat(state: CodexState, seat: int) -> list[Line]:
    return [_seat_heading(state, seat), _score(state, seat), *_secret(state, seat), *_hand_and_area(state, seat)]


def _seat_heading(state: CodexState, seat: int) -> Line:
    if seat in state.left:
        return [(f"seat {seat} left the game", "faint")]
    line: Line = [(f"seat {seat}", "heading"), (" to move" if seat == state.to_move else "", "mark")]
    for letter, count in zip(SYMBOL_LETTERS, counts(state.areas[seat].symbols), strict=True):
        line += [("  ", ""), (letter, symbol_kind(letter)), (f"{count}", "" if count else "faint")]
    return line


def _score(state: CodexState, seat: int) -> Line:
    score = state.score(seat)
    unknown = _is_unknown(state, seat)
    parts = [(name, "?" if unknown and name == "secret objective" else str(points)) for name, points in score.parts]
    line: Line = [(f"{name} {points}   ", "faint" if points == "0" else "") for name, points in parts]
    total = f"total {score.total}{'+?' if unknown else ''}"
    return [*line, (total, "mark" if score.parts[0][1] >= END_POINTS else "heading")]


def _is_unknown(state: CodexState, seat: int) -> bool:
    """Whether the seat has an objective that whoever sees this does not know."""
    return state.kept[seat] >= 0 and state.objectives(seat)[-1] == NO_OBJECTIVE


def _secret(state: CodexState, seat: int) -> list[Line]:
    """The objective of the seat, or the two from which it has still to choose."""
    if _is_unknown(state, seat):
        return [[("secret ?", "faint")]]
    if state.kept[seat] >= 0:
        return [_objective("secret ", state.objectives(seat)[-1])]
    offer = state.deal.offer(seat) if state.phase != STARTERS else ()
    return [_objective(f"choice {number} ", card) for number, card in enumerate(offer, 1) if card != NO_OBJECTIVE]


def _hand_and_area(state: CodexState, seat: int) -> list[Line]:
    """The hand from top to bottom, and to the right of it the area with its coordinates."""
    canvas = Canvas()
    for place, card in enumerate(state.hands[seat * HAND : (seat + 1) * HAND]):
        face = 2 * card if card < 0 or BACK[card] != card else 2 * card + 1
        known = card >= 0 and bool(state.seen >> card & 1)
        if card >= 0:
            _draw_card(canvas, 0, face, place * (CARD_HEIGHT + 1) + 1, "known" if known else "")
    _draw_area(canvas, state, seat)
    return canvas.lines()


def _draw_area(canvas: Canvas, state: CodexState, seat: int) -> None:
    area = state.areas[seat]
    places = [coordinates(cell) for cell, _ in area.cards()] + [coordinates(cell) for cell in area.spots]
    if not places:
        canvas.write(1, _CARD_COLUMN, f"starter {CARD_NAMES[state.deal.starters[seat]]}", "faint")
        return
    west, east = min(x for x, _ in places), max(x for x, _ in places)
    north, south = max(y for _, y in places), min(y for _, y in places)
    left, top = _CARD_COLUMN + _MARGIN, 1
    for x in range(west, east + 1):
        canvas.write(0, left + (x - west) * _STEP_X + 1, f"{x:^3}", "faint")
    for y in range(south, north + 1):
        canvas.write(top + (north - y) * _STEP_Y + 1, left - _MARGIN, f"{y:>3}", "faint")
    for cell, face in area.cards():
        x, y = coordinates(cell)
        canvas.draw(top + (north - y) * _STEP_Y, left + (x - west) * _STEP_X, card_drawing(face))
    for x, y in places:
        if cell_at(x, y) in area.spots:
            canvas.write(top + (north - y) * _STEP_Y + 1, left + (x - west) * _STEP_X + 2, "·", "faint")
