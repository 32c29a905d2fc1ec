"""Many records in one line per bot."""

from __future__ import annotations

from dataclasses import replace

from arena.cli.summary import Summary
from arena.record import MatchRecord
from tests.unit.cli.played import played, spec_of, timed_out, void


def summary(*records: MatchRecord) -> Summary:
    result = Summary()
    for record in records:
        result.add(record)
    return result


def tied(record: MatchRecord) -> MatchRecord:
    assert record.outcome is not None
    return replace(record, outcome=replace(record.outcome, ranks=(1,) * len(record.lineup)))


def test_wins_and_means() -> None:
    """A game counts for all of its seats: a win for the winner, rank and points for everybody."""
    record = played(spec_of("ann", "bob", "cleo"))
    assert record.outcome is not None
    tallies = {tally.bot: tally for tally in summary(record, record).tallies()}
    for seat, bot in enumerate(("ann", "bob", "cleo")):
        assert tallies[bot].games == 2
        assert tallies[bot].mean_rank == record.outcome.ranks[seat]
        assert tallies[bot].mean_score == record.outcome.scores[seat].total
        assert tallies[bot].wins == (2 if record.outcome.ranks[seat] == 1 else 0)
        assert tallies[bot].ties == 0


def test_ties() -> None:
    """A shared first rank is a tie, not a win."""
    tally = summary(tied(played(spec_of()))).by_bot["ann"]
    assert (tally.wins, tally.ties, tally.mean_rank) == (0, 1, 1.0)


def test_thinking() -> None:
    """Times are taken over all moves of a bot."""
    record = played(spec_of())
    times = [move.think_us for move in record.moves if move.seat == 1]
    tally = summary(record).by_bot["bob"]
    assert (tally.moves, tally.think_max_us) == (len(times), max(times))
    assert tally.think_mean_us == sum(times) / len(times)


def test_forfeits_and_void_games() -> None:
    """A seat that was put out has forfeited; a void game counts for nobody."""
    result = summary(played(spec_of(), timed_out(1, 3)), void(played(spec_of())))
    assert (result.games, result.void) == (2, 1)
    assert {bot: (tally.games, tally.forfeits) for bot, tally in result.by_bot.items()} == {
        "ann": (1, 0),
        "bob": (1, 1),
    }


def test_a_bot_on_two_seats() -> None:
    """A bot that plays itself is counted for both of its seats."""
    (tally,) = summary(played(spec_of("ann", "ann"))).tallies()
    assert (tally.games, tally.wins, tally.mean_rank) == (2, 1, 1.5)


def test_the_best_comes_first() -> None:
    """Tallies come in the order of the mean rank."""
    record = played(spec_of("ann", "bob", "cleo"), timed_out(0, 0), timed_out(1, 1))
    assert [tally.bot for tally in summary(record).tallies()] == ["cleo", "bob", "ann"]
