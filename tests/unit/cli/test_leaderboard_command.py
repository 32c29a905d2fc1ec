"""`arena leaderboard`: what it says, and what it does not pretend to know."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.cli.boards import BARS, percent, sparkline
from arena.store import Pool, Store
from arena.tournament.board import board
from tests.unit.cli.conftest import Arena
from tests.unit.cli.logged import HOUR_US, NOON_US, blocks, home_with, log, small_arena
from tests.unit.store.table import arena_of, match


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The arena of the current folder, with a few tournaments."""
    with small_arena(tmp_path) as made:
        yield made


def boards(arena: Arena, *words: object) -> list[dict[str, Any]]:
    result = arena("leaderboard", *words, "--format", "json")
    assert result.exit_code == 0, result.stderr
    found: list[dict[str, Any]] = json.loads(result.stdout)["leaderboards"]
    return found


def rows(text: str) -> list[list[str]]:
    """The words of the rows of the first table."""
    lines = text.splitlines()
    rule = next(number for number, line in enumerate(lines) if line.startswith("───"))
    return [line.split() for line in lines[rule + 1 :]]


def test_json_says_what_the_book_says(store: Store, arena: Arena) -> None:
    """Every number is that of the board, to the last bit."""
    (document,) = boards(arena, "--game", "shelfie")
    expected = board(store, Pool("shelfie"))
    assert (document["game"], document["players"], document["tournament"], document["games"]) == (
        *("shelfie", None, None),
        108,
    )
    for place, said in zip(expected.places, document["places"], strict=True):
        assert (f"{said['bot']}@{said['version']}", said["mu"], said["sigma"]) == (
            *(place.bot, place.skill.mu, place.skill.sigma),
        )
        assert said["score"] == place.skill.mu - 3 * place.skill.sigma
        assert (said["rank_from"], said["rank_to"]) == (place.band or (None, None))
        assert (said["interval_low"], said["interval_high"]) == (place.interval or (None, None))
        assert said["games"] == said["wins"] + said["draws"] + said["losses"]


def test_csv_has_the_same_numbers(store: Store, arena: Arena) -> None:
    """A spreadsheet gets what a program gets: all games in one table."""
    result = arena("leaderboard", "--format", "csv")
    table = list(csv.DictReader(result.stdout.splitlines()))
    places = [(each["game"], place) for each in boards(arena) for place in each["places"]]
    assert len(table) == len(places) == 7
    for row, (game, place) in zip(table, places, strict=True):
        place.pop("history")
        assert row == {"game": game, **{key: "" if value is None else str(value) for key, value in place.items()}}


def test_little_data_gets_no_decimals(store: Store, arena: Arena) -> None:
    """A bot with too few blocks comes last, without rank, score and history, and a note says why."""
    text = arena("leaderboard", "--game", "shelfie").stdout
    dan = next(row for row in rows(text) if row[1] == "dan@1")
    assert dan == ["-", "dan@1", "-", "-", "-", "not", "enough", "games", "-", "6", "-", "0"]
    assert "1 bot has played fewer than 8 blocks: not enough games to rank." in text
    places = boards(arena, "--game", "shelfie")[0]["places"]
    assert [place["bot"] for place in places][-1] == "dan"
    assert [place["enough_games"] for place in places] == [True, True, True, True, False]
    assert places[-1]["rank_from"] is None
    assert places[-1]["interval_low"] is None
    assert places[-2]["above_next"] is None


def test_a_lucky_newcomer_comes_last(tmp_path: Path, arena: Arena) -> None:
    """However well a few games went, a bot is not put above those of whom more is known."""
    with home_with(tmp_path) as made:
        arena_of(made, "ann", "bob", "zoe")
        seats = [("ann", "bob"), ("bob", "ann")] * 10 + [("zoe", "ann"), ("ann", "zoe")] * 3
        winners = ["ann"] * 20 + ["zoe"] * 6
        records = [
            match(index, *lineup, ranks=[1 if bot == winner else 2 for bot in lineup])
            for index, (lineup, winner) in enumerate(zip(seats, winners, strict=True))
        ]
        log(made, "cup", records)
    places = boards(arena)[0]["places"]
    assert [place["bot"] for place in places] == ["ann", "bob", "zoe"]
    assert places[2]["score"] > places[1]["score"]


def test_bands_and_chances_belong_together(store: Store, arena: Arena) -> None:
    """Where a bot is surely above the next, their ranks do not overlap."""
    for each in boards(arena):
        ranked = [place for place in each["places"] if place["enough_games"]]
        for place, following in pairwise(ranked):
            assert (place["above_next"] > 0.5) == (place["estimate"] > following["estimate"])
            if place["rank_to"] < following["rank_from"]:
                assert place["above_next"] > 0.95


@pytest.mark.parametrize(
    ("words", "games", "bots"),
    [
        (["--players", 3], [30], ["ada", "bob", "cyd"]),
        (["--players", 2, "--game", "codex"], [18], ["ada", "cyd"]),
        (["--tournament", "cup"], [72], ["ada", "bob", "cyd"]),
        (["--tournament", "open", "--players", 2], [], []),
        (["--players", 4], [], []),
    ],
)
def test_filters(words: list[object], games: list[int], bots: list[str], store: Store, arena: Arena) -> None:
    """Only what is asked for is counted."""
    found = boards(arena, *words)
    assert [each["games"] for each in found] == games
    assert [place["bot"] for each in found for place in each["places"]] == bots


def test_since(store: Store, arena: Arena) -> None:
    """Only blocks that began since then count, and the kept ratings stay as they are."""
    before = boards(arena)
    day = boards(arena, "--game", "shelfie", "--tournament", "cup", "--since", "2026-11-02")[0]
    assert day["since_us"] == NOON_US + 12 * HOUR_US
    assert day["games"] == 72 - 12
    assert boards(arena, "--since", "2026-11-02T13:00", "--tournament", "cup")[0]["games"] == 72 - 26
    assert boards(arena, "--since", "2200-01-01") == []
    assert boards(arena, "--since", "999999w") == [{**each, "since_us": 0} for each in before]
    assert boards(arena) == before


def test_results_by_the_size_of_tables(store: Store, arena: Arena) -> None:
    """Tables of two show wins, draws and losses; larger ones the mean rank; a mixture says so."""
    two = arena("leaderboard", "--players", 2, "--game", "shelfie").stdout
    assert "won/drawn/" in two
    three = arena("leaderboard", "--players", 3).stdout
    assert "won/drawn/" not in three
    assert "mean" in three
    mixed = arena("leaderboard", "--game", "shelfie").stdout
    assert "Tables of 2 and 3 are rated together; --players tells them apart." in mixed
    assert "rated together" not in two + three


def test_forfeits_are_shown_apart(store: Store, arena: Arena) -> None:
    """They are counted among the losses, and in a column of their own."""
    places = {place["bot"]: place for place in boards(arena, "--tournament", "cup")[0]["places"]}
    assert {bot: place["forfeits"] for bot, place in places.items()} == {"ada": 0, "bob": 2, "cyd": 0}
    bob = next(row for row in rows(arena("leaderboard", "--tournament", "cup").stdout) if row[1] == "bob@1")
    assert bob[-2] == "2"


def test_matrix(store: Store, arena: Arena) -> None:
    """What one scores the other does not; too few blocks give no number, and who never met gets a dash."""
    cells = {(c["bot"], c["against"]): c for c in boards(arena, "--game", "shelfie", "--matrix")[0]["matrix"]}
    for (one, other), cell in cells.items():
        mirrored = cells[other, one]
        assert cell["score"] + mirrored["score"] == pytest.approx(1)
        assert cell["blocks"] == mirrored["blocks"]
    assert cells["ada@1", "bob@1"]["comparisons"] == 24
    assert ("ada@1", "dan@1") not in cells
    assert cells["cyd@1", "dan@1"]["interval_low"] is None
    text = arena("leaderboard", "--game", "shelfie", "--matrix").stdout
    ada = next(line for line in text.splitlines() if line.startswith("1   ada@1")).split()
    score = cells["ada@1", "bob@1"]["score"]
    assert ada == ["1", "ada@1", f"{100 * cells['ada@1', 'bob@2']['score']:.0f}", f"{100 * score:.0f}", "100", "-"]
    assert "few: fewer than 8 blocks." in text
    assert "few" not in arena("leaderboard", "--game", "codex", "--matrix").stdout


def test_a_wide_matrix_is_cut_into_parts(tmp_path: Path, arena: Arena) -> None:
    """Where the terminal has no room for all opponents, the rest follows below."""
    from rich.console import Console

    from arena.cli.encounters import Matrix

    with home_with(tmp_path) as made:
        names = [f"bot{number}" for number in range(12)]
        arena_of(made, *names)
        log(made, "cup", list(blocks("cup", *names)))
        out = Console(width=60, file=io.StringIO())
        with out.capture() as shown:
            out.print(Matrix(board(made, Pool("shelfie"))))
    lines = shown.get().splitlines()
    assert max(map(len, lines)) <= 60
    assert sum(line.split()[:1] == ["against"] for line in lines) == 3


def test_seats(store: Store, arena: Arena) -> None:
    """Every seat of every size of table is shown; the shares of a table of one size add up."""
    document = boards(arena, "--game", "shelfie", "--seats")[0]
    assert [(seat["players"], seat["seat"]) for seat in document["seats"]] == [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]
    assert sum(seat["above_others"] for seat in document["seats"][:2]) == pytest.approx(1)
    assert sum(seat["above_others"] for seat in document["seats"][2:]) == pytest.approx(1.5)
    assert [seat["games"] for seat in document["seats"]] == [78, 78, 30, 30, 30]
    assert {(size["bot"], size["players"]): size["games"] for size in document["sizes"]}["ada@1", 3] == 30
    text = arena("leaderboard", "--game", "shelfie", "--seats").stdout
    assert "\n2 of 3 " in text
    assert "stronger by" in text
    assert "stronger by" not in arena("leaderboard", "--players", 2, "--seats").stdout
    seats = list(csv.DictReader(arena("leaderboard", "--seats", "--format", "csv").stdout.splitlines()))
    assert [(row["game"], row["seat"]) for row in seats[:3]] == [("codex", "0"), ("codex", "1"), ("shelfie", "0")]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--game", "chess"], "no game of chess is rated in this arena: there are codex, shelfie"),
        (["--tournament", "cap"], "there is no tournament named cap in this arena"),
        (["--tournament", "cup", "--game", "codex"], "the tournament cup is one of shelfie, not of codex"),
        (["--since", "yesterday"], "invalid value for '--since': 'yesterday' is not a time; write 30m, 12h, 7d or 2w"),
        (["--watch"], "--watch needs a terminal; leave it out to print the leaderboard once"),
        (["--watch", "--format", "json"], "--watch shows a table; leave it out to print json"),
        (["--matrix", "--seats", "--format", "csv"], "CSV has room for one table: choose --matrix or --seats"),
    ],
)
def test_mistakes(words: list[str], sentence: str, store: Store, arena: Arena) -> None:
    """What cannot be shown is said in one sentence."""
    result = arena("leaderboard", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {sentence}")
    assert result.stderr.count("\n") == 1


def test_an_arena_without_games(tmp_path: Path, arena: Arena) -> None:
    """Where nothing was played there is a sentence, and where there is no arena an error."""
    result = arena("leaderboard")
    assert result.exit_code == 5
    assert result.stderr.startswith("error: there is no arena at .arena/arena.db")
    home_with(tmp_path).close()
    assert arena("leaderboard").stdout == "No games to rank yet.\n"
    assert arena("leaderboard", "--format", "csv").stdout == ""
    assert boards(arena) == []


def test_a_board_that_is_kept_costs_no_fit(store: Store, arena: Arena, tmp_path: Path) -> None:
    """Once rated, a leaderboard is read from the book: what fits and rates is not even loaded."""
    arena("leaderboard")
    code = "import sys, atexit; atexit.register(lambda: sys.stderr.write(' '.join(sys.modules)))"
    code += "; sys.argv = ['arena', 'leaderboard', '--matrix']; from arena.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert "ada@1" in done.stdout
    assert set(done.stderr.split()) & {"numpy", "trueskill", "grpc", "alembic"} == set()


def test_sparklines() -> None:
    """Bars grow with the score, on a scale that all bots share, and end with the present."""
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7], [0, 7]) == BARS
    assert sparkline([3], [3]) == BARS[4]
    assert sparkline([], [1, 2]) == ""
    many = sparkline([*range(100)], [0, 99])
    assert len(many) == 10
    assert (many[0], many[-1]) == (BARS[0], BARS[-1])
    assert sparkline([0, 1], [0, 10]) == BARS[0] * 2


def test_nothing_is_certain() -> None:
    """Chances near 0 and 1 are not rounded to certainty."""
    assert [percent(share) for share in (None, 0.5, 0.9949, 1.0, 0.001)] == ["-", "50%", ">99%", ">99%", "<1%"]
