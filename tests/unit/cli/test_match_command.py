"""`arena match`, with a runner that plays at random."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.archive import read, write
from arena.errors import BotFailed
from arena.record import MatchRecord, Verdict, VerdictKind
from arena_sdk.events import TimeControl
from tests.unit.cli.conftest import Arena, FakeRunner
from tests.unit.cli.played import played, timed_out, void

MakeBot = Callable[..., Path]


@pytest.fixture(autouse=True)
def ann_and_bob(make_bot: MakeBot) -> None:
    make_bot("ann")
    make_bot("bob")


def without_times(value: Any) -> Any:
    """The same JSON without all that a clock has a say in."""
    if isinstance(value, dict):
        return {key: without_times(part) for key, part in value.items() if not key.endswith("_us")}
    return [without_times(part) for part in value] if isinstance(value, list) else value


# ── what is played ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_defaults(arena: Arena, runner: FakeRunner) -> None:
    """Two folders are enough: one game of the only kind that they share, in its default edition."""
    result = arena("match", "ann", "bob")
    assert result.exit_code == 0, result.stderr
    (spec,) = runner.specs
    assert (spec.game, spec.edition, spec.lineup, spec.options) == ("shelfie", "en-revised", ("ann", "bob"), {})
    assert spec.time == TimeControl(1_000, 10_000)
    assert runner.in_flight == 1
    assert {name: bot.folder.name for name, bot in runner.bots.items()} == {"ann": "ann", "bob": "bob"}


def test_everything_can_be_said(arena: Arena, runner: FakeRunner) -> None:
    """What the command line says reaches the games."""
    words = "match ann bob ann --game shelfie --edition it --option common_goals=1 --seed 5 --time 50ms+2s"
    result = arena(*words.split(), "--games", "4", "--in-flight", "3")
    assert result.exit_code == 0, result.stderr
    assert [spec.lineup for spec in runner.specs] == [
        ("ann", "bob", "ann"),
        ("bob", "ann", "ann"),
        ("ann", "ann", "bob"),
        ("ann", "bob", "ann"),
    ]
    first = runner.specs[0]
    assert (first.edition, dict(first.options), first.seed) == ("it", {"common_goals": "1"}, 5)
    assert first.time == TimeControl(50, 2_000)
    assert runner.in_flight == 3
    assert runner.closed


def test_options_that_the_edition_has_anyway_are_not_recorded(arena: Arena, runner: FakeRunner) -> None:
    """The spec of a match lists only what differs from its edition."""
    arena("match", "ann", "bob", "--edition", "it", "--option", "leftovers=stay_on_board", "--option", "common_goals=1")
    assert dict(runner.specs[0].options) == {"common_goals": "1"}


def test_of_two_values_for_an_option_the_last_one_counts(arena: Arena, runner: FakeRunner) -> None:
    """An option that is given twice has the value that was given last, also when that is the edition's own."""
    arena("match", "ann", "bob", "--option", "common_goals=1", "--option", "common_goals=2")
    assert dict(runner.specs[0].options) == {}


def test_a_seed_is_drawn_and_printed(arena: Arena, runner: FakeRunner) -> None:
    """Without a seed each match is another one, and its seed can be read off the output."""
    seeds = []
    for _ in range(2):
        result = arena("match", "ann", "bob")
        seeds.append(runner.specs[0].seed)
        assert f"seed {seeds[-1]}" in result.stdout
        assert f"--seed {seeds[-1]}" in result.stdout
    assert seeds[0] != seeds[1]


@pytest.mark.parametrize("form", ["table", "json"])
@pytest.mark.parametrize("games", ["1", "5"])
def test_the_printed_command_plays_it_again(form: str, games: str, arena: Arena, runner: FakeRunner) -> None:
    """The command in the output leads to the very same games, options and times included."""
    words = ["--edition", "de", "--option", "common_goals=1", "--time", "1.5s", "--in-flight", "2"]
    first = arena("match", "ann", "bob", *words, "--games", games, "--format", form)
    specs, in_flight = runner.specs, runner.in_flight
    if form == "json":
        command = json.loads(first.stdout)["command"]
    else:
        command = first.stdout.partition("play it again: ")[2].strip()
    program, *rest = shlex.split(command)
    assert program == "arena"
    assert arena(*rest).exit_code == 0
    assert (runner.specs, runner.in_flight) == (specs, in_flight)


def test_one_folder_may_play_itself(arena: Arena, runner: FakeRunner) -> None:
    """The same folder twice is one bot on two seats, however its path is written."""
    result = arena("match", "ann", "bob/../ann")
    assert result.exit_code == 0, result.stderr
    assert runner.specs[0].lineup == ("ann", "ann")
    assert list(runner.bots) == ["ann"]


# ── what is refused ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("", "a match needs two bots or more: name their folders"),
        ("ann", "a match needs two bots or more"),
        ("ann bob ann bob ann", "shelfie is played by 2 to 4, not by 5"),
        ("ann nobody", "there is no bot folder nobody; give the path of a folder with a bot.toml in it"),
        ("ann bob --game ludo", "there is no game 'ludo'; there are "),
        ("ann bob --edition fr", "shelfie has no edition 'fr'; there are en-2022, en-revised, it, de"),
        ("ann bob --option goals=1", "shelfie has no option 'goals'; there are common_goals, "),
        ("ann bob --option common_goals=7", "option 'common_goals' of shelfie cannot be '7'; choose from 2, 1"),
        ("ann bob --option common_goals", "invalid value for '--option': 'common_goals' is not of the form KEY=VALUE"),
        ("ann bob --time 3", "invalid value for '--time': '3' is not a time; write a time per move"),
        ("ann bob --seed -1", "invalid value for '--seed': -1 is not in the range"),
        ("ann bob --seed 18446744073709551616", "invalid value for '--seed': 18446744073709551616 is not in the range"),
        ("ann bob --games 0", "invalid value for '--games': 0 is not in the range"),
        ("ann bob --in-flight 0", "invalid value for '--in-flight': 0 is not in the range"),
        ("ann bob --format xml", "invalid value for '--format': 'xml' is not one of"),
        ("ann bob --save none/x.arena", "none/x.arena cannot be written: there is no folder none"),
    ],
)
def test_bad_input(words: str, sentence: str, arena: Arena, runner: FakeRunner) -> None:
    """What cannot be played is refused before anything starts, with one sentence and exit code 2."""
    result = arena("match", *words.split())
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {sentence}")
    assert result.stderr.count("\n") == 1
    assert (result.stdout, runner.specs) == ("", [])


def test_two_bots_of_one_name(arena: Arena, runner: FakeRunner, make_bot: MakeBot) -> None:
    """Different bots that cannot be told apart in the result are refused."""
    make_bot("other", name="ann")
    result = arena("match", "ann", "other")
    assert result.exit_code == 2
    assert "error: two bots are called 'ann', in " in result.stderr
    assert "rename one in its bot.toml" in result.stderr


def test_a_bot_that_does_not_play_the_game(arena: Arena, runner: FakeRunner, make_bot: MakeBot) -> None:
    """A game is only played by bots that say they play it."""
    make_bot("cleo", games="ludo halma")
    result = arena("match", "ann", "cleo", "--game", "shelfie")
    assert result.exit_code == 2
    assert result.stderr == "error: the bot 'cleo' does not play shelfie; it plays ludo, halma\n"
    result = arena("match", "ann", "cleo")
    assert result.exit_code == 2
    sentence = "there is no game that all of these bots play: ann plays shelfie; cleo plays ludo, halma"
    assert result.stderr == f"error: {sentence}\n"


def test_bots_that_share_several_games(
    arena: Arena, runner: FakeRunner, make_bot: MakeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the bots could play more than one game, the person is asked which."""
    from arena_rules import game

    monkeypatch.setattr("arena.cli.lineup.games", lambda: {"ludo": None, "shelfie": game("shelfie")})
    make_bot("cleo", games="ludo shelfie")
    make_bot("dan", games="shelfie ludo")
    result = arena("match", "cleo", "dan")
    assert result.exit_code == 2
    assert result.stderr == "error: these bots can play ludo and shelfie; choose one with --game\n"
    assert arena("match", "cleo", "dan", "--game", "shelfie").exit_code == 0


def test_a_file_that_is_not_ours_is_not_written_to(arena: Arena, runner: FakeRunner) -> None:
    """Saving to a file of another kind is refused before the match, and the file stays as it is."""
    Path("notes.txt").write_text("my notes")
    result = arena("match", "ann", "bob", "--save", "notes.txt")
    assert result.exit_code == 4
    assert "notes.txt is not a record file" in result.stderr
    assert Path("notes.txt").read_text() == "my notes"
    assert runner.specs == []


def test_a_bot_that_does_not_start(arena: Arena, runner: FakeRunner) -> None:
    """The reason and the end of the bot's log are shown; it is an error, not a result."""

    def fail(record: MatchRecord) -> MatchRecord:
        log = [f"line {number}" for number in range(50)]
        raise BotFailed("bob exited with status 1 before it joined", "\n".join([*log, "NameError: \x1b[31mx"]))

    runner.changed = fail
    result = arena("match", "ann", "bob", "--games", "5")
    assert result.exit_code == 3
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert lines[0] == "error: bob exited with status 1 before it joined"
    assert lines[-2:] == ["  | line 49", "  | NameError: \N{REPLACEMENT CHARACTER}[31mx"]
    assert len(lines) == 21
    assert runner.closed


def test_a_bot_that_does_not_start_again(arena: Arena, runner: FakeRunner) -> None:
    """A bot that is lost between two games forfeits the second one, and that is a result."""
    verdict = Verdict(1, VerdictKind.FAILED_TO_START, 0, "The bot could not be started: it is gone.")
    runner.changed = lambda record: played(record.spec, verdict) if record.spec.index else record
    result = arena("match", "ann", "bob", "--games", "2", "--format", "json")
    assert result.exit_code == 0
    assert sum(row["forfeits"] for row in json.loads(result.stdout)["summary"]) == 1


# ── what is shown ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_score_sheet_of_one_game(arena: Arena, runner: FakeRunner) -> None:
    """One game is shown with every line of the score sheet, the winner first, and how it ended."""
    result = arena("match", "ann", "bob", "--seed", "7", "--edition", "en-2022")
    record = played(runner.specs[0])
    assert record.outcome is not None
    lines = result.stdout.splitlines()
    assert lines[0] == "My Shelfie, edition en-2022, seed 7, time 1s+10s"
    head = "bot seat rank total common_goals personal_goal groups first_full_shelf mean_time"
    assert lines[2].split() == head.replace("_", " ").split()
    for line in lines[4:6]:
        seat = ["ann", "bob"].index(line.split()[0])
        score = record.outcome.scores[seat]
        numbers = [seat, record.outcome.ranks[seat], score.total, *(points for _, points in score.parts)]
        assert line.split()[1:8] == [str(number) for number in numbers]
    assert [line.split()[2] for line in lines[4:6]] == ["1", "2"]
    times = [move.think_us for move in record.moves if move.seat == 0]
    assert f"{sum(times) / len(times) / 1000:.2f} ms" in (lines[4] if lines[4].startswith("ann") else lines[5])
    assert f"completed after {len(record.moves)} moves in 250.00 ms" in lines
    assert result.stderr == ""


def test_a_forfeit_is_a_result(arena: Arena, runner: FakeRunner) -> None:
    """A bot that is put out is in the table with its verdict, its sentence and its log; the exit code is 0."""
    runner.changed = lambda record: played(record.spec, timed_out(0, 4))
    result = arena("match", "ann", "bob")
    assert result.exit_code == 0
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert [line.split()[0] for line in lines[4:6]] == ["bob", "ann"]
    assert lines[5].endswith("timed out at move 5")
    assert "abandoned after 4 moves in 250.00 ms: only one seat was left" in lines
    assert "seat 0, ann: timed out at move 5. The bot did not answer in time: it took 1.2 s." in lines
    assert "  | thinking" in lines


def test_a_void_game(arena: Arena, runner: FakeRunner) -> None:
    """A match that the arena itself spoilt has no score sheet and says so."""
    runner.changed = void
    result = arena("match", "ann", "bob", "--seed", "7", "--edition", "en-2022")
    moves = len(played(runner.specs[0]).moves)
    assert f"void after {moves} moves in 250.00 ms: the match does not count\n" in result.stdout
    assert "rank" not in result.stdout


def test_several_games(arena: Arena, runner: FakeRunner) -> None:
    """Several games are shown as one row per bot, the better one first."""

    def spoil_some(record: MatchRecord) -> MatchRecord:
        if record.spec.index == 3:
            return void(record)
        return played(record.spec, timed_out(record.spec.lineup.index("ann"), 2))

    runner.changed = spoil_some
    result = arena("match", "ann", "bob", "--games", "5", "--seed", "7")
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert lines[0] == "My Shelfie, edition en-revised, 5 games, seed 7"
    head = "bot games wins ties mean_rank mean_score forfeits mean_time longest"
    assert lines[2].split() == head.replace("_", " ").split()
    assert lines[4].split()[:5] == ["bob", "4", "4", "0", "1.00"]
    assert lines[5].split()[:5] == ["ann", "4", "0", "0", "2.00"]
    assert [line.split()[6] for line in lines[4:6]] == ["0", "4"]
    assert "1 of the games were void and count for nobody." in lines
    assert "5 games are not a multiple of 2, so the seats were not shared equally." in lines


def test_json(arena: Arena, runner: FakeRunner) -> None:
    """JSON is one document with the records, a summary and the command, whatever the number of games."""
    for games in (1, 4):
        result = arena("match", "ann", "bob", "--seed", "7", "--games", games, "--format", "json")
        document = json.loads(result.stdout)
        assert list(document) == ["command", "summary", "matches"]
        assert [match["spec"]["index"] for match in document["matches"]] == list(range(games))
        assert {row["bot"]: row["games"] for row in document["summary"]} == {"ann": games, "bob": games}
        assert sum(row["wins"] for row in document["summary"]) == games
        assert result.stderr == ""


def test_json_differs_in_times_only(arena: Arena, runner: FakeRunner) -> None:
    """All that a clock has a say in is in fields whose names end in _us."""
    words = ["match", "ann", "bob", "--seed", "7", "--games", "3", "--format", "json"]
    first = json.loads(arena(*words).stdout)

    def slower(record: MatchRecord) -> MatchRecord:
        moves = tuple(replace(move, think_us=3 * move.think_us) for move in record.moves)
        return replace(record, moves=moves, started_us=99, elapsed_us=1_000_000)

    runner.changed = slower
    second = json.loads(arena(*words).stdout)
    assert first != second
    assert without_times(first) == without_times(second)


def test_json_can_be_replayed(arena: Arena, runner: FakeRunner) -> None:
    """What is printed as JSON is a record file too."""
    Path("game.json").write_text(arena("match", "ann", "bob", "--format", "json").stdout)
    result = arena("replay", "game.json")
    assert result.exit_code == 0
    assert "result confirmed" in result.stdout


def test_records_are_saved(arena: Arena, runner: FakeRunner) -> None:
    """Saving adds the records of all games to what the file holds."""
    write(Path("log.arena"), [played(replace(spec, seed=1)) for spec in first_spec(arena, runner)])
    result = arena("match", "ann", "bob", "--seed", "7", "--games", "2", "--save", "log.arena")
    assert result.exit_code == 0
    assert read(Path("log.arena"))[1:] == [played(spec) for spec in runner.specs]


def first_spec(arena: Arena, runner: FakeRunner) -> Any:
    arena("match", "ann", "bob")
    return runner.specs


def test_games_that_ended_before_an_interruption_are_saved(arena: Arena, runner: FakeRunner) -> None:
    """Ctrl-C loses no finished game."""

    def interrupt(record: MatchRecord) -> MatchRecord:
        if record.spec.index == 2:
            raise KeyboardInterrupt
        return record

    runner.changed = interrupt
    result = arena("match", "ann", "bob", "--games", "5", "--save", "log.arena")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "interrupted\n")
    assert [record.spec.index for record in read(Path("log.arena"))] == [0, 1]
