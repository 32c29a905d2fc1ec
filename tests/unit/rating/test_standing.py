"""Standings: what is counted."""

from __future__ import annotations

import random
from dataclasses import replace

from arena.rating import Count, Standing
from tests.unit.rating.results import result

GAMES = [
    replace(result("ab", (1, 2)), scores=(30, 20)),
    replace(result("ba", (1, 1)), scores=(25, 25)),
    replace(result("abc", (3, 1, 2)), scores=(0, 40, 10), forfeits=(True, False, False)),
]


def standing(*results: object) -> Standing:
    counted = Standing()
    counted.extend(results)  # type: ignore[arg-type]
    return counted


def test_all_is_counted() -> None:
    """Wins, shared first places, other places, ranks, points and forfeits."""
    table = standing(*GAMES)
    assert table.bots == ["a", "b", "c"]
    assert table.count("a") == Count(games=3, wins=1, draws=1, losses=1, rank_sum=5, points=55, forfeits=1)
    assert table.count("b") == Count(games=3, wins=1, draws=1, losses=1, rank_sum=4, points=85)
    assert table.count("nobody") == Count()


def test_counted_by_seat_and_by_players() -> None:
    """What a bot reached from one seat, or at tables of one size."""
    table = standing(*GAMES)
    assert table.count("a", players=3) == Count(games=1, losses=1, rank_sum=3, forfeits=1)
    assert table.count("a", seat=1) == Count(games=1, draws=1, rank_sum=1, points=25)
    assert table.count("b", players=2, seat=1).points == 20


def test_rates() -> None:
    """Means are per game, a shared first place is half a win, and nothing is divided by no games."""
    assert standing(*GAMES).count("a").win_rate == 0.5
    assert standing(*GAMES).count("b").mean_rank == 4 / 3
    assert standing(*GAMES).count("c").mean_points == 10
    assert (Count().win_rate, Count().mean_rank, Count().mean_points) == (0, 0, 0)


def test_order_and_parts_do_not_matter() -> None:
    """Shuffled, merged from parts, or written down and read again, a standing is the same."""
    shuffled = random.Random(1).sample(GAMES, 3)
    merged = standing(*GAMES[:1])
    merged.merge(standing(*GAMES[1:]))
    rows = list(standing(*GAMES).rows())
    assert list(standing(*shuffled).rows()) == rows
    assert list(merged.rows()) == rows
    assert list(Standing.from_rows(rows).rows()) == rows
    assert Standing.from_rows([*rows, *rows]).count("a").games == 6


def test_playing_oneself_is_left_out() -> None:
    """A bot that holds all seats wins nothing from itself; with another at the table its copies count one by one."""
    assert standing(result("aa", (1, 2))).bots == []
    assert standing(result("aab", (1, 3, 2))).count("a") == Count(games=2, wins=1, losses=1, rank_sum=4)
