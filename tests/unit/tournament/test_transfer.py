"""What leaves one arena comes into another as it was, and nothing else does."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from arena import archive
from arena.archive.cupfile import CupFile
from arena.errors import BadRecord, Conflict, Unknown, UsageError
from arena.record import MatchRecord
from arena.replay import verify
from arena.store import Kept, Pool, State, Store, open_store
from arena.tournament.audit import Report, audit, audit_file
from arena.tournament.dataset import COLUMNS, write_parquet
from arena.tournament.incoming import bring_in
from arena.tournament.ledger import settle
from arena.tournament.outgoing import Choice, selected, write_arena, write_lines, write_tournament
from arena_rules import game
from tests.ledgers import make_bot, play_cup, register_bots
from tests.unit.cli.played import played, spec_of, timed_out, void


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An arena in which three bots have played a cup, with one attempt that came out void."""
    with open_store(tmp_path / "here" / "arena.db") as opened:
        labels = register_bots(opened, tmp_path / "bots", "ann", "bob", "cleo")
        play_cup(opened, labels, blocks=6, void_at=3)
        yield opened


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    """Another arena, in which there is nothing."""
    with open_store(tmp_path / "there" / "arena.db") as opened:
        yield opened


@pytest.fixture
def cup(store: Store, tmp_path: Path) -> Path:
    write_tournament(tmp_path / "cup.cup", store, "cup", with_bots=True)
    return tmp_path / "cup.cup"


def contents(store: Store) -> list[tuple[str, str]]:
    return [(str(kept.key), kept.sha256) for kept in store.records()]


def table(store: Store) -> list[Any]:
    settle(store, Pool("shelfie"))
    return store.leaderboard_rows(Pool("shelfie"))


# ── whole tournaments ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_tournament_moves(store: Store, other: Store, cup: Path) -> None:
    """Records, definition, state, files of bots and the table that follows are the same there as here."""
    arrival = bring_in(other, cup)
    assert (arrival.tournament, arrival.matches) == ("cup", 13)
    assert arrival.new_bots == ("ann@1", "bob@1", "cleo@1")
    assert arrival.renamed == {}
    assert contents(other) == contents(store)
    assert other.tournament("cup") == store.tournament("cup")
    assert other.pack("bob@1") == store.pack("bob@1")
    assert not other.version("bob").trusted
    assert table(other) == table(store)
    assert audit(other).findings == []


def test_importing_twice_is_importing_once(other: Store, cup: Path) -> None:
    """The same file again changes nothing."""
    bring_in(other, cup)
    before = contents(other)
    arrival = bring_in(other, cup)
    assert arrival.new_bots == ()
    assert contents(other) == before
    assert len(other.tournaments()) == 1


def test_the_arena_it_came_from_knows_it(store: Store, cup: Path) -> None:
    """A tournament that comes home finds itself."""
    before = contents(store)
    bring_in(store, cup)
    assert contents(store) == before
    assert [version.number for version in store.lineage("ann")] == [1]


def test_versions_are_known_by_their_content(store: Store, other: Store, cup: Path, tmp_path: Path) -> None:
    """Where a version has another number, records and definition speak of it by the number it has here."""
    make_bot(tmp_path / "elsewhere" / "ann", "ann", "# another ann\n")
    register_bots(other, tmp_path / "more", "cleo")
    other.register("ann", "ab" * 32, {"games": ["shelfie"]}, trusted=True)
    arrival = bring_in(other, cup)
    assert arrival.renamed == {"ann@1": "ann@2"}
    assert arrival.new_bots == ("ann@2", "bob@1")
    assert other.tournament("cup").definition["bots"] == ["ann@2", "bob@1", "cleo@1"]
    assert audit(other).findings == []
    names = {"ann@1": "ann@2"}
    there = [replace(rating, bot=names.get(rating.bot, rating.bot)) for rating in table(store)]
    assert table(other) == there
    again = contents(other)
    bring_in(other, cup)
    assert contents(other) == again


def test_another_tournament_of_that_name(other: Store, cup: Path, tmp_path: Path) -> None:
    """A name that is taken is not taken over; nothing is written until there is another name for it."""
    play_cup(other, register_bots(other, tmp_path / "more", "dan", "eve"), blocks=2)
    before = contents(other)
    with pytest.raises(Conflict, match=r"there is another tournament named cup in this arena: .* --as NAME"):
        bring_in(other, cup)
    assert contents(other) == before
    assert [version.label for version in other.bots()] == ["dan@1", "eve@1"]
    arrival = bring_in(other, cup, "guests")
    assert arrival.tournament == "guests"
    assert other.tournament("guests").definition["name"] == "guests"
    assert {kept.record().spec.tournament for kept in other.records("guests")} == {"guests"}
    assert audit(other).findings == []
    assert bring_in(other, cup, "guests").new_bots == ()


def test_a_tournament_that_goes_on(store: Store, other: Store, tmp_path: Path) -> None:
    """A tournament that is not over is not over there either, and a later file brings the rest."""
    labels = ["ann@1", "bob@1"]
    play_cup(store, labels, name="league", opened_us=5, blocks=3)
    store.finish("league", State.RUNNING)
    write_tournament(tmp_path / "one.cup", store, "league", with_bots=False)
    bring_in(other, tmp_path / "one.cup")
    assert other.tournament("league").state is State.RUNNING
    assert other.pack("ann@1") is None
    store.finish("league", State.FINISHED)
    write_tournament(tmp_path / "two.cup", store, "league", with_bots=True)
    bring_in(other, tmp_path / "two.cup")
    assert other.tournament("league") == store.tournament("league")
    assert other.pack("ann@1") == store.pack("ann@1")


def test_the_same_tournament_gives_the_same_file(store: Store, cup: Path, tmp_path: Path) -> None:
    """The seal depends on what is in the file, not on when it was made."""
    _, seal = write_tournament(tmp_path / "again.cup", store, "cup", with_bots=True)
    assert (tmp_path / "again.cup").read_bytes() == cup.read_bytes()
    with CupFile(cup) as file:
        assert (file.seal, file.sealed) == (seal, True)


def test_what_is_not_there_cannot_be_exported(store: Store, tmp_path: Path) -> None:
    """Unknown names and missing files are said, and no half file is left."""
    with pytest.raises(Unknown, match="there is no tournament named pokal"):
        write_tournament(tmp_path / "x.cup", store, "pokal", with_bots=False)
    with pytest.raises(UsageError, match=r"x\.cup cannot be written: No such file"):
        write_tournament(tmp_path / "nowhere" / "x.cup", store, "cup", with_bots=False)
    store.register("zoe", "ab" * 32, {"games": ["shelfie"]}, trusted=True)
    play_cup(store, ["ann@1", "zoe@1"], name="pokal", opened_us=9, blocks=2)
    with pytest.raises(UsageError, match="the arena has no files of zoe@1"):
        write_tournament(tmp_path / "x.cup", store, "pokal", with_bots=True)
    assert list(tmp_path.glob("x.cup*")) == []


# ── hostile files ───────────────────────────────────────────────────────────────────────────────────────────────────


def rezip(path: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """The file with other members."""
    with zipfile.ZipFile(path) as archive_:
        members = {name: archive_.read(name) for name in archive_.namelist()}
    change(members)
    made = path.with_name("changed.cup")
    with zipfile.ZipFile(made, "w") as archive_:
        for name, content in members.items():
            archive_.writestr(name, content)
    return made


def other_move(members: dict[str, bytes]) -> None:
    messages = list(archive.framed(io.BytesIO(members["records.arena"]), "it"))
    record = archive.parse(messages[2])
    moves = (*record.moves[:4], replace(record.moves[4], notation=record.moves[0].notation), *record.moves[5:])
    messages[2] = archive.to_wire(replace(record, moves=moves)).SerializeToString()
    members["records.arena"] = b"".join(map(archive.frame, messages))


def fewer_records(members: dict[str, bytes]) -> None:
    messages = list(archive.framed(io.BytesIO(members["records.arena"]), "it"))
    members["records.arena"] = b"".join(map(archive.frame, messages[:-1]))


def swapped(members: dict[str, bytes]) -> None:
    messages = list(archive.framed(io.BytesIO(members["records.arena"]), "it"))
    members["records.arena"] = b"".join(map(archive.frame, [messages[1], messages[0], *messages[2:]]))


def other_seed(members: dict[str, bytes]) -> None:
    members["cup.json"] = members["cup.json"].replace(b'"seed": 7', b'"seed": 8')


def other_pack(members: dict[str, bytes]) -> None:
    first, second = [name for name in members if name.startswith("bots/")][:2]
    members[first] = members[second]


def other_bot(members: dict[str, bytes]) -> None:
    head = json.loads(members["cup.json"])
    head["bots"][0]["number"] = 9
    members["cup.json"] = json.dumps(head).encode()


def strange_seats(members: dict[str, bytes]) -> None:
    messages = list(archive.framed(io.BytesIO(members["records.arena"]), "it"))
    first, second, third = (archive.parse(message) for message in messages[:3])
    assert first.outcome is not None
    short = replace(first.outcome, ranks=first.outcome.ranks[:1], scores=first.outcome.scores[:1])
    strange = [
        replace(first, outcome=short),
        replace(second, moves=(replace(second.moves[0], seat=7), *second.moves[1:])),
        replace(third, efforts=third.efforts[:1]),
    ]
    messages[:3] = [archive.to_wire(record).SerializeToString() for record in strange]
    members["records.arena"] = b"".join(map(archive.frame, messages))


TAMPERED = {
    "seats": (
        strange_seats,
        ["record 1: 2 bots played, and it has results for 1", "it speaks of seat 7", "and efforts for 1 of them"],
    ),
    "move": (other_move, ["its records are not those that were sealed", "cup/2: move 5 (seat 0"]),
    "missing": (fewer_records, ["its records are not those that were sealed", "it holds 12 records"]),
    "order": (swapped, ["its records are not those that were sealed", "not come in the order of the schedule"]),
    "definition": (other_seed, ["its cup.json is not the one that was sealed"]),
    "pack": (other_pack, ["the files of ", " were changed after the file was sealed"]),
    "bot": (other_bot, ["its cup.json is not the one that was sealed", "is not among the bots of the file"]),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_file_that_was_tampered_with(what: str, other: Store, cup: Path) -> None:
    """What differs is found and named, and nothing of such a file comes in."""
    change, sentences = TAMPERED[what]
    changed = rezip(cup, change)
    report = Report()
    audit_file(changed, report)
    told = "\n".join(map(str, report.findings))
    for sentence in sentences:
        assert sentence in told
    with pytest.raises(BadRecord, match="is not as it should be, so nothing of it was taken in"):
        bring_in(other, changed)
    assert other.tournaments() == []
    assert other.bots() == []


UNREADABLE: dict[str, tuple[Callable[[dict[str, bytes]], object], str]] = {
    "no head": (lambda members: members.pop("cup.json"), "it has no cup.json"),
    "no seal": (lambda members: members.pop("SHA256"), "it has no SHA256"),
    "no records": (lambda members: members.pop("records.arena"), "it has no records.arena"),
    "head is no JSON": (lambda members: members.update({"cup.json": b"{"}), "its cup.json is not JSON"),
    "head is a list": (lambda members: members.update({"cup.json": b"[]"}), "it is not the file of a tournament"),
    "half a head": (
        lambda members: members.update({"cup.json": b'{"format": "arena-cup", "version": 1}'}),
        "its cup.json is not as arena writes it",
    ),
    "a name that is none": (
        lambda members: members.update({"cup.json": members["cup.json"].replace(b'"bob"', b'"../bob"')}),
        "its cup.json is not as arena writes it: bots.1.name: ",
    ),
    "other types": (
        lambda members: members.update({"cup.json": members["cup.json"].replace(b'"through": 12', b'"through": "12"')}),
        "its cup.json is not as arena writes it: through: ",
    ),
    "a later version": (
        lambda members: members.update({"cup.json": members["cup.json"].replace(b'"version": 1', b'"version": 2')}),
        "it is of version 2, and this arena reads version 1",
    ),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_a_file_that_is_none(what: str, other: Store, cup: Path) -> None:
    """A file that is not that of a tournament is refused with one sentence that names it."""
    change, sentence = UNREADABLE[what]

    def apply(members: dict[str, bytes]) -> None:
        change(members)

    with pytest.raises(BadRecord, match=sentence):
        bring_in(other, rezip(cup, apply))
    assert other.bots() == []


def test_a_file_that_breaks_off(other: Store, cup: Path) -> None:
    """Half a file is no file."""
    cup.write_bytes(cup.read_bytes()[:-500])
    with pytest.raises(BadRecord, match=r"is not a record file|the end of it is missing"):
        bring_in(other, cup)


# ── single records ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("write", [write_arena, write_lines])
def test_records_move(write: Callable[[Path, Any], int], store: Store, other: Store, tmp_path: Path) -> None:
    """Records of matches that count come into a tournament of their own, unrated, and only once."""
    path = tmp_path / "games.records"
    assert write(path, selected(store, Choice(bot="ann"))) == sum("ann@1" in bots for bots in lineups(store))
    arrival = bring_in(other, path, "friendly")
    bring_in(other, path, "friendly")
    assert arrival.matches == len(list(other.records("friendly")))
    assert not other.tournament("friendly").rated
    assert table(other) == []
    assert [moves(kept) for kept in other.records()] == [
        moves(kept) for kept in store.records() if counts(kept) and "ann@1" in kept.record().spec.lineup
    ]
    assert audit(other).findings == []


def lineups(store: Store) -> list[tuple[str, ...]]:
    return [kept.record().spec.lineup for kept in store.records() if counts(kept)]


def counts(kept: Kept) -> bool:
    return kept.record().outcome is not None


def moves(kept: Kept) -> tuple[Any, ...]:
    return kept.record().moves


def test_records_can_count(store: Store, other: Store, tmp_path: Path) -> None:
    """When they are to be rated, the same blocks give the same table."""
    write_arena(tmp_path / "cup.arena", selected(store, Choice(tournament="cup")))
    bring_in(other, tmp_path / "cup.arena", rated=True)
    assert table(other) == table(store)


@pytest.mark.parametrize(
    ("choice", "matches"),
    [
        (Choice(), 12),
        (Choice(void=True), 13),
        (Choice(game="codex"), 0),
        (Choice(since_us=4_000_000), 9),
        (Choice(tournament="cup", bot="cleo@1", since_us=0), None),
    ],
)
def test_only_what_is_wanted(store: Store, choice: Choice, matches: int | None) -> None:
    """Filters leave out what they say."""
    found = [record for record, _ in selected(store, choice)]
    wanted = sum("cleo@1" in bots for bots in lineups(store)) if matches is None else matches
    assert len(found) == wanted


def test_a_bot_that_nobody_knows(store: Store) -> None:
    """A misspelt name is said to be one, instead of giving an empty file."""
    with pytest.raises(Unknown, match="there is no bot named anna"):
        selected(store, Choice(bot="anna"))


def test_records_without_a_tournament(other: Store, tmp_path: Path) -> None:
    """What `arena match` has saved needs a name, a content hash for every bot, and one game."""
    good = [played(spec_of("ann", "bob", seed=seed)) for seed in (1, 1, 2)]
    path = tmp_path / "games.arena"
    archive.write(path, good)
    with pytest.raises(UsageError, match="belong to no tournament: say what to call them with --as NAME"):
        bring_in(other, path)
    bring_in(other, path, "friendly")
    assert [result.block for result in other.results("shelfie", tournament="friendly")] == [0, 0, 1]
    nameless = replace(good[0], lineup=(replace(good[0].lineup[0], content_hash=""), good[0].lineup[1]))
    codex = played(replace(spec_of("ann", "bob", edition=game("codex").default_edition), game="codex"))
    for wrong, sentence in [(nameless, "has no content hash"), (codex, "it is a match of codex")]:
        archive.write(path, [good[0], wrong])
        with pytest.raises(UsageError, match=f"record 2: .*{sentence}"):
            bring_in(other, path, "more")
    with pytest.raises(UsageError, match="'a/b' cannot be the name of a tournament"):
        bring_in(other, path, "a/b")
    assert [one.name for one in other.tournaments()] == ["friendly"]


def test_records_into_a_real_tournament(store: Store, tmp_path: Path) -> None:
    """Single records never get into a tournament that was played here."""
    write_arena(tmp_path / "cup.arena", selected(store, Choice(tournament="cup")))
    with pytest.raises(Conflict, match="there is another tournament named cup in this arena"):
        bring_in(store, tmp_path / "cup.arena")


# ── training rows ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_rows(tmp_path: Path) -> None:
    """There is a row for each move: what the seat saw and played, and what came of it."""
    record = played(replace(spec_of("ann@1", "bob@1", "cleo@1"), tournament="cup", index=4), timed_out(1, 4))
    assert write_parquet(tmp_path / "m.parquet", [record]) == 1
    found = pq.read_table(tmp_path / "m.parquet")
    assert found.schema.names == list(COLUMNS)
    rows = found.to_pylist()
    assert [row["move"] for row in rows] == [move.notation for move in record.moves]
    assert [row["turn"] for row in rows] == list(range(len(record.moves)))
    states = {position.turn: position.state for position in verify(record)}
    outcome = record.outcome
    assert outcome is not None
    for row, move in zip(rows, record.moves, strict=True):
        assert (row["match"], row["seat"], row["bot"]) == ("cup/4", move.seat, record.spec.lineup[move.seat])
        assert game("shelfie").read_view(row["view"]) == states[row["turn"]].view(move.seat)
        assert (row["rank"], row["score"]) == (outcome.ranks[move.seat], outcome.scores[move.seat].total)
        assert row["forfeit"] == ("timed out" if move.seat == 1 else None)


def test_rows_of_a_void_match(tmp_path: Path) -> None:
    """Nothing came of a void match, and its rows say nothing."""
    record = void(replace(BASE, spec=replace(BASE.spec, tournament="cup")))
    write_parquet(tmp_path / "m.parquet", [record])
    first = pq.read_table(tmp_path / "m.parquet").to_pylist()[0]
    assert (first["match"], first["rank"], first["score"], first["margin"]) == ("cup/0~0", None, None, None)


BASE: MatchRecord = played(spec_of("ann@1", "bob@1"))


def test_memory_does_not_grow_with_the_log(tmp_path: Path) -> None:
    """Ten times as many matches need no more memory to write."""

    def peak(matches: int) -> int:
        message = archive.to_wire(BASE).SerializeToString()
        tracemalloc.start()
        write_lines(tmp_path / "m.jsonl", ((BASE, message) for _ in range(matches)))
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(10)
    assert peak(300) < 1.5 * peak(30)
