"""Coins: the smallest game with a secret, sound in every way. The tests of the conformance kit break it, part by part.

A heap of coins lies on the table, and every seat holds a secret card. Take one to three coins in turn until none is
left; coins count one each, and your card counts if you took an even number of coins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from arena_rules import Game, IllegalMove, NotationError, Option, Options, Outcome, Score, State, Termination, View
from arena_rules.chance import shuffled
from arena_rules.outcome import rank_seats

CARDS = range(1, 10)
_NUMBERS = r"([0-9]{1,3}(?:,[0-9]{1,3})*)"
_TABLE = rf"heap=([0-9]{{1,3}}) purses={_NUMBERS} turn=([0-9]{{1,3}}) to-move=(-|[0-9]) left=(-|[0-9](?:,[0-9])*)"


@dataclass(frozen=True)
class Take:
    coins: int

    def __str__(self) -> str:
        return f"take-{self.coins}"


class CoinsState(State[Take]):
    def __init__(self, heap: int, cards: tuple[int, ...]) -> None:
        self.players = len(cards)
        self.turn = self.to_move = 0
        self.left: tuple[int, ...] = ()
        self.heap = heap
        self.purses = [0] * len(cards)
        self.cards = cards

    def legal_moves(self) -> list[Take]:
        return [] if self.to_move < 0 else [Take(coins) for coins in range(1, min(3, self.heap) + 1)]

    def random_move(self, rng: Random) -> Take:
        return rng.choice(self.legal_moves())

    def check(self, move: Take) -> None:
        if self.to_move < 0 or not 1 <= move.coins <= min(3, self.heap):
            raise IllegalMove(f"{move}: {self.heap} coins are on the table")

    def advance(self, move: Take) -> None:
        self.heap -= move.coins
        self.purses[self.to_move] += move.coins
        self.turn += 1
        self.pass_turn()

    def pass_turn(self) -> None:
        following = [(self.to_move + step) % self.players for step in range(1, self.players + 1)]
        staying = [seat for seat in following if seat not in self.left]
        self.to_move = staying[0] if self.heap and len(staying) > 1 else -1

    def copy(self) -> CoinsState:
        twin = type(self)(self.heap, self.cards)
        twin.turn, twin.to_move, twin.left = self.turn, self.to_move, self.left
        twin.purses = self.purses.copy()
        return twin

    def retire(self, seat: int) -> CoinsState:
        after = self.copy()
        after.left = (*self.left, seat)
        if seat == self.to_move or len(after.left) == self.players - 1:
            after.pass_turn()
        return after

    def view(self, seat: int) -> CoinsView:
        return CoinsView(self, seat, self.cards[seat])

    def score(self, seat: int) -> Score:
        lucky = self.purses[seat] % 2 == 0
        return Score((("coins", self.purses[seat]), ("card", self.cards[seat] if lucky else 0)))

    def outcome(self) -> Outcome | None:
        if self.to_move >= 0:
            return None
        scores = tuple(self.score(seat) for seat in range(self.players))
        abandoned = len(self.left) == self.players - 1
        termination = Termination.ABANDONED if abandoned else Termination.COMPLETED
        return Outcome(rank_seats([(score.total,) for score in scores], self.left), scores, termination)

    @property
    def table(self) -> str:
        to_move = "-" if self.to_move < 0 else self.to_move
        return f"heap={self.heap} purses={_row(self.purses)} turn={self.turn} to-move={to_move} left={_row(self.left)}"

    def __str__(self) -> str:
        return f"{self.table} cards={_row(self.cards)}"


class CoinsView(View[Take]):
    def __init__(self, state: CoinsState, seat: int, card: int) -> None:
        # A state with no cards in it: what a view does not hold it cannot give away.
        self.public = state.copy()
        self.public.cards = (0,) * state.players
        self.players, self.turn, self.to_move = state.players, state.turn, state.to_move
        self.seat = seat
        self.card = card

    def legal_moves(self) -> list[Take]:
        return self.public.legal_moves()

    def sample(self, rng: Random) -> CoinsState:
        state = self.public.copy()
        others = iter(rng.sample([card for card in CARDS if card != self.card], self.players - 1))
        state.cards = tuple(self.card if seat == self.seat else next(others) for seat in range(self.players))
        return state

    def __str__(self) -> str:
        return f"{self.public.table} seat={self.seat} card={self.card}"


class Coins(Game[Take]):
    name = "coins"
    title = "Coins"
    rules_version = "1"
    players = (2, 3)
    options = {"heap": Option("How many coins there are.", {"12": "a dozen", "15": "a few more"}, "12")}
    editions = {"first": {}, "second": {"heap": "15"}}
    default_edition = "first"

    state_type: type[CoinsState] = CoinsState

    def deal(self, players: int, seed: int, options: Options | None = None) -> CoinsState:
        self.check_players(players)
        heap = int((options or self.rules())["heap"])
        return self.state_type(heap, tuple(shuffled(seed, "cards", CARDS)[:players]))

    def read_move(self, text: str) -> Take:
        (coins,) = _read(r"take-([1-3])", text)
        return Take(int(coins))

    def read_state(self, text: str) -> CoinsState:
        *table, cards = _read(rf"{_TABLE} cards={_NUMBERS}", text)
        return self._with_table(table, _numbers(cards))

    def read_view(self, text: str) -> CoinsView:
        *table, seat, card = _read(rf"{_TABLE} seat=([0-9]) card=([1-9])", text)
        state = self._with_table(table, (0,) * len(_numbers(table[1])))
        if int(seat) >= state.players:
            raise NotationError(f"there is no seat {seat}")
        return CoinsView(state, int(seat), int(card))

    def _with_table(self, table: list[str], cards: tuple[int, ...]) -> CoinsState:
        state = self.state_type(int(table[0]), cards)
        state.purses = list(_numbers(table[1]))
        if len(state.purses) != state.players or state.players not in self.players:
            raise NotationError("there is not one purse and one card for every seat")
        state.turn = int(table[2])
        state.to_move = -1 if table[3] == "-" else int(table[3])
        state.left = _numbers(table[4])
        return state


def _row(numbers: list[int] | tuple[int, ...]) -> str:
    return ",".join(map(str, numbers)) or "-"


def _numbers(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(map(int, text.split(",")))


def _read(pattern: str, text: str) -> tuple[str, ...]:
    found = re.fullmatch(pattern, text)
    if found is None:
        raise NotationError(f"'{text[:40]}' cannot be read")
    return found.groups()
