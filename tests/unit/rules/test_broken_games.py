"""The conformance kit finds what is wrong: for each law, games that break it."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from arena_rules import IllegalMove, Option, Options, Outcome, Picture, Score, State, Termination, laws
from arena_rules.testing import LAWS, Law, check_game, random_game
from tests.unit.rules.coins import Coins, CoinsState, CoinsView, Take

# ── moves ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class StandingClock(CoinsState):
    def advance(self, move: Take) -> None:
        super().advance(move)
        self.turn = 0


class NothingToDo(CoinsState):
    def legal_moves(self) -> list[Take]:
        return super().legal_moves() if self.heap > 3 else []

    def random_move(self, rng: Random) -> Take:
        return Take(1)


class ListedTwice(CoinsState):
    def legal_moves(self) -> list[Take]:
        return super().legal_moves() * 2


class Unordered(CoinsState):
    order = count()

    def legal_moves(self) -> list[Take]:
        moves = super().legal_moves()
        return moves if next(self.order) % 2 else moves[::-1]


class NoEndOfMoves(CoinsState):
    def legal_moves(self) -> list[Take]:
        return super().legal_moves() or [Take(1)]


class AfterHours(CoinsState):
    def check(self, move: Take) -> None:
        if self.to_move >= 0:
            super().check(move)


class NoTwo(CoinsState):
    def check(self, move: Take) -> None:
        super().check(move)
        if move.coins == 2:
            raise IllegalMove("not two")

    def random_move(self, rng: Random) -> Take:
        return Take(1)


class OneForAll(Coins):
    def read_move(self, text: str) -> Take:
        super().read_move(text)
        return Take(1)


class Whispering(CoinsState):
    def told(self, move: Take, seat: int) -> Take | None:
        return None


class Silent(CoinsState):
    def told(self, move: Take, seat: int) -> Take | None:
        return {self.to_move: move}[seat]


# ── states ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class OwnDice(Coins):
    rolls = count()

    def deal(self, players: int, seed: int, options: Options | None = None) -> CoinsState:
        return super().deal(players, seed + next(self.rolls), options)


class SharedPurse(CoinsState):
    def copy(self) -> CoinsState:
        twin = super().copy()
        twin.purses = self.purses
        return twin

    def apply(self, move: Take) -> State[Take]:
        after = super().copy()
        after.advance(move)
        return after


class GenerousApply(CoinsState):
    def apply(self, move: Take) -> State[Take]:
        after = super().apply(move)
        assert isinstance(after, CoinsState)
        after.purses[0] += 1
        return after


class ForgetsLosses(Coins):
    def read_state(self, text: str) -> CoinsState:
        state = super().read_state(text)
        state.purses = [0] * state.players
        return state


class BlankPage(CoinsState):
    def picture(self) -> Picture:
        return []


class TornPage(CoinsState):
    def picture(self) -> Picture:
        return [[("coins\non the table", "")]]


class WornByUse(CoinsState):
    def random_move(self, rng: Random) -> Take:
        move = super().random_move(rng)
        self.purses[0] += 1
        return move


class InPlace(CoinsState):
    def apply(self, move: Take) -> State[Take]:
        self.check(move)
        self.advance(move)
        return self


# ── views ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class OneEyed(Coins):
    def read_view(self, text: str) -> CoinsView:
        view = super().read_view(text)
        view.card = 1
        return view


class Mirrored(CoinsState):
    def view(self, seat: int) -> CoinsView:
        return super().view(self.players - 1 - seat)


class CardsOnTheBack(CoinsState):
    """Writes the sum of all cards where all can see it."""

    def view(self, seat: int) -> CoinsView:
        view = super().view(seat)
        view.public.heap = sum(self.cards)
        return view


class Peeking(CoinsView):
    def __init__(self, state: CoinsState, seat: int, card: int) -> None:
        super().__init__(state, seat, card)
        self.truth = state

    def sample(self, rng: Random) -> CoinsState:
        return self.truth.copy()


class UpTheSleeve(CoinsState):
    """The view writes nothing of the other cards, but its samples are the true state."""

    def view(self, seat: int) -> CoinsView:
        return Peeking(self, seat, self.cards[seat])


# ── the end ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Foregone(CoinsState):
    def outcome(self) -> Outcome | None:
        scores = tuple(self.score(seat) for seat in range(self.players))
        return Outcome(tuple(range(1, self.players + 1)), scores, Termination.COMPLETED)


class Undecided(CoinsState):
    def outcome(self) -> Outcome | None:
        return None


class NobodyWins(CoinsState):
    def outcome(self) -> Outcome | None:
        found = super().outcome()
        return found and Outcome(tuple(rank + 1 for rank in found.ranks), found.scores, found.termination)


class DoubleBooks(CoinsState):
    def outcome(self) -> Outcome | None:
        found = super().outcome()
        return found and Outcome(found.ranks, found.scores[::-1], found.termination)


class Boast(Score):
    @property
    def total(self) -> int:
        return 100


class LyingScore(CoinsState):
    def score(self, seat: int) -> Score:
        return Boast(super().score(seat).parts)


class SameLineTwice(CoinsState):
    def score(self, seat: int) -> Score:
        return Score((("coins", self.purses[seat]), ("coins", self.cards[seat])))


class NoWayOut(CoinsState):
    def retire(self, seat: int) -> CoinsState:
        return self.copy()


class DoorSlammed(CoinsState):
    def retire(self, seat: int) -> CoinsState:
        self.left = (*self.left, seat)
        return super().copy()


class LeaversWin(CoinsState):
    def outcome(self) -> Outcome | None:
        found = super().outcome()
        return found and Outcome((1,) * self.players, found.scores, found.termination)


class LoneGame(CoinsState):
    def pass_turn(self) -> None:
        following = [(self.to_move + step) % self.players for step in range(1, self.players + 1)]
        self.to_move = next(seat for seat in following if seat not in self.left) if self.heap else -1


class StillAsked(CoinsState):
    def pass_turn(self) -> None:
        over = not self.heap or len(self.left) == self.players - 1
        self.to_move = -1 if over else (self.to_move + 1) % self.players


class NeverAbandoned(CoinsState):
    def outcome(self) -> Outcome | None:
        found = super().outcome()
        return found and Outcome(found.ranks, found.scores, Termination.COMPLETED)


# ── notation ────────────────────────────────────────────────────────────────────────────────────────────────────────


class Trusting(Coins):
    def read_move(self, text: str) -> Take:
        return Take(int(text.removeprefix("take-")))


class Lenient(Coins):
    def read_move(self, text: str) -> Take:
        return super().read_move(text) if text.startswith("take-") else Take(9)


# ── the proof ───────────────────────────────────────────────────────────────────────────────────────────────────────

BROKEN: list[tuple[Law, type[Coins | CoinsState], str]] = [
    (laws.turns_are_counted_and_belong_to_a_seat, StandingClock, "the state says that it is turn 0"),
    (laws.legal_moves_last_until_the_end, NothingToDo, "there is no legal move, and the game is not over"),
    (laws.legal_moves_last_until_the_end, ListedTwice, "lists a move twice"),
    (laws.legal_moves_last_until_the_end, Unordered, "no fixed order"),
    (laws.legal_moves_last_until_the_end, NoEndOfMoves, "legal moves although the game is over"),
    (laws.legal_moves_last_until_the_end, AfterHours, "a move after the end is not refused"),
    (laws.legal_moves_are_accepted_and_can_be_written, NoTwo, "legal move take-2 is refused"),
    (laws.legal_moves_are_accepted_and_can_be_written, OneForAll, "is read as another move"),
    (laws.moves_are_told_to_every_seat, Whispering, "is not told its own move"),
    (laws.moves_are_told_to_every_seat, Silent, "KeyError"),
    (laws.replay_is_identical, OwnDice, "the same seed and moves lead to another state"),
    (laws.advancing_a_copy_equals_applying, SharedPurse, "changes the state it was made of"),
    (laws.advancing_a_copy_equals_applying, GenerousApply, "advance and apply lead to different states"),
    (laws.states_can_be_written_and_read, ForgetsLosses, "not read as it was written"),
    (laws.states_can_be_drawn, BlankPage, "the picture is empty"),
    (laws.states_can_be_drawn, TornPage, "broken in two"),
    (laws.earlier_states_never_change, WornByUse, "the state has changed since it was reached"),
    (laws.earlier_states_never_change, InPlace, "the state has changed since it was reached"),
    (laws.views_can_be_written_and_read, OneEyed, "is not read as it was written"),
    (laws.views_can_be_written_and_read, Mirrored, "is shown another seat"),
    (laws.views_do_not_leak, CardsOnTheBack, "can tell a sample from the true state"),
    (laws.views_do_not_leak, UpTheSleeve, "knows more than its notation says"),
    (laws.the_outcome_comes_at_the_end, Foregone, "there is an outcome before the end"),
    (laws.the_outcome_comes_at_the_end, Undecided, "there is no outcome"),
    (laws.the_outcome_comes_at_the_end, NobodyWins, "is no ranking of 2 seats"),
    (laws.the_outcome_comes_at_the_end, DoubleBooks, "other scores than the state"),
    (laws.score_sheets_add_up, LyingScore, "is 100, its lines say"),
    (laws.score_sheets_add_up, SameLineTwice, "two lines of one name"),
    (laws.seats_may_leave_at_any_time, NoWayOut, "have left"),
    (laws.seats_may_leave_at_any_time, DoorSlammed, "the state changes when seat 0 leaves it"),
    (laws.seats_may_leave_at_any_time, LeaversWin, "left in this order and ranked"),
    (laws.seats_may_leave_at_any_time, LoneGame, "only seat 1 is left, and the game is not over"),
    (laws.seats_may_leave_at_any_time, StillAsked, "has left and is to move"),
    (laws.seats_may_leave_at_any_time, NeverAbandoned, "and the game is completed"),
    (laws.bad_notation_is_refused, Trusting, "ended in ValueError"),
    (laws.bad_notation_is_refused, Lenient, "read as something that cannot be written"),
]
"""A law, a game or kind of state that breaks it, and what the kit has to say."""


def game_of(broken: type[Coins | CoinsState]) -> Coins:
    """The broken game, or the sound game with the broken kind of state."""
    if issubclass(broken, Coins):
        return broken()
    game = Coins()
    game.state_type = broken
    return game


def named(value: object) -> str | None:
    return value.__name__ if isinstance(value, type) else None


@pytest.mark.parametrize(("law", "broken", "sentence"), BROKEN, ids=named)
def test_a_broken_game_is_found_out_by_the_law_it_breaks(
    law: Law, broken: type[Coins | CoinsState], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The law says what is wrong, at which table and with which seed."""
    monkeypatch.setattr("arena_rules.testing.LAWS", (law,))
    with pytest.raises(AssertionError, match=f"coins, [23] players, edition first, seed [0-9]+.*{sentence}"):
        check_game(game_of(broken), games=10)


@pytest.mark.parametrize("broken", [broken for _, broken, _ in BROKEN], ids=named)
def test_a_broken_game_does_not_pass_the_kit(broken: type[Coins | CoinsState]) -> None:
    """With all laws in force, too, no broken game gets through."""
    with pytest.raises(AssertionError, match=r"coins, [23] players"):
        check_game(game_of(broken), games=10)


def test_every_law_can_be_broken() -> None:
    """There is a broken game for each law; illegal random moves never get as far as the laws."""
    assert {law for law, _, _ in BROKEN} | {laws.random_moves_are_legal} == set(LAWS)


class Endless(CoinsState):
    def advance(self, move: Take) -> None:
        self.turn += 1


def test_a_game_without_end_is_found_out() -> None:
    """Play that goes on beyond the bound is called endless instead of hanging the test."""
    with pytest.raises(AssertionError, match="random play has not ended in 50 turns"):
        check_game(game_of(Endless), most_turns=50)


class WildMoves(CoinsState):
    def random_move(self, rng: Random) -> Take:
        return Take(rng.randint(1, 4))


def test_a_random_move_that_is_illegal_is_found_out() -> None:
    """A game whose random moves break its own rules is told so."""
    with pytest.raises(AssertionError, match="a random game ended in IllegalMove: take-4"):
        check_game(game_of(WildMoves), games=10)
    play = random_game(Coins(), 2, seed=0)
    play.states = [WildMoves(12, (1, 2)) for _ in play.states]
    with pytest.raises(AssertionError, match="random move take-4 is not legal"):
        laws.random_moves_are_legal(play, Random(1))


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"name": "My Coins"}, "not one lower-case word"),
        ({"players": (3, 2)}, "not in order"),
        ({"default_edition": "third"}, "no edition 'third'"),
        ({"options": {"heap": Option("", {"12": ""}, "13")}}, "the default of option heap"),
        ({"editions": {"first": {"heap": "99"}}}, "edition first sets heap=99"),
        ({"check_players": lambda players: None}, "a deal for 0 is not refused"),
    ],
)
def test_facts_that_do_not_hang_together_are_found_out(facts: dict[str, object], sentence: str) -> None:
    """A game that says wrong things of itself does not even get to play."""
    game = Coins()
    vars(game).update(facts)
    with pytest.raises(AssertionError, match=sentence):
        check_game(game)
