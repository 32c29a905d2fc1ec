"""A position of Codex Naturalis, and how it changes."""

from __future__ import annotations

from random import Random
from typing import Final

from arena_rules.codex.area import ORIGIN, Area
from arena_rules.codex.cards import CORNER_SHIFT, COST, GAIN, GUARDS, MOST, NO_CARD, PER, POINTS
from arena_rules.codex.choices import Choices
from arena_rules.codex.deal import Deal
from arena_rules.codex.facts import END_POINTS, HAND, HAND_GOLD, HAND_RESOURCES, SHOWN, SHOWN_RESOURCES
from arena_rules.codex.legality import check
from arena_rules.codex.moves import (
    GOLD_DECK,
    NO_DRAW,
    OBJECTIVE_MOVES,
    OBJECTIVE_TOLD,
    PASS,
    RESOURCE_DECK,
    STARTER_MOVES,
    Move,
)
from arena_rules.codex.objectives import NO_OBJECTIVE, kingdoms_of, objective_points
from arena_rules.codex.view import CodexView, view_of
from arena_rules.game import Picture, State
from arena_rules.outcome import Outcome, Score, Termination, rank_seats

PHASES: Final = ("starters", "objectives", "play", "ending", "last")
"""First each seat chooses a face of its starter, then each an objective. Play goes on until something brings on the
end; that round is still finished, and one last round follows."""
STARTERS: Final = 0
OBJECTIVES: Final = 1
PLAY: Final = 2
ENDING: Final = 3
LAST: Final = 4

NOT_CHOSEN: Final = -1

_LUCK_BITS: Final = 30
"""As many as Python counts with in one step."""


class CodexState(State[Move]):
    """A complete position: an area for each seat, and rows of small numbers, cheap to copy and to change."""

    __slots__ = (
        "areas",
        "deal",
        "hands",
        "kept",
        "left",
        "phase",
        "players",
        "seen",
        "shown",
        "stock",
        "to_move",
        "turn",
    )

    deal: Deal
    areas: list[Area]
    """One per seat."""
    hands: list[int]
    """Three cards per seat, each in its place until it is played; NO_CARD where there is none."""
    shown: list[int]
    """The face-up cards, by source; NO_CARD where there is none."""
    stock: list[int]
    """How many cards the resource and the gold deck have left. Decks never change: drawing only counts down."""
    seen: int
    """The set of cards that have lain face up, as bits: everybody knows them, in whatever hand they are now."""
    kept: list[int]
    """Which of its two objectives each seat has kept, or NOT_CHOSEN."""
    phase: int
    """An index of PHASES."""

    @staticmethod
    def dealt(deal: Deal) -> CodexState:
        state = CodexState.empty(deal)
        state.stock = [len(deck) for deck in deal.decks]
        state.shown = [state._top(place >= SHOWN_RESOURCES) for place in range(SHOWN)]
        for card in state.shown:
            state.seen |= 1 << card
        return state

    @staticmethod
    def empty(deal: Deal) -> CodexState:
        """A table with nothing on it yet."""
        state = CodexState()
        state.deal = deal
        state.players = deal.rules.players
        state.areas = [Area() for _ in range(state.players)]
        state.hands = [NO_CARD] * (HAND * state.players)
        state.shown = [NO_CARD] * SHOWN
        state.stock = [0, 0]
        state.seen = 0
        state.kept = [NOT_CHOSEN] * state.players
        state.phase = STARTERS
        state.turn = state.to_move = 0
        state.left = ()
        return state

    def copy(self) -> CodexState:
        twin = CodexState()
        twin.deal = self.deal
        twin.players = self.players
        twin.areas = [area.copy() for area in self.areas]
        twin.hands = self.hands[:]
        twin.shown = self.shown[:]
        twin.stock = self.stock[:]
        twin.seen = self.seen
        twin.kept = self.kept[:]
        twin.phase = self.phase
        twin.turn = self.turn
        twin.to_move = self.to_move
        twin.left = self.left
        return twin

    # ── what may be done ────────────────────────────────────────────────────────────────────────────────────────────

    def hand(self, seat: int) -> list[int]:
        """The cards that the seat holds."""
        return [card for card in self.hands[seat * HAND : (seat + 1) * HAND] if card >= 0]

    def sources(self) -> list[int]:
        """Where the seat to move can draw from, or NO_DRAW alone."""
        if self.phase == LAST and not self.deal.rules.draw_in_last_round:
            return [NO_DRAW]
        found = [place for place, card in enumerate(self.shown) if card >= 0]
        if self.stock[0]:
            found.append(RESOURCE_DECK)
        if self.stock[1]:
            found.append(GOLD_DECK)
        return found or [NO_DRAW]

    def is_stuck(self, seat: int) -> bool:
        """Whether the seat can place no card, and so never will."""
        return not self.areas[seat].spots or not self.hand(seat)

    def choices(self) -> Choices:
        """What the seat to move may do."""
        seat = self.to_move
        if self.phase == STARTERS:
            return Choices(words=STARTER_MOVES)
        if self.phase == OBJECTIVES:
            return Choices(words=OBJECTIVE_MOVES)
        if self.is_stuck(seat):
            return Choices(words=(PASS,))
        area = self.areas[seat]
        faces = []
        for card in self.hand(seat):
            cost = COST[2 * card]
            if not cost or (area.symbols | GUARDS) - cost & GUARDS == GUARDS:
                faces.append(2 * card)
            faces.append(2 * card + 1)
        return Choices(tuple(faces), tuple(sorted(area.spots)), tuple(self.sources()))

    def legal_moves(self) -> list[Move]:
        return [] if self.to_move < 0 else self.choices().moves()

    def random_move(self, rng: Random) -> Move:
        """A card drawn evenly from the hand, a side that can be paid for, then a spot and a source."""
        # One number holds chance enough for all four choices, and costs less than four numbers.
        luck = rng.getrandbits(_LUCK_BITS)
        if self.phase < PLAY:
            return (OBJECTIVE_MOVES if self.phase else STARTER_MOVES)[luck & 1]
        seat = self.to_move
        area = self.areas[seat]
        card = self.hands[seat * HAND + luck % HAND]
        luck //= HAND
        if card < 0:
            hand = self.hand(seat)
            card = hand[luck % len(hand)] if hand else NO_CARD
        spots = list(area.spots.keys())  # compiled, this is faster than list(area.spots)
        if card < 0 or not spots:
            return PASS
        face = 2 * card
        cost = COST[face]
        if luck & 1 or (cost and (area.symbols | GUARDS) - cost & GUARDS != GUARDS):
            face += 1
        luck >>= 1
        cell = spots[luck % len(spots)]
        luck //= len(spots)
        stock = self.stock
        if stock[0] and stock[1] and self.phase == PLAY:
            return Move(face, cell, luck % NO_DRAW)
        sources = self.sources()
        return Move(face, cell, sources[luck % len(sources)])

    def check(self, move: Move) -> None:
        check(self, move)

    # ── what happens ────────────────────────────────────────────────────────────────────────────────────────────────

    def advance(self, move: Move) -> None:
        seat = self.to_move
        self.turn += 1
        if move.word:
            self._say(seat, move.word)
            return
        area = self.areas[seat]
        face = move.face
        before = area.symbols
        covered = area.place(face, move.cell)
        points = POINTS[face]
        if points:
            rules = self.deal.rules
            per = PER[face]
            if per == CORNER_SHIFT:
                points *= covered
            elif per >= 0:
                visible = before + GAIN[face] if rules.count_covered_objects else area.symbols
                points *= visible >> per & MOST
            area.points = min(area.points + points, rules.track_end)

        hands = self.hands
        hands[hands.index(face >> 1)] = self._draw(move.source)
        stock = self.stock
        if area.points >= END_POINTS or not (stock[0] and stock[1]):
            self._look_for_end(area.points)
        if area.spots:
            self._pass_turn(seat)
        else:
            self._pass_turn_if_anybody_can_place(seat)

    def _say(self, seat: int, word: str) -> None:
        """Make a move that places no card from the hand."""
        if word == PASS.word:
            self._pass_turn_if_anybody_can_place(seat)
            return
        side = 1 if word in {"S:back", "O:2"} else 0
        if self.phase == STARTERS:
            self.areas[seat].place(2 * self.deal.starters[seat] + side, ORIGIN)
        else:
            self.kept[seat] = side
        self._pass_turn(seat)

    def _top(self, deck: int) -> int:
        """The top card of a deck that is not empty, which is thereby drawn."""
        left = self.stock[deck] - 1
        self.stock[deck] = left
        return self.deal.decks[deck][left]

    def _draw(self, source: int) -> int:
        """The card from there. What lay face up is replaced."""
        if source >= SHOWN:
            return self._top(source - SHOWN) if source < NO_DRAW else NO_CARD
        drawn = self.shown[source]
        deck = 1 if source >= SHOWN_RESOURCES else 0
        if not self.stock[deck] and self.deal.rules.refill_from_other:
            deck = 1 - deck
        if self.stock[deck]:
            card = self._top(deck)
            self.shown[source] = card
            self.seen |= 1 << card
        else:
            self.shown[source] = NO_CARD
        return drawn

    def _look_for_end(self, points: int) -> None:
        """See whether these points, or the cards left, bring on the end."""
        if self.phase != PLAY:
            return
        rules = self.deal.rules
        resources, golds = self.stock
        if rules.end_at_either_deck:
            run_out = not resources or not golds
        else:
            run_out = not (resources or golds) and not (rules.end_at_no_card and max(self.shown) >= 0)
        if run_out or points >= END_POINTS:
            self.phase = ENDING

    def _pass_turn_if_anybody_can_place(self, seat: int) -> None:
        """Nothing can happen any more when no seat that is still in the game can place a card."""
        if all(other in self.left or self.is_stuck(other) for other in range(self.players)):
            self.to_move = -1
        else:
            self._pass_turn(seat)

    def _pass_turn(self, seat: int) -> None:
        """The next seat that is still in the game moves; past the last one a round ends."""
        following = seat + 1
        while self.left and following in self.left:
            following += 1
        if following == self.players:
            if self.phase == LAST:
                self.to_move = -1
                return
            self._end_round()
            following = 0
            while following in self.left:
                following += 1
        self.to_move = following

    def _end_round(self) -> None:
        if self.phase == STARTERS:
            self._deal_hands()
        if self.phase != PLAY:
            self.phase += 1

    def _deal_hands(self) -> None:
        """Seats that have left get their cards too, so that their leaving changes nothing for the others."""
        hands: list[int] = []
        for _ in range(self.players):
            hands += [self._top(0) for _ in range(HAND_RESOURCES)]
            hands += [self._top(1) for _ in range(HAND_GOLD)]
        self.hands = hands

    def retire(self, seat: int) -> CodexState:
        after = self.copy()
        if self.to_move < 0 or seat in self.left:
            return after
        after.left = (*self.left, seat)
        if len(after.left) == self.players - 1:
            after.to_move = -1
        elif seat == self.to_move:
            after._pass_turn(seat)
        if after.phase >= PLAY and all(other in after.left or after.is_stuck(other) for other in range(self.players)):
            after.to_move = -1
        return after

    # ── what it comes to ────────────────────────────────────────────────────────────────────────────────────────────

    def objectives(self, seat: int) -> tuple[int, ...]:
        """The objectives that count for the seat: the common ones and its own; NO_OBJECTIVE where there is none yet."""
        deal = self.deal
        if self.phase == STARTERS:
            return (NO_OBJECTIVE,) * 3
        kept = self.kept[seat]
        return (*deal.common, NO_OBJECTIVE if kept < 0 else deal.offer(seat)[kept])

    def score(self, seat: int) -> Score:
        area = self.areas[seat]
        cells = kingdoms_of(area)
        first, second, secret = [objective_points(area, cells, card) for card in self.objectives(seat)]
        return Score(
            (
                ("cards", area.points),
                ("common objective 1", first),
                ("common objective 2", second),
                ("secret objective", secret),
            )
        )

    def outcome(self) -> Outcome | None:
        if self.to_move >= 0:
            return None
        scores = tuple([self.score(seat) for seat in range(self.players)])
        merits = [(score.total, self._tie_break(score)) for score in scores]
        abandoned = len(self.left) == self.players - 1
        termination = Termination.ABANDONED if abandoned else Termination.COMPLETED
        return Outcome(rank_seats(merits, self.left), scores, termination)

    def _tie_break(self, score: Score) -> int:
        objectives = [points for _, points in score.parts[1:]]
        return sum(objectives) if self.deal.rules.tie_by_points else sum([points > 0 for points in objectives])

    # ── what is seen ────────────────────────────────────────────────────────────────────────────────────────────────

    def told(self, move: Move, seat: int) -> Move:
        if seat == self.to_move:
            return move
        if move in OBJECTIVE_MOVES:
            return OBJECTIVE_TOLD
        hidden = not move.word and move.face & 1 and not self.seen >> move.card & 1
        return move.told() if hidden else move

    def view(self, seat: int) -> CodexView:
        return view_of(self, seat)

    def picture(self) -> Picture:
        from arena_rules.codex.picture import picture

        return picture(self)

    def __str__(self) -> str:
        from arena_rules.codex.notation import write_state

        return write_state(self)

    def __reduce__(self) -> tuple[object, ...]:
        from arena_rules.codex.notation import read_state

        return read_state, (str(self),)
