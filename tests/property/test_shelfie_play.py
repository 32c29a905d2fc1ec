"""Whole games of My Shelfie, watched turn by turn beside the plain rules."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from arena_rules.game import State
from arena_rules.shelfie import SHELFIE, Move, ShelfieState
from arena_rules.shelfie.facts import COMMON_GOALS
from arena_rules.testing import Playthrough, random_game, tables
from tests.property import naive_shelfie as naive

TOKENS = {2: [8, 4], 3: [8, 6, 4], 4: [8, 6, 4, 2]}

WHOLE_GAME = settings(max_examples=50, deadline=None)


@st.composite
def games(draw: st.DrawFn) -> Playthrough[Move]:
    """Random games at every kind of table."""
    table = draw(st.sampled_from(list(tables(SHELFIE))))
    seed, luck = draw(st.integers(0, 2**64 - 1)), draw(st.integers(0, 2**32))
    return random_game(SHELFIE, table.players, seed, table.options, Random(luck), rules=table.rules)


class Seen(NamedTuple):
    """A state as its notation tells it."""

    board: list[str]
    shelves: list[naive.Shelf]
    tokens: list[list[int]]
    bag: str
    goals: list[int]
    to_move: int
    first_full: int
    options: dict[str, str]

    @staticmethod
    def of(state: State[Move]) -> Seen:
        words = str(state).split()
        field = dict(word.split("=", 1) for word in words if "=" in word)
        return Seen(
            board=field["board"].split("/"),
            shelves=[shelf.split("/") for shelf in field["shelves"].split(";")],
            tokens=[[int(points) for points in row.split(",")] for row in field["tokens"].split(";")],
            bag=field["bag"].replace("-", ""),
            goals=[int(goal) for goal in field["goals"].split(",")],
            to_move=int(field["to-move"].replace("-", "-1")),
            first_full=int(field["first-full"].replace("-", "-1")),
            options=dict(word.split(":") for word in words if ":" in word),
        )

    def tile(self, cell: naive.Cell) -> str:
        return self.board[cell[0]][cell[1]]

    def fulfils(self, seat: int, goal: int) -> bool:
        reading = self.options.get(COMMON_GOALS[goal]["name"], "")
        return naive.GOALS[goal, reading](self.shelves[seat])


class Taken(NamedTuple):
    """A move as its notation tells it."""

    cells: list[naive.Cell]
    column: int

    @staticmethod
    def of(move: Move) -> Taken:
        cells, column = str(move).split(">")
        names = [cells[i : i + 2] for i in range(0, len(cells), 2)]
        return Taken([(int(name[1]) - 1, "abcdefghi".index(name[0])) for name in names], int(column) - 1)


def without(board: list[str], cells: list[naive.Cell]) -> list[str]:
    return ["".join("." if (r, c) in cells else t for c, t in enumerate(row)) for r, row in enumerate(board)]


@given(games())
@WHOLE_GAME
def test_no_tile_is_ever_lost(play: Playthrough[Move]) -> None:
    """At every moment there are 22 tiles of each type on the board, on the shelves and in the bag."""
    for state in play.states:
        seen = Seen.of(state)
        letters = Counter("".join([*seen.board, *("".join(shelf) for shelf in seen.shelves), seen.bag]))
        assert {kind: letters[kind] for kind in naive.TYPES} == dict.fromkeys(naive.TYPES, 22)


@given(games())
@WHOLE_GAME
def test_what_is_counted_along_equals_a_fresh_count(play: Playthrough[Move]) -> None:
    """Every number that a state carries from move to move is the one that looking at the whole table gives."""
    for state in play.states:
        fresh = SHELFIE.read_state(str(state))
        for name in ShelfieState.__slots__:
            if name != "deal":
                assert getattr(state, name) == getattr(fresh, name), name


@given(games())
@WHOLE_GAME
def test_legal_moves_are_those_of_the_plain_rules(play: Playthrough[Move]) -> None:
    """Lines whose tiles all have a free side, in every order that differs, into every column with room; each once."""
    for state in play.states[:-1]:
        seen = Seen.of(state)
        room = [column.count(".") for column in naive.columns(seen.shelves[seen.to_move])]
        expected = {
            (frozenset(line), column, order)
            for line in naive.lines(seen.board, min(3, max(room)))
            for column in range(5)
            if room[column] >= len(line)
            for order in set(permutations(map(seen.tile, line)))
        }
        moves = [Taken.of(move) for move in state.legal_moves()]
        found = [(frozenset(move.cells), move.column, tuple(map(seen.tile, move.cells))) for move in moves]
        assert len(found) == len(set(found))
        assert set(found) == expected


@given(games())
@WHOLE_GAME
def test_every_turn_follows_the_plain_rules(play: Playthrough[Move]) -> None:
    """Tiles fall into the shelf, goals earn their tokens, the room is refilled in time, and the right seat goes on."""
    for turn, state, move in play.turns():
        before, after, taken = Seen.of(state), Seen.of(play.states[turn + 1]), Taken.of(move)
        check_shelves(before, after, taken)
        check_tokens(before, after)
        check_room(before, after, taken, play.table.players)
        check_order(before, after)


def check_shelves(before: Seen, after: Seen, taken: Taken) -> None:
    seat, column = before.to_move, taken.column
    stack = naive.columns(before.shelves[seat])[column].strip(".")
    column_after = ("".join(map(before.tile, reversed(taken.cells))) + stack).rjust(6, ".")
    expected = [row[:column] + column_after[r] + row[column + 1 :] for r, row in enumerate(before.shelves[seat])]
    assert after.shelves == [expected if s == seat else shelf for s, shelf in enumerate(before.shelves)]


def check_tokens(before: Seen, after: Seen) -> None:
    seat = before.to_move
    expected = [row.copy() for row in before.tokens]
    for index, goal in enumerate(before.goals):
        if not before.tokens[seat][index] and after.fulfils(seat, goal):
            taken = sum(row[index] > 0 for row in before.tokens)
            expected[seat][index] = TOKENS[len(before.tokens)][taken]
    assert after.tokens == expected


def check_room(before: Seen, after: Seen, taken: Taken, players: int) -> None:
    rest = without(before.board, taken.cells)
    left = sum(letter != "." for letter in "".join(rest))
    apart = before.options["refill_trigger"] == "no_adjacent_tiles"
    if naive.any_tiles_touch(rest) if apart else left > 4:
        assert (after.board, after.bag) == (rest, before.bag)
        return
    stay = before.options["leftovers"] == "stay_on_board"
    empty = [cell for cell in naive.spaces(players) if not stay or rest[cell[0]][cell[1]] == "."]
    drawn = min(len(empty), len(before.bag) + (0 if stay else left))
    assert [cell for cell in empty if after.tile(cell) != "."] == empty[:drawn]
    if stay:
        assert without(after.board, empty) == rest
        assert "".join(map(after.tile, empty[:drawn])) == before.bag[::-1][:drawn]


def check_order(before: Seen, after: Seen) -> None:
    seat, players = before.to_move, len(before.shelves)
    full = "." not in "".join(after.shelves[seat])
    assert after.first_full == (seat if full and before.first_full < 0 else before.first_full)
    over = after.first_full >= 0 and seat == players - 1
    assert after.to_move == (-1 if over else (seat + 1) % players)


@given(games())
@WHOLE_GAME
def test_points_are_those_of_the_plain_rules(play: Playthrough[Move]) -> None:
    """Groups and tokens are counted on the shelf and the cards that everybody sees."""
    for state in play.states:
        seen = Seen.of(state)
        for seat in range(state.players):
            parts = dict(state.score(seat).parts)
            assert parts["groups"] == naive.group_points(seen.shelves[seat])
            assert parts["common goals"] == sum(seen.tokens[seat])
            assert parts["first full shelf"] == (seen.first_full == seat)


@given(games(), st.integers(0, 2**32))
@WHOLE_GAME
def test_states_that_agree_in_a_view_give_equal_views(play: Playthrough[Move], luck: int) -> None:
    """What is hidden from a seat shows neither in its view nor in its view after a move, until tiles are drawn."""
    rng = Random(luck)
    for turn, state, move in play.some_turns(rng):
        after = play.states[turn + 1]
        for seat in range(state.players):
            other = state.view(seat).sample(rng)
            assert str(other.view(seat)) == str(state.view(seat))
            if Seen.of(after).bag == Seen.of(state).bag:
                assert str(other.apply(move).view(seat)) == str(after.view(seat))
                assert other.told(move, seat) == state.told(move, seat)


@given(games(), st.integers(0, 2**32))
@WHOLE_GAME
def test_a_view_is_all_that_samples_are_drawn_from(play: Playthrough[Move], luck: int) -> None:
    """Two states that agree in a view give the same samples to the same luck."""
    rng = Random(luck)
    for _, state, _ in play.some_turns(rng):
        for seat in range(state.players):
            view = state.view(seat)
            twin = view.sample(rng).view(seat)
            assert str(view.sample(Random(luck))) == str(twin.sample(Random(luck)))
