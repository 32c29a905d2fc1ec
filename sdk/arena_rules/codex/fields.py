"""The fields of a view or state in notation, read with care: every complaint names its field."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from arena_rules.codex.area import ORIGIN, Area, cell_at
from arena_rules.codex.behind import public_state
from arena_rules.codex.cards import (
    BACK,
    CARD_NAMES,
    COST,
    FACE_NAMES,
    FIRST_BACK,
    FIRST_GOLD,
    FIRST_STARTER,
    GUARDS,
    NO_CARD,
    UNKNOWN_RESOURCE,
)
from arena_rules.codex.deal import Deal, rules_of
from arena_rules.codex.facts import (
    COMMON_OBJECTIVES,
    HAND,
    OFFERED_OBJECTIVES,
    OPTIONS,
    PLAYERS,
    SHOWN,
    SHOWN_RESOURCES,
)
from arena_rules.codex.objectives import OBJECTIVE_NAMES
from arena_rules.codex.state import PHASES, STARTERS, CodexState
from arena_rules.codex.view import UNKNOWN_CHOICE, Cards, CodexView
from arena_rules.errors import NotationError
from arena_rules.fields import Fields, read_number

_CARDS: Final = {name: card for card, name in enumerate(CARD_NAMES) if card < UNKNOWN_RESOURCE} | {"-": NO_CARD}
_FACES: Final = {name: face for face, name in enumerate(FACE_NAMES) if face < 2 * FIRST_BACK or face & 1}
_OBJECTIVES: Final = {name: number for number, name in enumerate(OBJECTIVE_NAMES)}
_CHOICES: Final = {"-": -1, "1": 0, "2": 1}
_PLACED: Final = re.compile(r"([A-Z0-9]+b?)(\*?)@(0|-?[1-9][0-9]?),(0|-?[1-9][0-9]?)")
_MOST_POINTS: Final = 255
"""Far more than anybody has when the last round ends, and no more than fits into a byte of a message."""


class CodexFields(Fields):
    """One line of notation, cut into its fields."""

    def __init__(self, text: str, own: tuple[str, ...]) -> None:
        super().__init__(text, own, OPTIONS, PLAYERS)
        self.known: set[int] = set()
        """The cards with a star."""

    # ── the whole ───────────────────────────────────────────────────────────────────────────────────────────────────

    def view(self) -> CodexView:
        seat = self.number("seat", self.players - 1)
        phase = self.phase()
        dealt = phase != STARTERS
        view = self._view(
            seat,
            stock=self.numbers("stock", 2, FIRST_GOLD),
            tops=self.cards("tops", 2),
            common=self.objectives("common", COMMON_OBJECTIVES if dealt else 0),
            offer=self.objectives("offer", OFFERED_OBJECTIVES if dealt else 0),
            kept=self.choices(hidden_from=seat),
        )
        if set(view.common) & set(view.offer):
            raise NotationError("offer: an objective cannot be a common one as well")
        _check_unseen(view)
        return view

    def state(self) -> CodexState:
        decks = self.deck("resources"), self.deck("golds")
        objectives = self.objectives("objectives", COMMON_OBJECTIVES + OFFERED_OBJECTIVES * self.players)
        stock = tuple(len(deck) for deck in decks)
        tops = tuple(BACK[deck[-1]] if deck else NO_CARD for deck in decks)
        view = self._view(0, stock, tops, common=(), offer=(), kept=self.choices())
        placed = [*_cards_of(view), *decks[0], *decks[1]]
        if sorted(placed) != list(range(FIRST_STARTER)):
            raise NotationError(
                "resources: every card must be in just one place: a hand, an area, face up or in a deck"
            )
        state = public_state(view)
        state.deal = Deal(rules_of(self.players, self.options), decks, view.starters, objectives)
        return state

    def _view(
        self,
        seat: int,
        stock: tuple[int, ...],
        tops: tuple[int, ...],
        common: tuple[int, ...],
        offer: tuple[int, ...],
        kept: tuple[int, ...],
    ) -> CodexView:
        starters = self.starters()
        view = CodexView(
            options=self.options,
            players=self.players,
            seat=seat,
            to_move=self.to_move(),
            turn=self.number("turn", 1 << 16),
            phase=self.phase(),
            left=self.left(),
            starters=starters,
            areas=self.areas(starters),
            hands=self.hands(),
            known=frozenset(self.known),
            shown=self.cards("shown", SHOWN),
            stock=stock,
            tops=tops,
            points=self.numbers("points", self.players, _MOST_POINTS),
            common=common,
            offer=offer,
            kept=kept,
        )
        self._check_shown(view)
        cards = [card for card in _cards_of(view) if card < FIRST_STARTER]
        if len(set(cards)) != len(cards):
            raise NotationError("hands: a card cannot be in two places")
        return view

    def _check_shown(self, view: CodexView) -> None:
        """A place is only empty when there is no card left to fill it with. (Moves at random rely on it.)"""
        for place, card in enumerate(view.shown):
            if card >= FIRST_STARTER:
                raise NotationError("shown: cards face up are resource and gold cards")
            if card < 0 and view.stock[place >= SHOWN_RESOURCES]:
                raise NotationError("shown: a place is empty although the deck of its kind is not")

    # ── single fields ───────────────────────────────────────────────────────────────────────────────────────────────

    def parts(self, name: str, count: int, separator: str = ",") -> list[str]:
        parts = self.get(name).split(separator)
        if len(parts) != count:
            raise NotationError(f"{name}: {count} parts are needed, with '{separator}' between them")
        return parts

    def numbers(self, name: str, count: int, largest: int) -> tuple[int, ...]:
        return tuple(read_number(name, part, largest) for part in self.parts(name, count))

    def phase(self) -> int:
        if self.get("phase") not in PHASES:
            raise NotationError(f"phase: it must be one of {', '.join(PHASES)}")
        return PHASES.index(self.get("phase"))

    def starters(self) -> tuple[int, ...]:
        starters = self.cards("starters", self.players)
        if len(set(starters)) != self.players or not all(FIRST_STARTER <= card < FIRST_BACK for card in starters):
            raise NotationError("starters: one starter card is needed for each seat, none twice")
        return starters

    def cards(self, name: str, count: int) -> tuple[int, ...]:
        return tuple(_card(name, part) for part in self.parts(name, count))

    def deck(self, name: str) -> bytes:
        text = self.get(name)
        cards = [] if text == "-" else [_card(name, part) for part in text.split(",")]
        kind = range(FIRST_GOLD) if name == "resources" else range(FIRST_GOLD, FIRST_STARTER)
        if not all(card in kind for card in cards):
            raise NotationError(f"{name}: only {name} belong there")
        return bytes(cards)

    def hands(self) -> tuple[tuple[int, ...], ...]:
        hands = tuple(self._hand(text) for text in self.parts("hands", self.players, ";"))
        if self.phase() == STARTERS and any(card >= 0 for hand in hands for card in hand):
            raise NotationError("hands: no cards are dealt before the starters are placed")
        return hands

    def _hand(self, text: str) -> tuple[int, ...]:
        names = text.split(",")
        if len(names) != HAND:
            raise NotationError(f"hands: each seat needs {HAND} cards, with a - for one that is missing")
        cards = tuple(_card("hands", name.removesuffix("*")) for name in names)
        self.known.update(card for card, name in zip(cards, names, strict=True) if name.endswith("*"))
        if not self.known.isdisjoint({NO_CARD, *range(FIRST_STARTER, len(CARD_NAMES))}):
            raise NotationError("hands: only a named card can be known to all")
        return cards

    def areas(self, starters: Sequence[int]) -> tuple[Cards, ...]:
        texts = self.parts("areas", self.players, ";")
        return tuple(self._area(text, starter) for text, starter in zip(texts, starters, strict=True))

    def _area(self, text: str, starter: int) -> Cards:
        """The cards of an area, each of which must have been allowed where it lies."""
        area = Area()
        for place in [] if text == "-" else text.split("/"):
            found = _PLACED.fullmatch(place)
            if found is None or found[1] not in _FACES:
                raise NotationError(f"areas: '{place[:40]}' is not a card and its place, as in R05@-1,3")
            face, cell = _FACES[found[1]], cell_at(int(found[3]), int(found[4]))
            fits = cell in area.spots and face >> 1 not in range(FIRST_STARTER, FIRST_BACK)
            if not (fits if area.taken else cell == ORIGIN and face >> 1 == starter):
                raise NotationError(f"areas: '{place}' cannot lie there")
            if (area.symbols | GUARDS) - COST[face] & GUARDS != GUARDS:
                raise NotationError(f"areas: '{place}' could not have been paid for")
            area.place(face, cell)
            if found[2]:
                self._star(place, face)
        return tuple(area.cards())

    def _star(self, place: str, face: int) -> None:
        if not face & 1 or face >> 1 >= FIRST_STARTER:
            raise NotationError(f"areas: '{place}' has a star, and is not a named card face down")
        self.known.add(face >> 1)

    def objectives(self, name: str, count: int) -> tuple[int, ...]:
        text = self.get(name)
        names = [] if text == "-" else text.split(",")
        if len(names) != count or len(set(names)) != count or not _OBJECTIVES.keys() >= set(names):
            raise NotationError(f"{name}: {count} different objectives are needed")
        return tuple(_OBJECTIVES[each] for each in names)

    def choices(self, hidden_from: int | None = None) -> tuple[int, ...]:
        """What each seat has kept; in a view, a question mark for all others that have chosen."""
        parts = self.parts("kept", self.players)
        hidden = [hidden_from is not None and seat != hidden_from for seat in range(self.players)]
        codes = [{"-": -1, "?": UNKNOWN_CHOICE} if hide else _CHOICES for hide in hidden]
        if not all(part in code for part, code in zip(parts, codes, strict=True)):
            raise NotationError("kept: each seat needs 1, 2 or -, and in a view every other seat ? or -")
        return tuple(code[part] for part, code in zip(parts, codes, strict=True))


def _card(name: str, text: str) -> int:
    if text not in _CARDS:
        raise NotationError(f"{name}: there is no card '{text[:40]}'")
    return _CARDS[text]


def _cards_of(view: CodexView) -> Iterable[int]:
    """All cards, or backs of cards, in hands, in areas and face up; starters apart."""
    placed = [face >> 1 for cards in view.areas for _, face in cards[1:]]
    return [card for card in (*(c for hand in view.hands for c in hand), *view.shown, *placed) if card >= 0]


def _check_unseen(view: CodexView) -> None:
    """There must be a card for every back that is seen, and as many in the decks as nobody has seen."""
    found = list(_cards_of(view))
    unseen = Counter(BACK[card] for card in range(FIRST_STARTER) if card not in found)
    hidden = Counter(card for card in found if card >= FIRST_BACK)
    for deck, (left, top) in enumerate(zip(view.stock, view.tops, strict=True)):
        if (left > 0) != (top >= FIRST_BACK) or (left and CARD_NAMES[top][0] != "RG"[deck]):
            raise NotationError(
                "tops: each deck that is not empty needs the back of its top card, R or G and a kingdom"
            )
        hidden[top] += left > 0
    if any(count > unseen[back] for back, count in hidden.items() if back >= 0):
        raise NotationError("tops: more backs are seen than there are cards with such backs")
    for deck, kind in enumerate("RG"):
        cards, backs = [sum(n for back, n in c.items() if CARD_NAMES[back][0] == kind) for c in (unseen, hidden)]
        if cards != backs + max(0, view.stock[deck] - 1):
            raise NotationError("stock: the decks must hold just the cards that are nowhere else")
