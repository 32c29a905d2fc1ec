"""`arena replay` in a pipe."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena.archive import read, write
from arena.record import MatchRecord, PlayedMove
from arena_rules import game
from tests.unit.cli.conftest import Arena
from tests.unit.cli.played import played, spec_of, void


def board(edition: str = "en-2022", seed: int = 7, players: int = 2) -> list[str]:
    """The table at the deal, as text."""
    picture = game("shelfie").deal(players, seed, game("shelfie").rules(edition)).picture()
    return ["".join(text for text, _ in line).rstrip() for line in picture]


def test_moves_line_by_line(one_match: Path, arena: Arena) -> None:
    """Every move is one line with its number, seat, bot, notation and time."""
    result = arena("replay", one_match)
    assert result.exit_code == 0
    (record,) = read(one_match)
    lines = result.stdout.splitlines()
    assert lines[0] == "My Shelfie, edition en-2022, seed 7, time 1s+10s"
    assert lines[1:3] == ["seat 0  ann  version 0f0f0f0f0f0f", "seat 1  bob  version 1f1f1f1f1f1f"]
    for number, move in enumerate(record.moves, 1):
        words = [
            str(number),
            "seat",
            str(move.seat),
            "ann" if move.seat == 0 else "bob",
            move.notation,
            f"{number}.00",
            "ms",
        ]
        assert sum(line.split() == words for line in lines) == 1
    assert f"replayed: {len(record.moves)} moves, result confirmed" in lines
    assert "\x1b" not in result.stdout


def test_boards(one_match: Path, arena: Arena) -> None:
    """The table is shown at the start and at the end, and after each move when asked for."""
    (record,) = read(one_match)
    deal = board()
    plain = [line.rstrip() for line in arena("replay", one_match).stdout.splitlines()]
    assert plain[4 : 4 + len(deal)] == deal
    every = arena("replay", one_match, "--boards").stdout
    assert every.count("tiles in the bag") == len(record.moves) + 1
    assert "\n".join(plain).count("tiles in the bag") == 2


def ranked(record: MatchRecord) -> list[tuple[int, str]]:
    """The seats and the bots on them, the winner first."""
    assert record.outcome is not None
    ranks = record.outcome.ranks
    return sorted(enumerate(record.spec.lineup), key=lambda seat: ranks[seat[0]])


def test_the_score_sheet_comes_last(one_match: Path, arena: Arena) -> None:
    """The result stands below the last board."""
    (record,) = read(one_match)
    assert record.outcome is not None
    lines = arena("replay", one_match).stdout.splitlines()
    sheet = next(number for number, line in enumerate(lines) if line.startswith("bot "))
    winner, loser = ([name, str(seat)] for seat, name in ranked(record))
    assert [line.split()[:3] for line in lines[sheet + 2 : sheet + 4]] == [[*winner, "1"], [*loser, "2"]]
    assert lines[sheet + 5] == f"completed after {len(record.moves)} moves in 250.00 ms"


def test_seats_that_left_are_told(three_matches: Path, arena: Arena) -> None:
    """Where a seat was put out there is a line with the verdict."""
    result = arena("replay", three_matches, "--match", "2")
    lines = result.stdout.splitlines()
    told = "     seat 1  bob   timed out at move 5. The bot did not answer in time: it took 1.2 s."
    fourth = next(number for number, line in enumerate(lines) if line.startswith("  4  "))
    assert lines[fourth + 1] == told


def test_a_file_is_replayed_whole(three_matches: Path, arena: Arena) -> None:
    """Without a number all matches of a file are shown and proved."""
    assert arena("replay", three_matches).stdout.count("result confirmed") == 3


@pytest.mark.parametrize(("number", "players"), [("1", 2), ("3", 4), ("-1", 4), ("-3", 2)])
def test_choosing_a_match(number: str, players: int, three_matches: Path, arena: Arena) -> None:
    """Matches are numbered from 1, and from -1 backwards."""
    result = arena("replay", three_matches, "--match", number)
    assert result.stdout.count("  version ") == players
    assert result.stdout.count("result confirmed") == 1


@pytest.mark.parametrize("number", ["0", "4", "-4"])
def test_a_match_that_is_not_there(number: str, three_matches: Path, arena: Arena) -> None:
    """A number beyond the file is refused with how many matches there are."""
    result = arena("replay", three_matches, "--match", number)
    assert result.exit_code == 2
    assert result.stderr == f"error: there is no match {number} in {three_matches}: it holds 3 matches\n"


def test_json(three_matches: Path, arena: Arena) -> None:
    """The JSON form of a file can be had, and replayed in turn."""
    result = arena("replay", three_matches, "--format", "json")
    assert [len(match["spec"]["lineup"]) for match in json.loads(result.stdout)["matches"]] == [2, 3, 4]
    Path("three.json").write_text(result.stdout)
    assert read(Path("three.json")) == read(three_matches)


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_false_record(form: str, arena: Arena, tmp_path: Path) -> None:
    """A record that the rules do not lead to ends in exit code 4 and the move where it goes wrong."""
    record = played(spec_of())
    write(tmp_path / "x.arena", [replace(record, moves=(*record.moves[:2], PlayedMove(0, "a1>1", 1)))])
    result = arena("replay", "x.arena", "--format", form)
    assert result.exit_code == 4
    assert result.stderr.startswith("error: move 3 (seat 0, a1>1) does not replay: ")
    assert "confirmed" not in result.stdout


def test_a_void_match(arena: Arena, tmp_path: Path) -> None:
    """A match without a result is shown, and nothing is confirmed."""
    record = void(played(spec_of()))
    write(tmp_path / "x.arena", [record])
    result = arena("replay", "x.arena")
    assert result.exit_code == 0
    assert f"replayed: {len(record.moves)} moves, the match is void" in result.stdout


def test_names_do_not_steer_the_terminal(arena: Arena, tmp_path: Path) -> None:
    """Whatever a file says, it cannot send escape codes to the terminal of whoever looks at it."""
    record = played(spec_of("\x1b[31mann", "[bold]bob"))
    write(tmp_path / "x.arena", [record])
    result = arena("replay", "x.arena")
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert "[bold]bob" in result.stdout
