"""The laws that every game must keep. Each looks at one whole random game and demands things of it.

`arena_rules.testing` plays the games. To add a law, write a function that takes a playthrough and a source of chance,
and put it into `LAWS`; its name is how people will hear of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from arena_rules.errors import IllegalMove, NotationError
from arena_rules.game import State
from arena_rules.outcome import Outcome, Termination
from arena_rules.playthrough import MOST_TURNS, M, Playthrough, play_on

Law = Callable[[Playthrough[Any], Random], None]


def raises(kind: type[Exception], act: Callable[..., object], *arguments: object) -> bool:
    """Whether the call raises this kind of error. Any other kind gets through."""
    try:
        act(*arguments)
    except kind:
        return True
    return False


# ── moves ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def turns_are_counted_and_belong_to_a_seat(play: Playthrough[M], rng: Random) -> None:
    for turn, state, _ in play.turns():
        play.demand(state.turn == turn, turn, f"the state says that it is turn {state.turn}")
        play.demand(state.players == play.table.players, turn, f"{state.players} play instead of {play.table.players}")
        in_game = 0 <= state.to_move < state.players and state.to_move not in state.left
        play.demand(in_game, turn, f"seat {state.to_move} is to move, which is not in the game")


def legal_moves_last_until_the_end(play: Playthrough[M], rng: Random) -> None:
    for turn, state, _ in play.turns():
        moves = state.legal_moves()
        play.demand(bool(moves), turn, "there is no legal move, and the game is not over")
        play.demand(len(moves) == len({str(move) for move in moves}), turn, "legal_moves lists a move twice")
        play.demand(moves == state.legal_moves(), turn, "legal_moves has no fixed order")
    end = len(play.moves)
    play.demand(play.last.legal_moves() == [], end, "there are legal moves although the game is over")
    refused = raises(IllegalMove, play.last.apply, play.moves[-1])
    play.demand(refused, end, "a move after the end is not refused with IllegalMove")


def legal_moves_are_accepted_and_can_be_written(play: Playthrough[M], rng: Random) -> None:
    for turn, state, _ in play.some_turns(rng):
        moves = state.legal_moves()
        for move in moves:
            play.demand(not raises(IllegalMove, state.check, move), turn, f"legal move {move} is refused")
            play.demand(play.game.read_move(str(move)) == move, turn, f"{move} is read as another move")
        for move in rng.sample(moves, min(8, len(moves))):
            play.demand(state.apply(move).turn == turn + 1, turn, f"applying {move} does not count as a turn")


def random_moves_are_legal(play: Playthrough[M], rng: Random) -> None:
    for turn, state, _ in play.turns():
        move = state.random_move(rng)
        play.demand(not raises(IllegalMove, state.check, move), turn, f"random move {move} is not legal")


def moves_are_told_to_every_seat(play: Playthrough[M], rng: Random) -> None:
    for turn, state, move in play.turns():
        told = [state.told(move, seat) for seat in range(state.players)]
        play.demand(told[state.to_move] == move, turn, f"seat {state.to_move} is not told its own move")


# ── states ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def replay_is_identical(play: Playthrough[M], rng: Random) -> None:
    state = play.game.deal(play.table.players, play.seed, play.table.options)
    for turn, move in enumerate(play.moves):
        play.demand(str(state) == play.written[turn], turn, "the same seed and moves lead to another state")
        state = state.apply(play.game.read_move(str(move)))
    play.demand(str(state) == play.written[-1], len(play.moves), "the same seed and moves lead to another end")
    play.demand(state.outcome() == play.last.outcome(), len(play.moves), "the same game has another outcome")


def advancing_a_copy_equals_applying(play: Playthrough[M], rng: Random) -> None:
    for turn, state, move in play.turns():
        twin = state.copy()
        play.demand(twin == state, turn, "a copy differs from its state")
        twin.advance(move)
        play.demand(str(state) == play.written[turn], turn, "advancing a copy changes the state it was made of")
        play.demand(str(twin) == play.written[turn + 1], turn, "advance and apply lead to different states")


def states_can_be_written_and_read(play: Playthrough[M], rng: Random) -> None:
    for turn, state, move in play.some_turns(rng):
        again = play.game.read_state(str(state))
        play.demand(again == state, turn, "a state is not read as it was written")
        play.demand(again.legal_moves() == state.legal_moves(), turn, "a state read back has other legal moves")
        play.demand(again.apply(move) == state.apply(move), turn, "a state read back goes on in another way")
    end = play.game.read_state(play.written[-1])
    play.demand(end.outcome() == play.last.outcome(), len(play.moves), "an end read back has another outcome")


def states_can_be_drawn(play: Playthrough[M], rng: Random) -> None:
    for turn, state in enumerate(play.states):
        lines = ["".join(text for text, _ in line) for line in state.picture()]
        play.demand(any(lines), turn, "the picture is empty")
        play.demand(not any("\n" in line for line in lines), turn, "a line of the picture is broken in two")


def earlier_states_never_change(play: Playthrough[M], rng: Random) -> None:
    """Comes last, so that it covers all that the other laws asked of the states."""
    for turn, state in enumerate(play.states):
        play.demand(str(state) == play.written[turn], turn, "the state has changed since it was reached")


# ── views ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def views_can_be_written_and_read(play: Playthrough[M], rng: Random) -> None:
    for turn, state, _ in play.some_turns(rng):
        for seat in range(state.players):
            view = state.view(seat)
            again = play.game.read_view(str(view))
            play.demand(again == view, turn, f"the view of seat {seat} is not read as it was written")
            play.demand((view.seat, view.players) == (seat, state.players), turn, f"seat {seat} is shown another seat")
            play.demand((view.turn, view.to_move) == (turn, state.to_move), turn, f"seat {seat} sees another turn")
            moves = view.legal_moves()
            play.demand(again.legal_moves() == moves, turn, f"the view of seat {seat} has other moves when read back")
            same = seat != state.to_move or moves == state.legal_moves()
            play.demand(same, turn, f"the view of seat {seat} has other legal moves than the state")


def views_do_not_leak(play: Playthrough[M], rng: Random) -> None:
    """What a view shows survives a new draw of what is hidden, and a view holds nothing but what it shows."""
    for turn, state, _ in play.some_turns(rng):
        for seat in range(state.players):
            view, luck = state.view(seat), rng.randrange(1 << 32)
            drawn = view.sample(Random(luck))
            play.demand(drawn.view(seat) == view, turn, f"seat {seat} can tell a sample from the true state")
            from_text = play.game.read_view(str(view)).sample(Random(luck))
            play.demand(drawn == from_text, turn, f"the view of seat {seat} knows more than its notation says")
            same = seat != state.to_move or drawn.legal_moves() == state.legal_moves()
            play.demand(same, turn, f"a sample for seat {seat} has other moves")
            play_on(drawn, rng)


# ── the end ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def the_outcome_comes_at_the_end(play: Playthrough[M], rng: Random) -> None:
    for turn, state, _ in play.turns():
        play.demand(state.outcome() is None, turn, "there is an outcome before the end")
    end, outcome = len(play.moves), _outcome(play, len(play.moves), play.last)
    play.demand(outcome.termination is Termination.COMPLETED, end, "a game that all played to its end is not completed")
    sheets = tuple(play.last.score(seat) for seat in range(play.table.players))
    play.demand(outcome.scores == sheets, end, "the outcome has other scores than the state")


def score_sheets_add_up(play: Playthrough[M], rng: Random) -> None:
    for turn, state in enumerate(play.states):
        for seat in range(state.players):
            score = state.score(seat)
            names = [name for name, _ in score.parts]
            play.demand(len(set(names)) == len(names), turn, f"the score of seat {seat} has two lines of one name")
            added = sum(points for _, points in score.parts)
            play.demand(score.total == added, turn, f"the score of seat {seat} is {score.total}, its lines say {added}")


def seats_may_leave_at_any_time(play: Playthrough[M], rng: Random) -> None:
    for turn, state, _ in play.some_turns(rng):
        for seat in range(state.players):
            after = state.retire(seat)
            play.demand(str(state) == play.written[turn], turn, f"the state changes when seat {seat} leaves it")
            play.demand(after.left == (*state.left, seat), turn, f"seat {seat} leaves, and {after.left} have left")
            play.demand(play.game.read_state(str(after)) == after, turn, "a state without a seat cannot be read back")
            play.demand(turn > 0 or after.to_move >= 0 or state.players == 2, turn, "the others cannot play on")
            _leave_one_by_one(play, turn, after, rng)


def _leave_one_by_one(play: Playthrough[M], turn: int, state: State[M], rng: Random) -> None:
    """Play on with a seat leaving now and then, and see who ends up where."""
    for _ in range(MOST_TURNS):
        if state.to_move < 0:
            break
        staying = [seat for seat in range(state.players) if seat not in state.left]
        play.demand(len(staying) > 1, turn, f"only seat {staying[0]} is left, and the game is not over")
        play.demand(state.to_move in staying, turn, f"seat {state.to_move} has left and is to move")
        state = state.retire(rng.choice(staying)) if rng.random() < 0.1 else state.apply(state.random_move(rng))
    _demand_leavers_below(play, turn, state, _outcome(play, turn, state))


def _demand_leavers_below(play: Playthrough[M], turn: int, state: State[M], outcome: Outcome) -> None:
    below = tuple(range(state.players, state.players - len(state.left), -1))
    ranks = tuple(outcome.ranks[seat] for seat in state.left)
    play.demand(ranks == below, turn, f"seats {state.left} left in this order and ranked {ranks}")
    abandoned = outcome.termination is Termination.ABANDONED
    one_left = len(state.left) == state.players - 1
    play.demand(abandoned == one_left, turn, f"seats {state.left} left, and the game is {outcome.termination.value}")


def _outcome(play: Playthrough[M], turn: int, state: State[M]) -> Outcome:
    """The outcome of a game that is over: there must be one, and each rank one more than the number of better seats."""
    outcome = state.outcome()
    if outcome is None:
        raise AssertionError(f"{play.where}, turn {turn}: the game is over, and there is no outcome")
    ranks = outcome.ranks
    counted = len(ranks) == state.players and all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
    play.demand(counted, turn, f"{ranks} is no ranking of {state.players} seats")
    return outcome


# ── notation ────────────────────────────────────────────────────────────────────────────────────────────────────────


def bad_notation_is_refused(play: Playthrough[M], rng: Random) -> None:
    """A damaged text is refused with NotationError, or else read as something that can be written and read in turn."""
    turn, state, move = rng.choice(play.turns())
    readers: list[tuple[Callable[[str], object], str]] = [
        (play.game.read_move, str(move)),
        (play.game.read_state, str(state)),
        (play.game.read_view, str(state.view(state.to_move))),
    ]
    for read, text in readers:
        for damaged in _damaged(text, rng):
            if not raises(NotationError, read, damaged):
                found = read(damaged)
                sound = not raises(NotationError, read, str(found)) and read(str(found)) == found
                play.demand(sound, turn, f"'{damaged}' is read as something that cannot be written")


def _damaged(text: str, rng: Random) -> Iterator[str]:
    yield from ("", " ", "\0", "=", "-1", "1" * 5_000, text + text, text[: len(text) // 2])
    for _ in range(24):
        start, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        odd = rng.choice(("", "-", "x", "²", "٣", "99", " ", "=", ",", ";", text[start:end]))
        yield text[:start] + odd + text[start + 1 :]
        yield text[:start] + odd + text[end:]
    for number in list(re.finditer(r"\d+", text))[:12]:
        for odd in ("9" * 5_000, "-1", ""):
            yield text[: number.start()] + odd + text[number.end() :]


LAWS: tuple[Law, ...] = (
    turns_are_counted_and_belong_to_a_seat,
    legal_moves_last_until_the_end,
    legal_moves_are_accepted_and_can_be_written,
    random_moves_are_legal,
    moves_are_told_to_every_seat,
    replay_is_identical,
    advancing_a_copy_equals_applying,
    states_can_be_written_and_read,
    states_can_be_drawn,
    views_can_be_written_and_read,
    views_do_not_leak,
    the_outcome_comes_at_the_end,
    score_sheets_add_up,
    seats_may_leave_at_any_time,
    bad_notation_is_refused,
    earlier_states_never_change,
)
