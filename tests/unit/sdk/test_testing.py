"""Playing a bot without a server."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from arena_rules import BadOptions, UnknownGame, game
from arena_sdk import Turn
from arena_sdk.testing import BadMove, Playthrough, play
from tests.unit.sdk.authors import AskedBot, FirstBot, RandomBot


def replayed(played: Playthrough, players: int, seed: int, options: Any) -> Any:
    """The outcome that the rules give to these moves."""
    shelfie = game("shelfie")
    state = shelfie.deal(players, seed, options)
    for move in played.moves:
        state = state.apply(shelfie.read_move(move))
    return state.outcome()


@pytest.mark.parametrize("edition", game("shelfie").editions)
@pytest.mark.parametrize("players", game("shelfie").players)
def test_a_whole_game(players: int, edition: str) -> None:
    """The moves of a playthrough lead, by the rules of the edition, to its outcome."""
    played = play([RandomBot() for _ in range(players)], "shelfie", seed=9, edition=edition)
    assert played.outcome == replayed(played, players, 9, game("shelfie").rules(edition))
    assert len(played.outcome.ranks) == players


def test_rule_options() -> None:
    """A single rule can be changed."""
    played = play([RandomBot(), RandomBot()], "shelfie", seed=9, options={"common_goals": "1"})
    assert played.outcome == replayed(played, 2, 9, game("shelfie").rules(None, {"common_goals": "1"}))


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("e5>1", "turn 0, seat 0: e5>1: the tile on e5 has no free side"),
        ("a1>1", "turn 0, seat 0: 'a1>1' is not a move"),
        ("", "turn 0, seat 0: '' is not a move"),
    ],
)
def test_a_bad_move_is_an_assertion(answer: str, sentence: str) -> None:
    """A move that cannot be read, or that the rules forbid, fails the author's test and says where and why."""
    with pytest.raises(BadMove) as caught:
        play([AskedBot(lambda turn: answer), FirstBot()], "shelfie")
    assert str(caught.value).startswith(sentence)
    assert isinstance(caught.value, AssertionError)


def test_a_bad_move_of_another_seat() -> None:
    """The sentence names the seat and the turn of the bot at fault."""

    def late(turn: Turn) -> Any:
        return turn.legal[0] if turn.number < 7 else "nonsense"

    with pytest.raises(BadMove, match="turn 7, seat 1: 'nonsense'"):
        play([FirstBot(), AskedBot(late), FirstBot()], "shelfie")


def test_what_a_bot_raises_comes_through() -> None:
    """An author sees the failure of the own bot as it is."""
    with pytest.raises(ZeroDivisionError):
        play([FirstBot(), AskedBot(lambda turn: 1 // 0)], "shelfie")


def test_a_bot_may_look_ahead() -> None:
    """A bot may search from its view without changing the game."""

    def search(turn: Turn) -> Any:
        guess = turn.view.sample(Random(1))
        for move in turn.legal[:3]:
            guess.apply(move)
        guess.advance(guess.random_move(Random(2)))
        return turn.rng.choice(turn.legal)

    assert play([AskedBot(search)] * 2, "shelfie", seed=4) == play([RandomBot()] * 2, "shelfie", seed=4)


@pytest.mark.parametrize(
    ("players", "name", "edition", "error"),
    [(2, "chess", None, UnknownGame), (2, "shelfie", "fr", BadOptions), (5, "shelfie", None, BadOptions)],
)
def test_what_cannot_be_played(players: int, name: str, edition: str | None, error: type[Exception]) -> None:
    """An unknown game or edition and a wrong number of bots are refused as the rules refuse them."""
    with pytest.raises(error):
        play([FirstBot()] * players, name, edition=edition)
