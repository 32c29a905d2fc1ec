"""Bots and their versions: immutable, counted from 1, found by label."""

from __future__ import annotations

import pytest

from arena.errors import Unknown, UsageError
from arena.store import Standing, Store, Version


def add(store: Store, name: str, content: str, **more: object) -> Version:
    return store.register(name, content, {"games": ["shelfie"], "n": 0.1}, trusted=False, **more)  # type: ignore[arg-type]


def test_a_version_has_what_was_said_of_it(store: Store) -> None:
    """Facts, origin, time and trust come back as they were given."""
    version = store.register(
        "owl", "ab", {"games": ["codex"], "command": ["python"]}, b"files", trusted=True, source="owl/", submitted_us=5
    )
    assert version == Version(
        "owl",
        1,
        "ab",
        {"games": ["codex"], "command": ["python"]},
        "owl/",
        None,
        5,
        Standing.REGISTERED,
        None,
        True,
        True,
    )
    assert store.version("owl@1") == version
    assert store.pack("owl@1") == b"files"


def test_versions_count_from_one(store: Store) -> None:
    """Another content under a name is its next version; other names have numbers of their own."""
    assert [add(store, name, content).label for name, content in [("owl", "a"), ("owl", "b"), ("cat", "a")]] == [
        "owl@1",
        "owl@2",
        "cat@1",
    ]
    assert [version.label for version in store.lineage("owl")] == ["owl@1", "owl@2"]
    assert [version.label for version in store.bots()] == ["cat@1", "owl@2"]


def test_the_same_content_is_the_same_version(store: Store) -> None:
    """Registering again changes nothing, but brings files that were missing."""
    first = add(store, "owl", "a", source="here", submitted_us=1)
    add(store, "owl", "b")
    again = add(store, "owl", "a", source="there", submitted_us=2)
    assert again == first
    assert store.pack("owl@1") is None
    assert add(store, "owl", "a", pack=b"1").packed
    assert add(store, "owl", "a", pack=b"2").packed
    assert store.pack("owl@1") == b"1"
    assert len(store.lineage("owl")) == 2


def test_lineage(store: Store) -> None:
    """A version follows the newest one, unless it is said to follow another."""
    add(store, "owl", "a")
    add(store, "owl", "b")
    add(store, "owl", "c", parent=1)
    assert [version.parent for version in store.lineage("owl")] == [None, 1, 1]


def test_a_name_means_its_newest_version(store: Store) -> None:
    """Retired and rejected versions are found by their label only."""
    for content in "abcd":
        add(store, "owl", content)
    assert store.version("owl").number == 4
    store.judge("owl@4", Standing.REJECTED)
    assert store.version("owl").number == 3
    store.retire("owl@3", retired_us=7)
    assert store.version("owl").number == 2
    store.judge("owl@2", Standing.QUALIFIED)
    assert store.version("owl").standing is Standing.QUALIFIED
    assert store.version("owl@3").retired_us == 7
    assert store.version("owl@4").standing is Standing.REJECTED


def test_who_is_not_there(store: Store) -> None:
    """A bot or version that is not there gets a sentence that says what there is."""
    add(store, "owl", "a")
    store.retire("owl@1")
    for label, sentence in {
        "cat": "there is no bot named cat in this arena: bring it in with 'arena submit'",
        "owl": "there is no bot owl to play here: all its versions are retired or rejected",
        "owl@2": "there is no bot owl@2 to play here: its versions are owl@1",
        "owl@x": "there is no bot owl@x",
    }.items():
        with pytest.raises(Unknown, match=sentence):
            store.version(label)
    for change in (store.retire, store.pack):
        with pytest.raises(Unknown, match="there is no version owl@2"):
            change("owl@2")


@pytest.mark.parametrize("name", ["", "a b", "owl@1", "cup/1", "ö", "x" * 65])
def test_bad_names(name: str, store: Store) -> None:
    """A name that would be taken for something else is refused, for bots and for tournaments."""
    with pytest.raises(UsageError, match=f"'{name}' cannot be the name of a bot"):
        add(store, name, "a")
    with pytest.raises(UsageError, match=f"'{name}' cannot be the name of a tournament"):
        store.open_tournament(name, "shelfie", "round-robin", {}, 0)
