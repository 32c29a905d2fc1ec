"""Text for views and states: one line of named fields that a person can read and a program can read back.

    players=2 turn=9 to-move=1 left=- phase=play starters=S3,S5 areas=S3b@0,0/R07@1,1/...;... hands=R05*,R12,G40;... ...

Seats are separated by `;`. Areas list their cards in the order of placing, each with its coordinates; a name that ends
in b is a card face down. A star marks a card in a hand or face down that everybody knows. A state goes on with
`objectives` (the common ones, then two for each seat), `resources` and `golds` (the decks, the top card last); a view
with `common`, `stock`, `tops`, `seat` and `offer`. Rule options come last, each as `option:value`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena_rules.codex.area import coordinates
from arena_rules.codex.cards import CARD_NAMES, FACE_NAMES
from arena_rules.codex.fields import CodexFields
from arena_rules.codex.objectives import OBJECTIVE_NAMES
from arena_rules.codex.state import PHASES, CodexState
from arena_rules.codex.view import UNKNOWN_CHOICE, Cards, CodexView, known_cards
from arena_rules.fields import write_fields, write_numbers, write_seat

_CHOICES = {-1: "-", 0: "1", 1: "2", UNKNOWN_CHOICE: "?"}


def write_view(view: CodexView) -> str:
    own = {
        "common": _objectives(view.common),
        "stock": write_numbers(view.stock),
        "tops": _cards(view.tops),
        "seat": str(view.seat),
        "offer": _objectives(view.offer),
    }
    public = _public_fields(view, view.starters, view.areas, view.hands, view.points, view.known)
    return write_fields({**public, **own}, view.options)


def write_state(state: CodexState) -> str:
    deal = state.deal
    resources, golds = [deck[:left] for deck, left in zip(deal.decks, state.stock, strict=True)]
    hidden = {"objectives": _objectives(deal.objectives), "resources": _cards(resources), "golds": _cards(golds)}
    areas = [tuple(area.cards()) for area in state.areas]
    size = len(state.hands) // state.players
    hands = [state.hands[i : i + size] for i in range(0, len(state.hands), size)]
    points = [area.points for area in state.areas]
    public = _public_fields(state, deal.starters, areas, hands, points, known_cards(state))
    return write_fields({**public, **hidden}, deal.rules.options)


def read_view(text: str) -> CodexView:
    view = CodexFields(text, ("seat", "offer", "common", "stock", "tops")).view()
    if view.seat == view.to_move:
        view.choices = view.public.choices()
    return view


def read_state(text: str) -> CodexState:
    return CodexFields(text, ("objectives", "resources", "golds")).state()


def _public_fields(
    table: CodexView | CodexState,
    starters: Sequence[int],
    areas: Sequence[Cards],
    hands: Sequence[Sequence[int]],
    points: Sequence[int],
    known: frozenset[int],
) -> dict[str, str]:
    return {
        "players": str(table.players),
        "turn": str(table.turn),
        "to-move": write_seat(table.to_move),
        "left": write_numbers(table.left),
        "phase": PHASES[table.phase],
        "starters": _cards(starters),
        "areas": ";".join(_area(cards, known) for cards in areas),
        "hands": ";".join(_cards(hand, known) for hand in hands),
        "shown": _cards(table.shown),
        "points": write_numbers(points),
        "kept": ",".join(_CHOICES[kept] for kept in table.kept),
    }


def _area(cards: Cards, known: frozenset[int]) -> str:
    return "/".join(_placed(cell, face, known) for cell, face in cards) or "-"


def _placed(cell: int, face: int, known: frozenset[int]) -> str:
    x, y = coordinates(cell)
    star = "*" if face & 1 and face >> 1 in known else ""
    return f"{FACE_NAMES[face]}{star}@{x},{y}"


def _cards(cards: Iterable[int], known: frozenset[int] = frozenset()) -> str:
    return ",".join("-" if card < 0 else CARD_NAMES[card] + "*" * (card in known) for card in cards) or "-"


def _objectives(cards: Iterable[int]) -> str:
    return ",".join("?" if card < 0 else OBJECTIVE_NAMES[card] for card in cards) or "-"
