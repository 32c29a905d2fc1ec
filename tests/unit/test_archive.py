"""Records in files: what is written is read back, and what cannot be read is refused with a sentence."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import archive
from arena.errors import BadRecord, UsageError
from arena.record import NO_OPTIONS, Effort, Entrant, LogLine, MatchRecord, MatchSpec, PlayedMove, Verdict, VerdictKind
from arena_rules import Outcome, Score, Termination
from arena_sdk.events import TimeControl
from arena_sdk.v1.record_pb2 import RecordFile

SMALL = st.integers(0, 2**32 - 1)
LARGE = st.integers(0, 2**63 - 1)
POINTS = st.integers(-1_000, 1_000)
TEXT = st.text(max_size=12)
SEAT = st.integers(0, 3)


@st.composite
def outcomes(draw: st.DrawFn, players: int) -> Outcome:
    names = draw(st.lists(TEXT, max_size=4, unique=True))
    scores = tuple(Score(tuple((name, draw(POINTS)) for name in names)) for _ in range(players))
    ranks = tuple(draw(st.integers(1, 4)) for _ in range(players))
    return Outcome(ranks, scores, draw(st.sampled_from(Termination)))


@st.composite
def specs(draw: st.DrawFn, players: int) -> MatchSpec:
    return MatchSpec(
        index=draw(SMALL),
        game=draw(st.text(min_size=1, max_size=8)),
        edition=draw(TEXT),
        lineup=tuple(draw(TEXT) for _ in range(players)),
        seed=draw(st.integers(0, 2**64 - 1)),
        time=TimeControl(draw(SMALL), draw(SMALL)),
        options=draw(st.dictionaries(TEXT, TEXT, max_size=3)),
        tournament=draw(TEXT),
        block=draw(SMALL),
        attempt=draw(SMALL),
        lenient=draw(st.booleans()),
    )


VERDICTS = st.builds(
    Verdict,
    seat=SEAT,
    kind=st.sampled_from(VerdictKind),
    turn=SMALL,
    detail=TEXT,
    exit_status=st.none() | st.integers(-(2**31), 2**31 - 1),
    signal=st.integers(0, 64),
    log_tail=TEXT,
    answer=TEXT,
)
EFFORTS = st.builds(
    Effort,
    cpu_us=LARGE,
    peak_kb=LARGE,
    log=st.lists(st.builds(LogLine, turn=SMALL, text=TEXT), max_size=2).map(tuple),
)


@st.composite
def records(draw: st.DrawFn) -> MatchRecord:
    players = draw(st.integers(2, 4))
    moves = st.builds(PlayedMove, seat=SEAT, notation=TEXT, think_us=LARGE)
    return MatchRecord(
        spec=draw(specs(players)),
        rules_version=draw(TEXT),
        lineup=tuple(Entrant(draw(TEXT), draw(TEXT), draw(SMALL), draw(TEXT)) for _ in range(players)),
        moves=tuple(draw(st.lists(moves, max_size=4))),
        outcome=draw(st.none() | outcomes(players)),
        verdicts=tuple(draw(st.lists(VERDICTS, max_size=3))),
        started_us=draw(LARGE),
        elapsed_us=draw(LARGE),
        in_flight=draw(SMALL),
        void_reason=draw(TEXT),
        efforts=tuple(draw(st.lists(EFFORTS, max_size=players))),
        pardons=tuple(draw(st.lists(VERDICTS, max_size=1))),
    )


def a_record(seed: int = 7) -> MatchRecord:
    """A small record with everything in it."""
    return MatchRecord(
        spec=MatchSpec(3, "shelfie", "it", ("ann", "bob"), seed, TimeControl(1_000, 10_000), NO_OPTIONS),
        rules_version="1",
        lineup=(Entrant("ann", "ab" * 32), Entrant("bob")),
        moves=(PlayedMove(0, "d4e4>2", 812),),
        outcome=Outcome((1, 2), (Score((("groups", 5), ("goals", 4))), Score(())), Termination.ABANDONED),
        verdicts=(Verdict(1, VerdictKind.CRASHED, 1, "It fell.", None, 9, "last words"),),
        started_us=1_700_000_000_000_000,
        elapsed_us=42,
    )


@given(records())
def test_wire_round_trip(record: MatchRecord) -> None:
    """A record that went through protobuf bytes is the record that it was."""
    message = archive.to_wire(record)
    assert archive.from_wire(type(message).FromString(message.SerializeToString())) == record


@given(records())
def test_json_round_trip(record: MatchRecord) -> None:
    """A record that went through JSON text is the record that it was."""
    assert archive.from_json(json.loads(json.dumps(archive.to_json(record)))) == record


@settings(max_examples=25)
@given(st.lists(records(), min_size=1, max_size=3))
def test_file_round_trip(tmp_path_factory: pytest.TempPathFactory, several: list[MatchRecord]) -> None:
    """Records that were written to a file are read back in their order, and JSON is read as well as protobuf."""
    folder = tmp_path_factory.mktemp("archive")
    archive.write(folder / "a.arena", several)
    (folder / "a.json").write_text(json.dumps({"matches": list(map(archive.to_json, several))}))
    assert archive.read(folder / "a.arena") == archive.read(folder / "a.json") == several


def test_json_is_made_of_words_and_numbers() -> None:
    """A program in any language reads the JSON form without knowing our enums or protobuf's."""
    form = archive.to_json(a_record(seed=2**64 - 1))
    assert form["spec"]["seed"] == 2**64 - 1
    assert form["spec"]["time"] == {"move_ms": 1_000, "bank_ms": 10_000}
    assert form["verdicts"][0]["kind"] == "crashed"
    assert form["moves"] == [{"seat": 0, "notation": "d4e4>2", "think_us": 812}]
    assert form["outcome"] == {
        "termination": "abandoned",
        "seats": [{"rank": 1, "score": 9, "parts": {"groups": 5, "goals": 4}}, {"rank": 2, "score": 0, "parts": {}}],
    }


def test_a_file_grows_by_appending(tmp_path: Path) -> None:
    """Appending keeps what was there, and two files put one after the other are one file."""
    first, second, both = tmp_path / "1.arena", tmp_path / "2.arena", tmp_path / "both.arena"
    archive.append(first, a_record(1))
    archive.append(first, a_record(2))
    archive.write(second, [a_record(3)])
    both.write_bytes(first.read_bytes() + second.read_bytes())
    assert [record.spec.seed for record in archive.read(both)] == [1, 2, 3]


def test_writing_replaces_the_file(tmp_path: Path) -> None:
    """Writing leaves the new records alone in the file, and no other file beside it."""
    path = tmp_path / "a.arena"
    archive.write(path, [a_record(1), a_record(2)])
    archive.write(path, [a_record(3)])
    assert [record.spec.seed for record in archive.read(path)] == [3]
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_no_half_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a record cannot be appended whole, the file stays as readable as it was."""
    path = tmp_path / "a.arena"
    archive.append(path, a_record(1))

    def full_after_ten(file: int, content: bytes, write: Callable[[int, bytes], int] = os.write) -> int:
        if len(content) > 10:
            return write(file, content[:10]) and len(content) - 5
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_after_ten)
        with pytest.raises(UsageError, match=r"a.arena cannot be written: No space left on device"):
            archive.append(path, a_record(2))
    assert archive.read(path) == [a_record(1)]


def unknown_enum() -> bytes:
    message = archive.to_wire(a_record())
    message.verdicts[0].kind = 99  # type: ignore[assignment]
    return RecordFile(records=[message]).SerializeToString()


def wrong_total() -> bytes:
    message = archive.to_wire(a_record())
    message.outcome.seats[0].score = 10
    return RecordFile(records=[archive.to_wire(a_record()), message]).SerializeToString()


def nobody_played() -> bytes:
    message = archive.to_wire(a_record())
    del message.lineup[:]
    return RecordFile(records=[message]).SerializeToString()


def whole() -> bytes:
    return RecordFile(records=[archive.to_wire(a_record())]).SerializeToString()


def changed_json(change: Callable[[dict[str, object]], object]) -> bytes:
    form = archive.to_json(a_record())
    change(form)
    return json.dumps({"matches": [form]}).encode()


UNREADABLE = {
    "empty": (b"", "is empty: it holds no match record"),
    "a text": (b"# Notes\n\nNothing here.\n", "is not a record file, or the end of it is missing"),
    "a text that opens with a blank line": (b"\n\n\n", "is not a record file"),
    "an image": (b"\x89PNG\r\n\x1a\n" + bytes(64), "is not a record file"),
    "cut off": (whole()[:-1], "is not a record file, or the end of it is missing"),
    "cut in the middle": (whole()[:60], "is not a record file, or the end of it is missing"),
    "a verdict of the future": (unknown_enum(), "record 1: it holds VERDICT_KIND_99, which this version"),
    "a total that is not one": (
        wrong_total(),
        "record 2: the score sheet of seat 0 adds up to 9, not to the 10",
    ),
    "no line-up": (nobody_played(), "record 1: it does not say what was played and by whom"),
    "broken JSON": (b'{"matches": [', "is not a record file, and not the JSON of one either"),
    "other JSON": (b'{"matches": 3}', "is not a record file, and not the JSON of one either"),
    "JSON of something else": (b'{"name": "ann"}', "record 1: the JSON is not a match record"),
    "JSON without moves": (changed_json(lambda form: form.pop("moves")), "moves: field required"),
    "JSON with a text for a number": (changed_json(lambda form: form.update(elapsed_us="9")), "elapsed_us: .*integer"),
    "JSON with half an outcome": (changed_json(lambda form: form.update(outcome={})), "record 1: .*: outcome: not as"),
    "JSON with too few bots": (changed_json(lambda form: form.update(lineup=[])), "it does not say what was played"),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_unreadable(what: str, tmp_path: Path) -> None:
    """A file that holds no records is refused with one line that names it and says why."""
    content, sentence = UNREADABLE[what]
    path = tmp_path / "x.arena"
    path.write_bytes(content)
    with pytest.raises(BadRecord, match=sentence) as caught:
        archive.read(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_files_and_folders(tmp_path: Path) -> None:
    """A path that leads nowhere is told, not traced."""
    with pytest.raises(BadRecord, match=r"there is no file .*/none.arena"):
        archive.read(tmp_path / "none.arena")
    with pytest.raises(BadRecord, match="cannot be read: Is a directory"):
        archive.read(tmp_path)
    with pytest.raises(UsageError, match=r"cannot be written: No such file or directory"):
        archive.append(tmp_path / "none" / "a.arena", a_record())
    with pytest.raises(UsageError, match=r"cannot be written: No such file or directory"):
        archive.write(tmp_path / "none" / "a.arena", [a_record()])


def test_only_record_files_are_appended_to(tmp_path: Path) -> None:
    """Before a long match it is found out that its records could not be saved."""
    path = tmp_path / "a.arena"
    archive.check_appendable(path)
    archive.write(path, [a_record()])
    archive.check_appendable(path)
    path.write_text("my notes")
    with pytest.raises(BadRecord, match="is not a record file, so no record can be appended"):
        archive.check_appendable(path)
    with pytest.raises(UsageError, match="there is no folder"):
        archive.check_appendable(tmp_path / "none" / "a.arena")


def test_a_file_that_begins_like_json(tmp_path: Path) -> None:
    """A record of 123 bytes makes a file that begins with a newline and a brace, and is read all the same."""
    record = a_record()
    record = replace(record, verdicts=(), rules_version="", lineup=(Entrant("ann"), Entrant("bob")))
    size = len(archive.to_wire(record).SerializeToString())
    record = replace(record, rules_version="x" * (123 - size - 2))
    archive.write(tmp_path / "a.arena", [record])
    assert (tmp_path / "a.arena").read_bytes().startswith(b"\n{")
    assert archive.read(tmp_path / "a.arena") == [record]


@given(several=st.lists(records(), min_size=1, max_size=3))
@settings(max_examples=20)
def test_a_record_in_each_line(tmp_path_factory: pytest.TempPathFactory, several: list[MatchRecord]) -> None:
    """A file with the JSON of a record in each line holds those records."""
    path = tmp_path_factory.mktemp("lines") / "games.jsonl"
    path.write_text("".join(json.dumps(archive.to_json(record)) + "\n" for record in several))
    assert archive.read(path) == several


def test_records_are_framed_as_in_a_file() -> None:
    """Frames put one after the other are what the protobuf library writes, whatever the lengths."""
    contents = [archive.to_wire(replace(a_record(), void_reason="x" * size)) for size in (0, 50, 300, 20_000)]
    frames = b"".join(archive.frame(message.SerializeToString()) for message in contents)
    assert frames == RecordFile(records=contents).SerializeToString()
    assert list(archive.framed(io.BytesIO(frames), "it")) == [message.SerializeToString() for message in contents]
