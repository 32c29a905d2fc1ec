"""Whole games of Codex Naturalis, watched turn by turn beside the plain rules."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena_rules.codex import CODEX, CodexState, Move
from arena_rules.codex.cards import BACK
from arena_rules.codex.deal import Deal
from arena_rules.codex.facts import GOLD_CARDS, RESOURCE_CARDS
from arena_rules.game import State
from arena_rules.testing import Playthrough, Table, random_game, tables
from tests.property import naive_codex as naive

WHOLE_GAME = settings(max_examples=30, deadline=None)


@st.composite
def games(draw: st.DrawFn) -> Playthrough[Move]:
    """Random games at every kind of table."""
    table = draw(st.sampled_from(list(tables(CODEX))))
    seed, luck = draw(st.integers(0, 2**64 - 1)), draw(st.integers(0, 2**32))
    return random_game(CODEX, table.players, seed, table.options, Random(luck), rules=table.rules)


@st.composite
def mixed_options(draw: st.DrawFn) -> Playthrough[Move]:
    """Random games with any mixture of options."""
    chosen = {name: draw(st.sampled_from(sorted(option.choices))) for name, option in CODEX.options.items()}
    table = Table(draw(st.sampled_from(CODEX.players)), "mixed", CODEX.rules(overrides=chosen))
    seed, luck = draw(st.integers(0, 2**64 - 1)), draw(st.integers(0, 2**32))
    return random_game(CODEX, table.players, seed, table.options, Random(luck), rules=table.rules)


def as_codex(state: State[Move]) -> CodexState:
    assert isinstance(state, CodexState)
    return state


@given(games())
@WHOLE_GAME
def test_no_card_is_ever_lost(play: Playthrough[Move]) -> None:
    """At every moment each card is in just one place: an area, a hand, face up or in a deck."""
    every = sorted([*RESOURCE_CARDS, *GOLD_CARDS])
    for text in play.written:
        assert sorted(naive.Table(text).cards()) == every


@given(games())
@WHOLE_GAME
def test_what_is_counted_along_equals_a_fresh_count(play: Playthrough[Move]) -> None:
    """Spots, shut cells and visible symbols are carried from move to move as placing the cards anew gives them."""
    for state in play.states:
        fresh = CODEX.read_state(str(state))
        for kept, found in zip(as_codex(state).areas, fresh.areas, strict=True):
            assert (kept.taken, kept.spots, kept.symbols) == (found.taken, found.spots, found.symbols)
        for name in ("hands", "shown", "stock", "kept", "phase", "turn", "to_move", "left", "players"):
            assert getattr(state, name) == getattr(fresh, name), name


@given(games())
@WHOLE_GAME
def test_symbols_and_scores_are_those_of_the_plain_rules(play: Playthrough[Move]) -> None:
    """What is visible, what the cards brought and what the objectives are worth, counted from nothing."""
    for state in [*play.states[::7], play.last]:
        table = naive.Table(str(state))
        for seat, area in enumerate(as_codex(state).areas):
            visible = {letter: area.symbols >> 8 * place & 127 for place, letter in enumerate("FPAIQKM")}
            assert visible == naive.symbols(table.areas[seat])
            assert [points for _, points in state.score(seat).parts] == table.score(seat)
    end = naive.Table(play.written[-1])
    for seat in range(end.players):
        added = capped = 0
        for number, card in enumerate(end.areas[seat][1:], 1):
            points = naive.points_for(end.areas[seat][:number], card, end.options)
            added, capped = added + points, min(29, capped + points)
        assert end.points[seat] == (capped if end.options["score_track"] == "cap_29" else added)


@given(games())
@settings(max_examples=15, deadline=None)
def test_legal_moves_are_those_of_the_plain_rules(play: Playthrough[Move]) -> None:
    """Every face that can be paid for, on every place that is open, with every source; each once, and no other."""
    for state in play.states[:-1]:
        moves = [str(move) for move in state.legal_moves()]
        assert len(moves) == len(set(moves))
        assert set(moves) == naive.Table(str(state)).legal_moves()


@given(mixed_options())
@settings(max_examples=40, deadline=None)
def test_every_turn_follows_the_plain_rules(play: Playthrough[Move]) -> None:
    """Cards are placed and drawn, points scored, rounds counted and the game ended as the plain rules have it."""
    table = naive.Table(play.written[0])
    for turn, move in enumerate(play.moves):
        table.make(str(move))
        assert vars(table) == vars(naive.Table(play.written[turn + 1]))


@given(mixed_options())
@WHOLE_GAME
def test_the_winner_is_that_of_the_plain_rules(play: Playthrough[Move]) -> None:
    """Most points, then most from objectives (or most objectives), then nothing: the victory is shared."""
    end = naive.Table(play.written[-1])
    sheets = [end.score(seat) for seat in range(end.players)]
    by_points = end.options["tie_break"] == "objective_points"
    merits = [(sum(s), sum(s[1:]) if by_points else sum(points > 0 for points in s[1:])) for s in sheets]
    outcome = play.last.outcome()
    assert outcome is not None
    assert list(outcome.ranks) == [1 + sum(other > own for other in merits) for own in merits]


@given(games(), st.integers(0, 2**32))
@WHOLE_GAME
def test_states_that_agree_in_a_view_cannot_be_told_apart(play: Playthrough[Move], luck: int) -> None:
    """What is hidden shows neither in a view, nor in what a seat is told of a move, nor in samples."""
    rng = Random(luck)
    for _, state, move in play.some_turns(rng):
        for seat in range(state.players):
            view = state.view(seat)
            other = view.sample(rng)
            assert str(other.view(seat)) == str(view)
            assert str(view.sample(Random(luck))) == str(other.view(seat).sample(Random(luck)))
            if move in other.legal_moves():
                assert other.told(move, seat) == state.told(move, seat)


def disguised(state: CodexState, seat: int) -> CodexState:
    """The state with every hidden card in another's hand exchanged for one deep in a deck, where backs allow it."""
    twin, deal = state.copy(), state.deal
    decks = [bytearray(deck) for deck in deal.decks]
    for place, card in enumerate(state.hands):
        if place // 3 == seat or card < 0 or state.seen >> card & 1:
            continue
        deck = decks[card >= 40]
        deep = range(state.stock[card >= 40] - 2)
        for index in (index for index in deep if BACK[deck[index]] == BACK[card]):
            twin.hands[place], deck[index] = deck[index], twin.hands[place]
            break
    twin.deal = Deal(deal.rules, (bytes(decks[0]), bytes(decks[1])), deal.starters, deal.objectives)
    return twin


@given(games())
@WHOLE_GAME
def test_hidden_cards_of_others_do_not_show_after_a_move(play: Playthrough[Move]) -> None:
    """A seat that moves sees the same afterwards, whatever the others hold."""
    differed = 0
    for turn, state, move in play.turns():
        seat = state.to_move
        twin = disguised(as_codex(state), seat)
        differed += str(twin) != str(state)
        assert str(twin.view(seat)) == str(state.view(seat))
        twin.advance(move)
        assert str(twin.view(seat)) == str(play.states[turn + 1].view(seat))
    assert differed > 10
