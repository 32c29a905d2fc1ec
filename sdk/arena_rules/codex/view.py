"""What one seat of Codex Naturalis may see.

Everybody sees the areas, the face-up cards, the points, and the backs of all cards: those in hands, those on top of the
decks, those played face down. A card that once lay face up stays known to all. Cards in a hand keep their places, so
that everybody can tell which of them is played.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from arena_rules.codex.cards import BACK, FIRST_BACK, NO_CARD
from arena_rules.codex.choices import Choices
from arena_rules.codex.facts import HAND
from arena_rules.codex.moves import Move
from arena_rules.game import Options, View

if TYPE_CHECKING:
    from arena_rules.codex.state import CodexState

Cards = tuple[tuple[int, int], ...]
"""Cells and the faces that lie there, in the order of placing."""

UNKNOWN_CHOICE: Final = 2
"""In `CodexView.kept`: the seat has chosen, nobody else knows what."""


class CodexView(View[Move]):
    """A seat's view. Made once per turn and never changed."""

    __slots__ = (
        "_public",
        "areas",
        "choices",
        "common",
        "hands",
        "kept",
        "known",
        "left",
        "offer",
        "options",
        "phase",
        "players",
        "points",
        "seat",
        "shown",
        "starters",
        "stock",
        "to_move",
        "tops",
        "turn",
    )

    def __init__(
        self,
        options: Options,
        players: int,
        seat: int,
        to_move: int,
        turn: int,
        phase: int,
        left: tuple[int, ...],
        starters: tuple[int, ...],
        areas: tuple[Cards, ...],
        hands: tuple[tuple[int, ...], ...],
        known: frozenset[int],
        shown: tuple[int, ...],
        stock: tuple[int, ...],
        tops: tuple[int, ...],
        points: tuple[int, ...],
        common: tuple[int, ...],
        offer: tuple[int, ...],
        kept: tuple[int, ...],
        choices: Choices | None = None,
    ) -> None:
        self.options = options
        """The rule options in force."""
        self.players = players
        self.seat = seat
        self.to_move = to_move
        self.turn = turn
        self.phase = phase
        """An index of `state.PHASES`."""
        self.left = left
        self.starters = starters
        """The starter card of each seat."""
        self.areas = areas
        """For each seat the cards on the table; of another's card face down, the back alone unless it is known."""
        self.hands = hands
        """For each seat the three places of its hand: a card, a back, or NO_CARD."""
        self.known = known
        """The cards in hands and face down in areas, one's own among them, that everybody knows."""
        self.shown = shown
        """The cards face up in the middle, or NO_CARD."""
        self.stock = stock
        """How many cards the resource deck and the gold deck have left."""
        self.tops = tops
        """The backs of their top cards, or NO_CARD."""
        self.points = points
        """What each seat has scored by cards."""
        self.common = common
        """The common objectives; none before the hands are dealt."""
        self.offer = offer
        """The two objectives of which this seat keeps one."""
        self.kept = kept
        """Which of its two each seat has kept: 0 or 1, UNKNOWN_CHOICE for others, -1 before it has chosen."""
        self.choices = choices
        """What the seat may do; None when it is not its turn."""
        self._public: CodexState | None = None

    @property
    def hand(self) -> tuple[int, ...]:
        """The cards that this seat holds."""
        return tuple(card for card in self.hands[self.seat] if card >= 0)

    @property
    def public(self) -> CodexState:
        """The state as this seat knows it, with backs in the place of hidden cards. Copy it to change it."""
        if self._public is None:
            from arena_rules.codex.behind import public_state

            self._public = public_state(self)
        return self._public

    def legal_moves(self) -> list[Move]:
        """The legal moves when it is this seat's turn. What others could do depends on cards that it cannot see."""
        return self.choices.moves() if self.choices is not None else []

    def sample(self, rng: Random) -> CodexState:
        from arena_rules.codex.behind import sampled

        return sampled(self, rng)

    def __str__(self) -> str:
        from arena_rules.codex.notation import write_view

        return write_view(self)

    def __reduce__(self) -> tuple[object, ...]:
        from arena_rules.codex.notation import read_view

        return read_view, (str(self),)


def view_of(state: CodexState, seat: int) -> CodexView:
    """All that the seat may know of the state."""
    deal = state.deal
    dealt = state.phase > 0
    seats = range(state.players)
    return CodexView(
        options=deal.rules.options,
        players=state.players,
        seat=seat,
        to_move=state.to_move,
        turn=state.turn,
        phase=state.phase,
        left=state.left,
        starters=deal.starters,
        areas=tuple([_area_of(state, other, seat) for other in seats]),
        hands=tuple([_hand_of(state, other, seat) for other in seats]),
        known=known_cards(state),
        shown=tuple(state.shown),
        stock=tuple(state.stock),
        tops=tuple(
            [BACK[cards[left - 1]] if left else NO_CARD for cards, left in zip(deal.decks, state.stock, strict=True)]
        ),
        points=tuple([area.points for area in state.areas]),
        common=deal.common if dealt else (),
        offer=deal.offer(seat) if dealt else (),
        kept=tuple([kept if kept < 0 or other == seat else UNKNOWN_CHOICE for other, kept in enumerate(state.kept)]),
        choices=state.choices() if seat == state.to_move else None,
    )


def known_cards(state: CodexState) -> frozenset[int]:
    """The cards in hands and face down in areas that everybody knows."""
    down = [face >> 1 for area in state.areas for _, face in area.cards() if face & 1]
    return frozenset([card for card in state.hands + down if card >= 0 and state.seen >> card & 1])


def _area_of(state: CodexState, owner: int, seat: int) -> Cards:
    cards = state.areas[owner].cards()
    if owner == seat:
        return tuple(cards)
    seen = state.seen
    return tuple(
        [(cell, face if not face & 1 or seen >> (face >> 1) & 1 else 2 * BACK[face >> 1] + 1) for cell, face in cards]
    )


def _hand_of(state: CodexState, owner: int, seat: int) -> tuple[int, ...]:
    cards = state.hands[owner * HAND : (owner + 1) * HAND]
    if owner == seat:
        return tuple(cards)
    seen = state.seen
    return tuple([card if card < 0 or seen >> card & 1 else BACK[card] for card in cards])


def is_hidden(card: int) -> bool:
    """Whether only the back of the card is known."""
    return card >= FIRST_BACK
