"""A match told in sentences: what was played, what happened at each step, how it ended."""

from __future__ import annotations

from collections.abc import Iterator

from arena.cli.screen import clean, duration, plural
from arena.config import write_time
from arena.record import MatchRecord, PlayedMove, Verdict
from arena.replay import Position
from arena_rules import Termination, games


def headline(record: MatchRecord) -> str:
    """What was played."""
    spec = record.spec
    title = games()[spec.game].title if spec.game in games() else clean(spec.game)
    options = "".join(f", {clean(key)}={clean(value)}" for key, value in sorted(spec.options.items()))
    return f"{title}, edition {clean(spec.edition)}{options}, seed {spec.seed}, time {write_time(spec.time)}"


def seating(record: MatchRecord) -> Iterator[str]:
    """Who sat where, with the version of each bot."""
    width = max(len(bot.name) for bot in record.lineup)
    for seat, bot in enumerate(record.lineup):
        version = f"  version {clean(bot.content_hash[:12])}" if bot.content_hash else ""
        yield f"seat {seat}  {clean(bot.name):{width}}{version}".rstrip()


def step(record: MatchRecord, position: Position) -> str:
    """What led to the position."""
    event = position.event
    if event is None:
        return "the deal"
    width = max(map(len, record.spec.lineup))
    who = f"seat {event.seat}  {clean(record.spec.lineup[event.seat]):{width}}"
    if isinstance(event, PlayedMove):
        return f"{who}  {clean(event.notation):12}  {duration(event.think_us):>9}"
    return f"{who}  {_finding(event)}"


def ending(record: MatchRecord) -> Iterator[str]:
    """How the match ended, and what became of the seats that were put out."""
    after = f"after {plural(len(record.moves), 'move', 'moves')} in {duration(record.elapsed_us)}"
    if record.outcome is None:
        yield f"void {after}: the match does not count"
    elif record.outcome.termination is Termination.ABANDONED:
        yield f"abandoned {after}: only one seat was left"
    else:
        yield f"{record.outcome.termination.value} {after}"
    for verdict in record.verdicts:
        yield f"seat {verdict.seat}, {clean(record.spec.lineup[verdict.seat])}: {_finding(verdict)}"
        yield from (f"  | {line}" for line in clean(verdict.log_tail).splitlines())


def confirmation(record: MatchRecord) -> str:
    """What a replay to the end has shown."""
    result = "the match is void" if record.outcome is None else "result confirmed"
    return f"replayed: {plural(len(record.moves), 'move', 'moves')}, {result}"


def _finding(verdict: Verdict) -> str:
    return f"{verdict.kind.value} at move {verdict.turn + 1}. {clean(verdict.detail)}".rstrip()
