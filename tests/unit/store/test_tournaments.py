"""Tournaments: opened once under a name, continued by the same definition."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.errors import Conflict, Unknown
from arena.store import State, Store, Tournament
from tests.unit.store.table import arena_of, match

DEFINITION = {"bots": ["ann@1", "bob@1"], "games": 100, "time": {"move_ms": 1_000, "bank_ms": 0}}


def test_opening(store: Store) -> None:
    """A tournament is what it was opened as, and has nothing settled yet."""
    opened = store.open_tournament("cup", "shelfie", "swiss", DEFINITION, 5)
    assert opened == Tournament("cup", "shelfie", "swiss", DEFINITION, 5, True, State.RUNNING, 0)
    assert store.tournament("cup") == opened


def test_opening_again_goes_on(store: Store) -> None:
    """The same definition, with its keys in any order, is the same tournament, opened when it was opened first."""
    opened = store.open_tournament("cup", "shelfie", "swiss", DEFINITION, 5)
    store.finish("cup", State.STOPPED)
    assert store.tournament("cup").state is State.STOPPED
    assert store.open_tournament("cup", "shelfie", "swiss", dict(reversed(DEFINITION.items())), 6) == opened
    store.finish("cup")
    assert store.open_tournament("cup", "shelfie", "swiss", DEFINITION, 7).state is State.FINISHED


@pytest.mark.parametrize(
    ("game", "system", "definition", "rated"),
    [
        ("codex", "swiss", DEFINITION, True),
        ("shelfie", "ladder", DEFINITION, True),
        ("shelfie", "swiss", {**DEFINITION, "games": 101}, True),
        ("shelfie", "swiss", DEFINITION, False),
    ],
)
def test_another_tournament_under_the_name(
    game: str, system: str, definition: dict[str, object], rated: bool, store: Store
) -> None:
    """Whoever opens something else under a taken name is told so, and nothing is changed."""
    opened = store.open_tournament("cup", "shelfie", "swiss", DEFINITION, 5)
    with pytest.raises(Conflict, match=r"there is another tournament named cup .*choose another name, or repeat"):
        store.open_tournament("cup", game, system, definition, 5, rated=rated)
    assert store.tournaments() == [opened]


def joined(*after: int) -> dict[str, object]:
    return {**DEFINITION, "joins": [{"bot": f"bot{number}@1", "after": match} for number, match in enumerate(after)]}


def test_a_definition_grows_by_who_joins(store: Store) -> None:
    """With further bots that join it is the same tournament, as it was opened; without them it is another one."""
    opened = store.open_tournament("cup", "shelfie", "ladder", DEFINITION, 5)
    for grown in (joined(0), joined(0, 4)):
        assert store.open_tournament("cup", "shelfie", "ladder", grown, 6) == replace(opened, definition=grown)
        assert not store.audit().definition_changed("cup")
    for other in (DEFINITION, joined(4), joined(4, 0, 8), {**joined(0, 4, 8), "games": 101}):
        with pytest.raises(Conflict, match="there is another tournament named cup"):
            store.open_tournament("cup", "shelfie", "ladder", other, 6)
    assert store.tournament("cup").definition == joined(0, 4)


def test_nobody_joins_among_what_was_played(store: Store) -> None:
    """Who would join before the last match in the log, void or not, is refused, because it was played without it."""
    arena_of(store, "ann@1", "bob@1", tournaments=())
    store.open_tournament("cup", "shelfie", "ladder", DEFINITION, 5)
    assert store.reach("cup") == 0
    store.record([match(0, "ann@1", "bob@1"), match(6, "ann@1", "bob@1", void="The machine stood still.")])
    assert store.reach("cup") == 7
    with pytest.raises(Conflict, match="cup was played on while a bot was about to join it"):
        store.open_tournament("cup", "shelfie", "ladder", joined(6), 5)
    assert store.open_tournament("cup", "shelfie", "ladder", joined(7), 5).definition == joined(7)


def test_the_list_is_in_schedule_order(store: Store) -> None:
    """Tournaments are listed by when they were opened, and by the bytes of their names."""
    for name, opened_us in (("b", 1), ("B", 1), ("z", 0), ("a", 2)):
        store.open_tournament(name, "codex" if name == "z" else "shelfie", "swiss", {}, opened_us)
    assert [tournament.name for tournament in store.tournaments()] == ["z", "B", "b", "a"]
    assert [tournament.name for tournament in store.tournaments("shelfie")] == ["B", "b", "a"]


def test_who_is_not_there(store: Store) -> None:
    """A tournament that nobody opened is not there to be shown or ended."""
    for ask in (store.tournament, store.finish):
        with pytest.raises(Unknown, match="there is no tournament named cup in this arena"):
            ask("cup")
