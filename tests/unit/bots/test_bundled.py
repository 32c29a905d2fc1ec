"""The bundled bots: they play every game to its end, play it again the same way, and keep their order."""

from __future__ import annotations

from statistics import fmean

import pytest

from arena_rules import games
from arena_sdk import Bot
from arena_sdk.testing import play
from tests.benchmarks.ladder import LADDER, Pair, Tables, bundled, student


def quick(name: str) -> Bot:
    """The bot, made to search little."""
    bot = bundled(name)
    if name == "mcts":
        type(bot).choose.__globals__["ROUNDS"] = 3
    return bot


@pytest.mark.parametrize("bot", LADDER)
@pytest.mark.parametrize("name", ["codex", "shelfie"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_bundled_bot_plays_to_the_end(bot: str, name: str, players: int) -> None:
    """Every bot makes legal moves only, in every game and with every number of players, and can be replayed."""
    lineup = [quick(bot), *(quick("random") for _ in range(players - 1))]
    played = play(lineup, name, seed=players)
    assert len(played.outcome.ranks) == players
    assert play(lineup, name, seed=players) == played


@pytest.mark.parametrize("edition", ["en-2022", "it"])
def test_the_planner_knows_other_editions(edition: str) -> None:
    """Boards that are refilled by other rules are no problem."""
    assert play([quick("planner"), quick("mcts")], "shelfie", seed=3, edition=edition).outcome.ranks


@pytest.mark.parametrize("name", ["codex", "shelfie"])
@pytest.mark.parametrize(("upper", "lower"), [("greedy", "random"), ("planner", "greedy")])
def test_each_rung_is_above_the_one_below(name: str, upper: str, lower: str) -> None:
    """Over a few deals, each from both seats, the better bot wins more. (`make bench ARGS=ladder` says how surely.)"""
    tables = Tables([games()[name]], [2], [lower, upper], move_ms=0)
    (pair,) = tables.pairs[name, 2]
    for _ in range(6):
        tables.play_block(tables.games[name], 2, pair)
    assert fmean(pair.scores) > 0.6


def test_intervals_narrow_as_blocks_come_in() -> None:
    """Few blocks are unsure, many alike are not, and even a clean sweep is not certain at once."""
    few, many = Pair("a", "b", [1.0, 0.5, 1.0]), Pair("a", "b", [1.0, 0.5] * 200)
    assert few.half_width > 0.3
    assert many.half_width < 0.03
    assert not Pair("a", "b", [1.0] * 5).settled
    assert many.settled


@pytest.mark.parametrize(("freedom", "point"), [(4, 2.776), (10, 2.228), (30, 2.042), (1000, 1.962)])
def test_the_points_of_students_distribution(freedom: int, point: float) -> None:
    """The expansion agrees with the printed tables."""
    assert student(freedom) == pytest.approx(point, abs=0.03)


def test_the_ladder_ends_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """Out of time, it prints what it knows."""
    tables = Tables(list(games().values()), [2, 4], ["random", "greedy"], move_ms=0)
    tables.run(seconds=0.0)
    tables.show()
    assert "codex, 2 players" in capsys.readouterr().out
