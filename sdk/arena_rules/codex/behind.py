"""From a view back to states: the part of the state that a seat knows, and draws of the part that it does not."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from arena_rules.codex.area import Area
from arena_rules.codex.cards import BACK, FIRST_STARTER, GOLDS, RESOURCES, UNKNOWN_GOLD, UNKNOWN_RESOURCE
from arena_rules.codex.deal import Deal, rules_of
from arena_rules.codex.facts import COMMON_OBJECTIVES, OFFERED_OBJECTIVES
from arena_rules.codex.objectives import NO_OBJECTIVE, OBJECTIVES
from arena_rules.codex.state import CodexState
from arena_rules.codex.view import UNKNOWN_CHOICE, Cards, CodexView, is_hidden


def public_state(view: CodexView) -> CodexState:
    """The state that a view tells of: backs in the place of hidden cards, the objectives of others missing."""
    decks = _deck(view, 0, UNKNOWN_RESOURCE), _deck(view, 1, UNKNOWN_GOLD)
    objectives = [NO_OBJECTIVE] * (COMMON_OBJECTIVES + OFFERED_OBJECTIVES * view.players)
    _set_objectives(objectives, view)
    state = CodexState.empty(Deal(rules_of(view.players, view.options), decks, view.starters, tuple(objectives)))
    state.areas = [area_of(cards, points) for cards, points in zip(view.areas, view.points, strict=True)]
    state.hands = [card for hand in view.hands for card in hand]
    state.shown = list(view.shown)
    state.stock = list(view.stock)
    state.seen = sum(1 << card for card in view.known | {card for card in view.shown if card >= 0})
    state.kept = [0 if kept == UNKNOWN_CHOICE else kept for kept in view.kept]
    state.phase = view.phase
    state.turn = view.turn
    state.to_move = view.to_move
    state.left = view.left
    return state


def _deck(view: CodexView, deck: int, unknown: int) -> bytes:
    left = view.stock[deck]
    return bytes([unknown] * (left - 1) + [view.tops[deck]]) if left else b""


def _set_objectives(objectives: list[int], view: CodexView) -> None:
    """Put what the seat has seen of the objectives in its place."""
    objectives[: len(view.common)] = view.common
    start = COMMON_OBJECTIVES + view.seat * OFFERED_OBJECTIVES
    objectives[start : start + len(view.offer)] = view.offer


def area_of(cards: Cards, points: int) -> Area:
    """The area that comes of placing these cards one after another."""
    area = Area()
    for cell, face in cards:
        area.place(face, cell)
    area.points = points
    return area


# ── samples ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Unseen:
    """The cards of which the seat has seen no more than their backs, to be dealt out again.

    A card whose back is seen may be any unseen card with that back, all equally likely; what is left over lies, in any
    order, under the top cards of the decks. That is how the deal would have it, whatever was played: if two cards with
    the same back changed places, this seat would have seen just the same.
    """

    def __init__(self, view: CodexView, rng: Random) -> None:
        seen = set(_cards_seen(view))
        self.random = rng.random
        self.cards: dict[int, list[int]] = {}
        for card in range(FIRST_STARTER):
            if card not in seen:
                self.cards.setdefault(BACK[card], []).append(card)

    def draw(self, back: int) -> int:
        """A card with this back."""
        row = self.cards[back]
        return row.pop(int(self.random() * len(row)))

    def deck(self, kind: range, top: int) -> bytes:
        """All cards of a kind that are left, with the top one's back as it is seen."""
        if top < 0:
            return b""
        last = self.draw(top)
        random = self.random
        rest = [card for row in self.cards.values() for card in row if card in kind]
        return bytes([*sorted(rest, key=lambda _: random()), last])


def _cards_seen(view: CodexView) -> Iterable[int]:
    yield from view.shown
    for hand in view.hands:
        yield from hand
    for cards in view.areas:
        yield from (face >> 1 for _, face in cards)


def sampled(view: CodexView, rng: Random) -> CodexState:
    """A complete state behind the view, each of them as likely as the deal makes it.

    Of the two objectives that another seat had, it is as likely to have kept either.
    """
    state = view.public.copy()
    unseen = _Unseen(view, rng)
    state.hands = [unseen.draw(card) if is_hidden(card) else card for card in state.hands]
    for area in state.areas:
        for cell, face in area.cards():
            if is_hidden(face >> 1):
                area.taken[cell] = 2 * unseen.draw(face >> 1) + 1
    decks = unseen.deck(RESOURCES, view.tops[0]), unseen.deck(GOLDS, view.tops[1])
    state.deal = Deal(state.deal.rules, decks, view.starters, _sampled_objectives(view, rng))
    state.kept = [rng.randrange(OFFERED_OBJECTIVES) if kept == UNKNOWN_CHOICE else kept for kept in view.kept]
    return state


def _sampled_objectives(view: CodexView, rng: Random) -> tuple[int, ...]:
    """The objectives in the order of the deal: those of the others are any that this seat has not seen."""
    others = [card for card in OBJECTIVES if card not in view.common + view.offer]
    rng.shuffle(others)
    objectives = others[: COMMON_OBJECTIVES + OFFERED_OBJECTIVES * view.players]
    _set_objectives(objectives, view)
    return tuple(objectives)
