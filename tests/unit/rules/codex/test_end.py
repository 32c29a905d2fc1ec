"""How a game comes to its end, and who has won."""

from __future__ import annotations

from random import Random

import pytest

from arena_rules import Outcome, Termination
from arena_rules.codex import CODEX, CodexState
from arena_rules.testing import play_on, random_game
from tests.unit.rules.codex.laid import LAST_CARD, NEARLY_STUCK, STUCK, fields, legal, played, points, table

POINT = {0: "R08,R38,R39", 1: "R09,R18,R19", 2: "R10,R20,R28"}
"""Each seat has a card that brings a point."""


def phases(state: CodexState, *, by: str = "") -> list[str]:
    """Play on, always the last of the legal moves, and say for each turn who moved and in which phase."""
    found = []
    while state.to_move >= 0:
        found.append(f"{state.to_move} {fields(state)['phase']}")
        moves = [move for move in legal(state) if move.endswith(by)]
        state = played(state, (moves or legal(state))[-1])
    return found


def result(state: CodexState) -> Outcome:
    outcome = state.outcome()
    assert outcome is not None
    return outcome


# ── what brings on the end ──────────────────────────────────────────────────────────────────────────────────────────


def test_twenty_points_end_the_round_and_one_more_is_played() -> None:
    """When the first of three seats reaches twenty, the others finish the round, and all have one more turn."""
    state = played(table(players=3, hands=POINT, points={0: 19}), "R08@1,1<R")
    assert points(state)[0] == 20
    assert phases(state) == ["1 ending", "2 ending", "0 last", "1 last", "2 last"]


def test_twenty_points_of_the_last_seat() -> None:
    """When the last seat of the round reaches twenty, the round is already over."""
    state = played(table(players=3, hands=POINT, points={2: 19}, to_move=2), "R10@1,1<R")
    assert phases(state) == ["0 last", "1 last", "2 last"]


def test_nineteen_points_end_nothing() -> None:
    """The game goes on, whatever objectives add."""
    state = played(table(hands=POINT, points={0: 18}, areas={0: "S2@0,0/R02b@1,1/R03b@-1,-1"}), "R08@-1,1<R")
    assert state.score(0).total >= 20
    assert fields(state)["phase"] == "play"


def test_the_end_comes_once() -> None:
    """A second seat that reaches twenty does not put it off."""
    state = table(players=3, hands=POINT, points={0: 19, 1: 19, 2: 19})
    after = played(state, "R08@1,1<R", "R09@1,1<R", "R10@1,1<R")
    assert points(after) == [20, 20, 20]
    assert phases(after) == ["0 last", "1 last", "2 last"]


def test_both_decks_empty_end_the_game() -> None:
    """The last card of the decks ends it, though cards still lie face up."""
    state = played(table(hands=POINT, resources=1, golds=0), "R08@1,1<R")
    assert "-" not in fields(state)["shown"]
    assert phases(state) == ["1 ending", "0 last", "1 last"]


def test_a_refill_can_empty_the_decks() -> None:
    """The card that replaces a drawn one is the last of the decks just as well."""
    state = played(table(hands=POINT, resources=1, golds=0), "R08@1,1<R1")
    assert fields(state)["phase"] == "ending"


def test_one_empty_deck_ends_nothing() -> None:
    """As long as the other deck has cards, play goes on."""
    state = played(table(hands=POINT, resources=1, golds=2), "R08@1,1<R")
    assert (fields(state)["resources"], fields(state)["phase"]) == ("-", "play")


def test_one_empty_deck_is_enough_with_the_option() -> None:
    """With `either_deck_empty` the first deck that runs out brings on the end."""
    state = table(hands=POINT, resources=1, golds=2, options={"deck_end": "either_deck_empty"})
    assert fields(played(state, "R08@1,1<R"))["phase"] == "ending"
    assert fields(played(state, "R08@1,1<G"))["phase"] == "play"


def test_no_card_at_all_must_be_left_with_the_other_option() -> None:
    """With `no_card_left` empty decks are not enough, and the last card face up brings on the end."""
    options = {"deck_end": "no_card_left"}
    assert fields(played(table(hands=POINT, resources=1, golds=0, options=options), "R08@1,1<R"))["phase"] == "play"
    last = table(hands=POINT, resources=0, golds=0, shown="R01,-,-,-", options=options)
    assert fields(played(last, "R08@1,1<R1"))["phase"] == "ending"


def test_an_empty_place_is_filled_from_the_other_deck_with_the_option() -> None:
    """With `other_deck` a gold card replaces a resource card when there are no more of these."""
    hands, shown = POINT, "R01,R11,G01,G11"
    stays = played(table(hands=hands, shown=shown, resources=0, tops="G40"), "R08@1,1<R1")
    assert fields(stays)["shown"] == "-,R11,G01,G11"
    options = {"face_up_refill": "other_deck"}
    filled = played(table(hands=hands, shown=shown, resources=0, tops="G40", options=options), "R08@1,1<R1")
    assert fields(filled)["shown"] == "G40,R11,G01,G11"
    drawn = played(filled, legal(filled)[0].split("<")[0] + "<R1")
    assert "G40*" in fields(drawn)["hands"].split(";")[1]


def test_the_last_round_may_go_without_drawing() -> None:
    """By default cards are drawn to the end; with the option `none` the moves of the last round have no source."""
    for value, draws in (("as_usual", True), ("none", False)):
        state = table(hands=POINT, points={0: 19}, options={"last_round_draw": value})
        ending = played(state, "R08@1,1<R")
        assert all("<" in move for move in legal(ending))
        last = played(ending, legal(ending)[0])
        assert fields(last)["phase"] == "last"
        assert all(("<" in move) is draws for move in legal(last))


def test_every_seat_has_as_many_turns() -> None:
    """Whenever the end comes, all have placed the same number of cards, unless a seat was stuck."""
    for seed in range(30):
        play = random_game(CODEX, 2 + seed % 3, seed)
        sizes = {area.count("/") for area in fields(play.last)["areas"].split(";")}
        assert len(sizes) == 1


# ── stuck seats ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_others_play_on_without_a_stuck_seat() -> None:
    """It passes until the end comes in the usual way, and its objectives count."""
    state = table(areas={0: STUCK}, hands=POINT, resources=3, golds=0, objectives="O11,O16,O13,O14,O15,O12")
    assert phases(state, by="<R") == ["0 play", "1 play", "0 play", "1 play", "0 play", "1 play", "0 last", "1 last"]
    end = play_on(state, Random(1))
    assert isinstance(end, CodexState)
    assert dict(end.score(0).parts)["common objective 2"] == 2


def test_the_game_is_over_when_nobody_can_place_a_card() -> None:
    """Nothing could change any more, so nobody is asked to pass. (It takes a seat without cards to come to this.)"""
    state = table(areas={0: NEARLY_STUCK}, hands={0: "G27,R02,R05", 1: "-,-,-"})
    after = played(state, f"{LAST_CARD}<R")
    assert after.to_move == -1
    assert result(after).termination is Termination.COMPLETED


def test_a_pass_ends_the_game_when_the_others_are_stuck_too() -> None:
    """The same, seen from a seat that had to pass."""
    state = table(areas={0: STUCK}, hands={0: "R02,R05,G07", 1: "-,-,-"})
    assert played(state, "pass").to_move == -1


def test_a_seat_that_leaves_may_leave_nobody_to_place_a_card() -> None:
    """When the only seat that could go on leaves, the others have nothing to do."""
    hands = {0: "R02,R05,G07", 1: "-,-,-", 2: "R03,R04,G08"}
    after = table(players=3, areas={0: STUCK}, hands=hands).retire(2)
    assert (after.to_move, after.left) == (-1, (2,))
    assert result(after).ranks[2] == 3


# ── seats that leave ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_seat_that_left_is_passed_over() -> None:
    """The round goes on with the next seat, and ends with the last one that is still there."""
    state = table(players=3, hands=POINT, points={0: 19}).retire(2)
    assert phases(played(state, "R08@1,1<R")) == ["1 ending", "0 last", "1 last"]
    gone = table(players=3, hands=POINT, points={1: 19}, to_move=1).retire(0)
    assert phases(played(gone, "R09@1,1<R")) == ["2 ending", "1 last", "2 last"]


def test_a_seat_may_leave_before_it_has_chosen_anything() -> None:
    """The others choose and are dealt the cards that they would have had anyway."""
    dealt = CODEX.deal(3, seed=4)
    all_there = played(dealt, "S:front", "S:front", "S:front", "O:1", "O:1", "O:1")
    without = played(dealt.retire(1), "S:front", "S:front", "O:1", "O:1")
    assert (fields(without)["phase"], without.to_move) == ("play", 0)
    for name in ("hands", "shown", "resources", "golds", "objectives"):
        assert fields(without)[name] == fields(all_there)[name]
    assert fields(without)["areas"].split(";")[1] == "-"
    assert without.score(1).total == 0
    assert result(played_out(without)).ranks[1] == 3


def played_out(state: CodexState) -> CodexState:
    end = play_on(state, Random(3))
    assert isinstance(end, CodexState)
    return end


def test_the_last_seat_to_leave_has_not_won() -> None:
    """Of two seats the one that stays has won, whatever the points."""
    outcome = result(table(points={0: 5, 1: 0}).retire(0))
    assert (outcome.ranks, outcome.termination) == ((2, 1), Termination.ABANDONED)


# ── who has won ─────────────────────────────────────────────────────────────────────────────────────────────────────

FUNGI = "S2@0,0/R02b@1,1/R03b@-1,-1"
"""Four fungi: two points for one set of three. One plant is missing for another objective."""


def ended(*, tie_break: str = "objective_points", areas: dict[int, str], points: dict[int, int]) -> Outcome:
    """A game of three that has just ended; fungi and quills are common objectives."""
    objectives = "O09,O16,O03,O02,O01,O04,O05,O06"
    options = {"tie_break": tie_break}
    state = table(
        players=3, areas=areas, points=points, objectives=objectives, to_move=None, phase="last", options=options
    )
    return result(state)


def test_most_points_win() -> None:
    """Cards and objectives count alike."""
    outcome = ended(areas={0: FUNGI}, points={0: 7, 1: 8, 2: 10})
    assert [score.total for score in outcome.scores] == [9, 8, 10]
    assert outcome.ranks == (2, 3, 1)


def test_of_equal_points_those_from_objectives_decide() -> None:
    """Nine points with two from an objective are ahead of nine from cards."""
    assert ended(areas={0: FUNGI}, points={0: 7, 1: 9, 2: 9}).ranks == (1, 2, 2)


def test_if_these_are_equal_too_the_victory_is_shared() -> None:
    """Both have won, and the third seat is third."""
    outcome = ended(areas={}, points={0: 9, 1: 9, 2: 3})
    assert outcome.ranks == (1, 1, 3)
    assert outcome.winners == (0, 1)


@pytest.mark.parametrize(("tie_break", "ranks"), [("objective_points", (1, 1, 3)), ("objectives_fulfilled", (2, 1, 3))])
def test_objectives_may_be_counted_instead_of_their_points(tie_break: str, ranks: tuple[int, ...]) -> None:
    """Four points from one objective tie with twice two, unless the number of objectives decides."""
    once = "S2@0,0/R02b@1,1/R03b@2,2/R04b@3,3/R06b@4,4"
    twice = "S6@0,0/R07@1,1/R05@-1,1/R27@2,2"
    outcome = ended(tie_break=tie_break, areas={0: once, 1: twice}, points={0: 5, 1: 5, 2: 0})
    assert [[points for _, points in score.parts[1:]] for score in outcome.scores[:2]] == [[4, 0, 0], [2, 2, 0]]
    assert outcome.ranks == ranks
