"""The vocabulary that all games share: chance, ranks, registry and options."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from arena_rules import BadOptions, Outcome, RulesError, Score, Termination, UnknownGame, errors, game, games
from arena_rules.chance import SEED_LIMIT, derive, numbers, shuffled
from arena_rules.outcome import rank_seats


def test_streams_are_the_same_everywhere() -> None:
    """The first numbers of a stream are those of SHAKE-256, in whatever language a bot's author looks."""
    assert numbers(7, "bag", 2) == (1_904_349_414_127_640_793, 7_333_145_821_668_312_542)
    assert derive(7, "bag") == 1_904_349_414_127_640_793


def test_a_longer_look_at_a_stream_begins_like_a_short_one() -> None:
    """How many numbers are asked for does not change the first ones."""
    assert numbers(1, "x", 100)[:10] == numbers(1, "x", 10)
    assert all(0 <= number < SEED_LIMIT for number in numbers(1, "x", 100))


def test_streams_with_other_names_or_seeds_have_nothing_in_common() -> None:
    """Two names, or two seeds, give different numbers."""
    streams = [numbers(seed, name, 4) for seed in (1, 2, 11) for name in ("bag", "refill 1", "1:bag")]
    assert len({number for stream in streams for number in stream}) == 4 * len(streams)


def test_every_order_is_as_likely_when_shuffling() -> None:
    """Over many seeds all six orders of three cards come up about equally often."""
    found = Counter(tuple(shuffled(seed, "cards", "abc")) for seed in range(3_000))
    assert set(found) == set(permutations("abc"))
    assert sum((count - 500) ** 2 / 500 for count in found.values()) < 20.5


@pytest.mark.parametrize(
    ("merits", "left", "ranks"),
    [
        ([(3,), (5,), (4,)], [], (3, 1, 2)),
        ([(5,), (5,), (4,)], [], (1, 1, 3)),
        ([(4,), (5,), (5,)], [], (3, 1, 1)),
        ([(5, 0), (5, 1)], [], (2, 1)),
        ([(9,), (1,), (2,)], [0], (3, 2, 1)),
        ([(9,), (8,), (2,), (1,)], [1, 0], (3, 4, 1, 2)),
    ],
)
def test_ranks_follow_merit_and_leavers_come_last(
    merits: list[tuple[int, ...]], left: list[int], ranks: tuple[int, ...]
) -> None:
    """Equal merits share the better rank, and whoever left first is last."""
    assert rank_seats(merits, left) == ranks


def test_an_outcome_names_its_winners() -> None:
    """All seats of rank 1 have won."""
    scores = (Score((("coins", 2), ("card", 3))), Score((("coins", 5),)), Score(()))
    outcome = Outcome((1, 1, 3), scores, Termination.COMPLETED)
    assert outcome.winners == (0, 1)
    assert [score.total for score in scores] == [5, 5, 0]


def test_my_shelfie_is_registered() -> None:
    """The game is found under its name."""
    assert game("shelfie").title == "My Shelfie"
    assert list(games()) == sorted(games())


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    """The sentence says what could have been asked for."""
    with pytest.raises(UnknownGame, match=r"there is no game 'chess'; there are .*shelfie"):
        game("chess")


@pytest.mark.parametrize(
    ("edition", "overrides", "sentence"),
    [
        ("fr", {}, "shelfie has no edition 'fr'; there are en-2022, en-revised, it, de"),
        (None, {"colour": "red"}, "shelfie has no option 'colour'; there are common_goals, refill_trigger, leftovers"),
        (None, {"common_goals": "3"}, "option 'common_goals' of shelfie cannot be '3'; choose from 2, 1"),
    ],
)
def test_rules_that_do_not_exist_are_refused(edition: str | None, overrides: dict[str, str], sentence: str) -> None:
    """The sentence names what is wrong and what there is."""
    with pytest.raises(BadOptions, match=sentence):
        game("shelfie").rules(edition, overrides)


def test_options_override_the_edition() -> None:
    """An edition sets some options, the caller may set any of them otherwise, and the rest have their defaults."""
    rules = game("shelfie").rules("it", {"refill_trigger": "tiles_at_most"})
    assert rules["refill_trigger"] == "tiles_at_most"
    assert rules["leftovers"] == "stay_on_board"
    assert rules["common_goals"] == "2"


@pytest.mark.parametrize("players", [0, 1, 5])
def test_a_table_of_the_wrong_size_is_refused(players: int) -> None:
    """My Shelfie is for two to four."""
    with pytest.raises(BadOptions, match=f"shelfie is played by 2 to 4, not by {players}"):
        game("shelfie").deal(players, seed=0)


def test_the_tree_of_errors_is_drawn_in_full() -> None:
    """Every error of the rules stands in the drawing at the top of its module."""
    names = ["RulesError", *(kind.__name__ for kind in RulesError.__subclasses__())]
    assert errors.__doc__ is not None
    assert [name for name in names if name not in errors.__doc__] == []
