"""The audit: whatever is tampered with is found and named, and nothing else is."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.archive import to_wire
from arena.record import MatchRecord
from arena.store import Kept, Pool, Store, open_store
from arena.tournament.audit import Report, audit
from arena_rules import game
from tests.ledgers import entrants, play_cup, record_of, register_bots

Sql = Callable[..., None]

# The cup is the first tournament of the database.
RECORDS = 'UPDATE records SET {} WHERE tournament_id = 1 AND "index" = ?'
MATCHES = 'UPDATE matches SET {} WHERE tournament_id = 1 AND "index" = 3'
SEATS = 'UPDATE seats SET {} WHERE tournament_id = 1 AND "index" = 3 AND seat = 1'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An arena with three bots and two tournaments."""
    folder = tmp_path_factory.mktemp("made")
    with open_store(folder / "arena.db") as store:
        labels = register_bots(store, folder, "ann", "bob", "cleo")
        play_cup(store, labels)
        play_cup(store, labels[:2], name="return", opened_us=2, blocks=2, void_at=1)
    return folder / "arena.db"


@pytest.fixture
def file(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path / "arena.db"))


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    with open_store(file) as opened:
        yield opened


@pytest.fixture
def sql(file: Path) -> Sql:
    """Changes something behind the back of the arena."""

    def run(statement: str, *values: object) -> None:
        with sqlite3.connect(file) as connection:
            assert connection.execute(statement, values).rowcount == 1
        connection.close()

    return run


def told(report: Report) -> list[str]:
    return [str(finding) for finding in report.findings]


def kept(store: Store, tournament: str, index: int) -> Kept:
    (found,) = store.records(tournament, start=index, stop=index + 1)
    return found


def rewrite(sql: Sql, store: Store, index: int, change: Callable[[MatchRecord], MatchRecord], *, seal: bool) -> None:
    """Put another record in the place of that of a match of the cup, with or without a new hash for it."""
    message = to_wire(change(kept(store, "cup", index).record())).SerializeToString(deterministic=True)
    sql(RECORDS.format("content = ?"), zlib.compress(message), index)
    if seal:
        sql(RECORDS.format("sha256 = ?"), hashlib.sha256(message).hexdigest(), index)


def another_move(record: MatchRecord) -> MatchRecord:
    """The record with another legal move for the fifth."""
    rules = game(record.spec.game)
    state = rules.deal(2, record.spec.seed, rules.rules(record.spec.edition, record.spec.options))
    for move in record.moves[:4]:
        state = state.apply(rules.read_move(move.notation))
    other = next(str(move) for move in state.legal_moves() if str(move) != record.moves[4].notation)
    return replace(record, moves=(*record.moves[:4], replace(record.moves[4], notation=other), *record.moves[5:]))


def impossible_move(record: MatchRecord) -> MatchRecord:
    """The record with the first move again in the place of the fifth."""
    again = replace(record.moves[4], notation=record.moves[0].notation)
    return replace(record, moves=(*record.moves[:4], again, *record.moves[5:]))


def better_score(record: MatchRecord) -> MatchRecord:
    assert record.outcome is not None
    first, *others = record.outcome.scores
    (name, points), *parts = first.parts
    sheet = replace(first, parts=((name, points + 1), *parts))
    return replace(record, outcome=replace(record.outcome, scores=(sheet, *others)))


def test_an_untouched_arena_is_clean(store: Store) -> None:
    """Everything is checked, and nothing is found."""
    report = audit(store)
    assert told(report) == []
    assert (report.matches, report.versions, report.packs, report.pages) == (17, 3, 3, 2)
    assert report.unchecked == []


def test_many_processes_find_the_same(store: Store, sql: Sql, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many processes replay the games, the findings come in the order of the log."""
    monkeypatch.setattr("arena.tournament.audit.games._ALONE", 4)
    monkeypatch.setattr("arena.tournament.audit.games._CHUNK", 3)
    for index in (2, 7):
        rewrite(sql, store, index, better_score, seal=True)
    steps: list[None] = []
    report = audit(store, jobs=2, step=lambda: steps.append(None))
    assert report == audit(store)
    assert [finding.place for finding in report.findings if "does not replay" in finding.problem] == ["cup/2", "cup/7"]
    assert len(steps) == report.matches == 17


def test_a_record_that_was_changed(store: Store, sql: Sql) -> None:
    """A record that does not have the hash that was noted for it is named, and so is what is wrong with it."""
    rewrite(sql, store, 3, impossible_move, seal=False)
    changed, move = told(audit(store))
    assert changed.startswith("cup/3: its record was changed after it was written: its hash is ")
    assert move.startswith("cup/3: move 5 (seat 0, ")
    assert "does not replay" in move


def test_a_move_that_was_changed_and_sealed(store: Store, sql: Sql) -> None:
    """A new hash does not help: the rules know the move, and the result that follows from it."""
    rewrite(sql, store, 3, impossible_move, seal=True)
    rewrite(sql, store, 4, another_move, seal=True)
    first, second = told(audit(store))
    assert first.startswith("cup/3: move 5 (seat 0, ")
    assert second.startswith("cup/4: ")
    assert "does not replay" in second


def test_a_score_that_was_changed(store: Store, sql: Sql) -> None:
    """A score in a record is compared with the game, and with the list of matches."""
    rewrite(sql, store, 3, better_score, seal=True)
    listed, replayed = told(audit(store))
    assert listed.startswith("cup/3: seat 0, ")
    assert "score is " in listed
    assert replayed.startswith("cup/3: the result does not replay: seat 0 scored ")


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (SEATS.format("score = score + 1"), "score is "),
        (SEATS.format("rank = 3 - rank"), "rank is "),
        (SEATS.format("think_us = 1"), "think_us is 1 in the list of matches"),
        (SEATS.format("forfeit = 'crashed'"), "forfeit is 'crashed' in the list of matches, and nothing in the record"),
        (MATCHES.format("turns = 3"), "turns is 3 in the list of matches"),
        (MATCHES.format("block = 9"), "block is 9 in the list of matches, and 1 in the record"),
    ],
)
def test_a_line_of_the_list_that_was_changed(store: Store, sql: Sql, statement: str, problem: str) -> None:
    """What the list of matches says of a match is compared with its record; ratings that rest on it are not trusted."""
    sql(statement)
    report = audit(store)
    (found,) = told(report)
    assert found.startswith("cup/3: ")
    assert problem in found
    assert report.unchecked == ["the ratings: the log that they follow from is not in order"]


def test_a_seat_that_was_given_to_another(store: Store, sql: Sql) -> None:
    """A seat in the list belongs to the version whose content the record names."""
    sql(SEATS.format("version_id = 1 + version_id % 3"))
    (found,) = told(audit(store))
    assert found.startswith("cup/3: seat 1: ")
    assert "is listed, and the record says that " in found


def test_a_match_that_was_removed(store: Store, file: Path) -> None:
    """A hole in what was settled is seen."""
    with sqlite3.connect(file) as connection:
        for table in ("records", "seats", "matches"):
            connection.execute(f'DELETE FROM {table} WHERE tournament_id = 1 AND "index" = 3')  # noqa: S608 - our names
    connection.close()
    found = told(audit(store))
    assert found == ["cup/3: it is missing: 12 matches of cup were settled, from the first on"]


def test_a_record_that_was_removed(store: Store, sql: Sql) -> None:
    """A match without a record proves nothing."""
    sql('DELETE FROM records WHERE tournament_id = 1 AND "index" = 3')
    assert told(audit(store)) == ["cup/3: its record is missing"]


def test_a_record_that_is_rubbish(store: Store, sql: Sql) -> None:
    """Bytes that are no record are said to be none, without a traceback."""
    sql('UPDATE records SET content = ? WHERE tournament_id = 1 AND "index" = 3', b"rubbish")
    assert told(audit(store)) == ["cup/3: its record was changed after it was written: it cannot be read any more"]


def test_a_rating_that_was_changed(store: Store, sql: Sql) -> None:
    """A rating is compared with what the log gives, to the last digit, on the page where it stands."""
    (rating,) = [one for _, one in store.ratings(Pool("shelfie"), "return") if one.bot == "bob@1"]
    sql("UPDATE ratings SET mu = mu + 1e-9 WHERE version_id = 2 AND tournament_id = 2")
    (found,) = told(audit(store))
    assert found.startswith("the ratings of shelfie after return: bob@1: mu is ")
    assert found.endswith(f", and the log gives {rating.mu}")
    assert told(audit(store, "cup")) == []
    assert told(audit(store, "return")) == [found]


def test_a_tally_that_was_changed(store: Store, sql: Sql) -> None:
    """What was counted is compared too."""
    sql("UPDATE tallies SET numbers = numbers || '1' WHERE tournament_id = 1 AND key = (SELECT min(key) FROM tallies)")
    (found,) = told(audit(store))
    assert found.startswith("the ratings of shelfie after cup: the tally of ")


def test_a_past_that_was_changed(store: Store, sql: Sql) -> None:
    """The history of ratings belongs to the book."""
    sql('UPDATE history SET mu = 50 WHERE version_id = 1 AND tournament_id = 1 AND "index" = 0')
    assert told(audit(store)) == [
        "the ratings of shelfie after cup: the history of ann@1 is not what the log gives, from match cup/0 on"
    ]


def test_a_fit_that_was_changed(store: Store, sql: Sql) -> None:
    """The order-free fit is made again from the tallies."""
    sql("UPDATE fits SET document = replace(document, '\"blocks\": 6', '\"blocks\": 66')")
    found = told(audit(store))
    assert found
    assert all(one.startswith("the order-free fit of shelfie: ") for one in found)


def test_a_pack_that_was_changed(store: Store, sql: Sql) -> None:
    """The files of a version are unpacked and hashed again."""
    other = store.pack("bob@1")
    sql("UPDATE packs SET content = ? WHERE version_id = 1", other)
    (found,) = told(audit(store))
    assert found.startswith("ann@1: its files are not those of version ")


def test_a_content_hash_that_was_changed(store: Store, sql: Sql) -> None:
    """A version that claims another content fits neither its files nor the matches it played."""
    sql("UPDATE versions SET content_hash = ? WHERE id = 1", "ab" * 32)
    found = told(audit(store))
    assert "ann@1: its files are not those of version abababababab: they are not those that were submitted" in found
    assert any("no version of bot ann with content " in one for one in found)


def test_a_definition_that_was_changed(store: Store, sql: Sql) -> None:
    """A tournament is what it was opened as."""
    sql("UPDATE tournaments SET definition = replace(definition, '\"seed\": 7', '\"seed\": 8') WHERE name = 'cup'")
    assert "cup: its definition is not the one that it was opened with" in told(audit(store))


def test_void_attempts_are_checked_and_named(store: Store, sql: Sql) -> None:
    """A void attempt has a name of its own, and is replayed like any other match."""
    sql("UPDATE matches SET turns = 1 WHERE void")
    (found,) = told(audit(store))
    assert found.startswith("return/1~0: turns is 1 in the list of matches")


def test_a_match_that_nobody_had_planned(store: Store, sql: Sql) -> None:
    """A whole other game in the place of one, true in itself, is not the one that the tournament had drawn up."""

    def another_deal(record: MatchRecord) -> MatchRecord:
        spec = replace(record.spec, seed=record.spec.seed + 1)
        return record_of(spec, entrants(store, ["ann@1", "bob@1", "cleo@1"]))

    rewrite(sql, store, 3, another_deal, seal=True)
    found = [one for one in told(audit(store)) if "schedule" in one]
    seed = kept(store, "cup", 2).record().spec.seed
    assert found == [f"cup/3: its seed is {seed + 1}, and the schedule of the tournament says {seed}"]


def test_seats_that_are_not_at_the_table(store: Store, sql: Sql) -> None:
    """A record that speaks of a seat which nobody had is said to, without a traceback."""
    rewrite(
        sql,
        store,
        3,
        lambda record: replace(record, moves=(replace(record.moves[0], seat=9), *record.moves[1:])),
        seal=True,
    )
    assert told(audit(store)) == ["cup/3: it speaks of seat 9, and 2 bots played"]
