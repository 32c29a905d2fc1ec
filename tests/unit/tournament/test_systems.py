"""Systems by name: what can be set, and which mistakes are answered with a sentence."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from arena.errors import UsageError
from arena.tournament.definition import Deals
from arena.tournament.systems import SYSTEMS, Field, find, make
from tests.schedules import drive, names


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_explains_its_options(name: str) -> None:
    """Whoever asks for help finds a sentence for each option, and its default is a value that is allowed."""
    kind = SYSTEMS[name]
    assert kind.options.system == name
    for setting in kind.options.settings():
        assert len(setting.text.split()) >= 4, setting.name
        kind.options.from_options({setting.name: setting.default})


@pytest.mark.parametrize(
    ("system", "options", "sentence"),
    [
        ("round-robin", {"roudns": 3}, "round-robin has no option roudns: did you mean rounds?"),
        ("round-robin", {"colour": 3}, "there are rounds, blocks, games"),
        ("round-robin", {"rounds": 0}, "rounds must be at least 1, not 0"),
        ("round-robin", {"rounds": "many"}, "rounds must be a whole number, not 'many'"),
        ("round-robin", {"rounds": True}, "rounds must be a whole number"),
        ("round-robin", {"rounds": 1.5}, "rounds must be a whole number"),
        ("round-robin", {"rounds": 2, "games": 10}, "rounds and games both say how long round-robin lasts"),
        ("round-robin", {"games": 1}, "1 games are less than one block"),
        ("gauntlet", {"challengers": "bot009"}, "the challenger bot009 is not among the bots"),
        ("gauntlet", {"challengers": 7}, "challengers must be a list of words"),
        ("gauntlet", {"challengers": list(names(4))}, "the challengers leave 0 bots to meet"),
        ("round-rubin", {}, "there is no system called round-rubin: did you mean round-robin?"),
    ],
)
def test_a_wrong_option_gets_a_sentence(system: str, options: Mapping[str, object], sentence: str) -> None:
    """A mistyped or impossible option is named, with what would be right."""
    with pytest.raises(UsageError) as refusal:
        make(system, Field(names(4)), options)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("bots", "players", "sentence"),
    [
        (("ada", "bob", "ada"), (2,), "ada is entered twice"),
        (("ada", "bob"), (2, 3), "tables of 3 need at least 3 bots, and 2 entered"),
        (("ada", "bob"), (5,), "players must be among 2, 3, 4"),
        (("ada", "bob"), (), "players must be among 2, 3, 4"),
    ],
)
def test_a_field_that_does_not_fit_gets_a_sentence(
    bots: tuple[str, ...], players: tuple[int, ...], sentence: str
) -> None:
    """Too few bots, a bot entered twice and tables of an impossible size are refused before anything is played."""
    with pytest.raises(UsageError, match=sentence):
        Field(bots, players)


def test_options_come_as_flags_or_from_a_file() -> None:
    """Dashes or underscores, text or typed: the same options come out."""
    options = find("gauntlet").options
    assert options.from_options({"challengers": "ada, bob", "rounds": "3"}) == options.from_options(
        {"challengers": ["ada", "bob"], "rounds": 3, "blocks": None}
    )


@pytest.mark.parametrize(
    ("deals", "games", "blocks"),
    [(Deals.ROTATIONS, 100, 33), (Deals.PERMUTATIONS, 100, 10), (Deals.SINGLE, 100, 100)],
)
def test_a_budget_of_games_buys_whole_blocks(deals: Deals, games: int, blocks: int) -> None:
    """How many blocks a number of games is depends on the orders in which a table sits down."""
    field = Field(names(6), (2, 3, 4), deals=deals)
    assert drive(make("round-robin", field, {"games": games})).over
    assert make("round-robin", field, {"games": games}).length.exact == blocks
