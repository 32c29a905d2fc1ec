"""The TrueSkill fold."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from arena.rating import Fold, Parameters, Skill
from tests.unit.rating.results import result


def folded(*games: tuple[str, tuple[int, ...]], skills: dict[str, Skill] | None = None) -> dict[str, Skill]:
    fold = Fold(Parameters(), skills or {})
    fold.extend(result(bots, ranks) for bots, ranks in games)
    return dict(fold.skills)


def season(games: int, seed: int) -> list[tuple[str, tuple[int, ...]]]:
    rng = random.Random(seed)
    ranks = [(1, 2, 3, 4), (1, 1, 3, 4), (1, 2, 2, 2), (2, 1, 2, 4), (4, 3, 2, 1)]
    return [("".join(rng.sample("abcdef", 4)), rng.choice(ranks)) for _ in range(games)]


def test_the_winner_rises() -> None:
    """The winner gains, the loser falls by as much, and both are known better than before."""
    skills = folded(("ab", (1, 2)))
    assert skills["a"].mu > 25 > skills["b"].mu
    assert skills["a"].mu + skills["b"].mu == pytest.approx(50)
    assert skills["a"].sigma == pytest.approx(skills["b"].sigma)
    assert skills["a"].sigma < 25 / 3


def test_a_known_update() -> None:
    """Two newcomers, one win, no ties to speak of: the textbook gives 29.396 and 20.604 with sigma 7.171."""
    fold = Fold(Parameters(tau=25 / 300, draw_probability=0.10))
    fold.add(result("ab", (1, 2)))
    assert fold.skills["a"].mu == pytest.approx(29.3958, abs=1e-3)
    assert fold.skills["b"].mu == pytest.approx(20.6042, abs=1e-3)
    assert fold.skills["a"].sigma == pytest.approx(7.1714, abs=1e-3)


def test_the_same_games_give_the_same_bits() -> None:
    """Two folds over the same results agree exactly, and so do two halves of which the second takes up the first."""
    games = season(60, seed=1)
    whole = folded(*games)
    assert folded(*games) == whole
    assert folded(*games[30:], skills=folded(*games[:30])) == whole


@pytest.mark.parametrize("ranks", [(1, 2, 2, 2), (1, 1, 1, 1), (1, 2, 2, 4), (1, 1, 1, 4)])
def test_tied_newcomers_move_alike(ranks: tuple[int, ...]) -> None:
    """Bots of equal skill that tie are equal afterwards, whichever seat they had."""
    skills = folded(("abcd", ranks))
    for one, other in permutations(range(4), 2):
        if ranks[one] == ranks[other]:
            assert skills["abcd"[one]].mu == pytest.approx(skills["abcd"[other]].mu, abs=1e-9)
            assert skills["abcd"[one]].sigma == pytest.approx(skills["abcd"[other]].sigma, abs=1e-9)


def test_seats_do_not_matter() -> None:
    """The same ranks from other seats give the same skills to the last bit."""
    assert folded(("abcd", (1, 2, 2, 4))) == folded(("dcba", (4, 2, 2, 1))) == folded(("cadb", (2, 1, 4, 2)))


def test_a_tie_makes_surer() -> None:
    """A tie brings two bots nearer to each other and makes both better known."""
    before = {"a": Skill(30, 4), "b": Skill(20, 4)}
    after = folded(("ab", (1, 1)), skills=before)
    assert 20 < after["b"].mu < after["a"].mu < 30
    assert max(after["a"].sigma, after["b"].sigma) < 4


@pytest.mark.parametrize("ranks", [(1, 2), (1, 1)])
def test_the_next_to_impossible_is_rated(ranks: tuple[int, int]) -> None:
    """A sensation beyond the reach of floating point moves both bots, and no further than where they meet."""
    after = folded(("ab", ranks), skills={"a": Skill(0, 0.5), "b": Skill(400, 0.5)})
    assert 0 < after["a"].mu < after["b"].mu < 400
    assert 0 < after["a"].sigma < 0.5


def test_playing_oneself_counts_for_nothing() -> None:
    """A game in which one version holds all seats leaves no trace."""
    assert folded(("aaa", (1, 2, 3))) == {}


def test_copies_are_one_bot() -> None:
    """A bot with two seats is seen once: best and worst cancel out, and it is known no better than its rival."""
    skills = folded(("aab", (1, 3, 2)))
    assert skills["a"].mu == pytest.approx(25, abs=0.01)
    assert skills["b"].mu == pytest.approx(25, abs=0.01)
    assert skills["a"].sigma > skills["b"].sigma


def test_score_is_cautious() -> None:
    """The leaderboard orders by what a bot almost certainly has: a newcomer starts from nothing."""
    assert Skill(30, 2).score == 24
    assert Parameters().newcomer.score == pytest.approx(0)


def test_parameters_of_a_game() -> None:
    """Skills stand still in a tournament and drift in a ladder; a game nobody has measured can still tie."""
    assert Parameters.of("shelfie").tau == 0
    assert Parameters.of("shelfie", ladder=True).tau > 0
    assert 0 < Parameters.of("chess").draw_probability < 0.2


def test_ties_cannot_be_ruled_out() -> None:
    """With a draw probability of 0 a tie would make TrueSkill less sure of everything, so it is refused."""
    with pytest.raises(ValueError, match="draw_probability=0"):
        Parameters(draw_probability=0)
