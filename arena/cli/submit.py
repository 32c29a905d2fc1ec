"""`arena submit`: bring a bot into the arena."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.home import Home, home_options

if TYPE_CHECKING:
    from arena.record import MatchRecord, Verdict
    from arena.store import Standing, Store
    from arena.tournament.qualify import Position, Submission, Trial


@click.command(
    "submit",
    epilog="""\b
Examples:
  arena submit my-bot
  arena submit my-bot --trust
  arena submit my-bot --home /srv/arena --format json""",
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--trust", is_flag=True, help="The bot may run without a sandbox: you know who wrote it.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@home_options
@click.pass_context
def command(ctx: click.Context, folder: Path, form: str, home: Home, *, trust: bool) -> None:
    """Bring the bot in the folder DIR into the arena as a new version.

    Its files are packed, without what tools derive from them, and kept for good: whatever happens to the folder later,
    this version plays with the files it has now. Then it plays a short qualifying block in each of its games. A bot
    that forfeits there is rejected, with exit code 3. The same files again are recognised and make no second version.
    """
    from arena.errors import BotFailed
    from arena.store import Standing
    from arena.tournament.qualify import standing, submit

    with home.open(create=True) as store:
        submission = submit(store, folder, home.cache, trusted=trust)
        trials = _trials(store, submission, home) if _untried(submission) else []
        verdict = _judged(store, submission, trials)
        places = [standing(store, submission.version.name, game) for game in submission.games]
    if form == "json":
        click.echo(json.dumps(_as_json(submission, trials, verdict, places), indent=2))
    else:
        _print(submission, trials, verdict, places)
    if verdict is Standing.REJECTED:
        ctx.exit(BotFailed.exit_code)


def _untried(submission: Submission) -> bool:
    from arena.store import Standing

    return submission.version.standing is not Standing.QUALIFIED


def _trials(store: Store, submission: Submission, home: Home) -> list[Trial]:
    from arena.cli.progress import progress
    from arena.tournament.qualify import try_out
    from arena.tournament.runner import run

    trials = []
    with progress("qualifying", len(submission.games)) as step:
        for game in submission.games:
            trials.append(run(try_out(store, submission, game, home.cache)))
            step()
    return trials


def _judged(store: Store, submission: Submission, trials: list[Trial]) -> Standing:
    from arena.store import Standing

    if not trials:
        return submission.version.standing
    failed = any(trial.failures(submission.version.label) for trial in trials)
    verdict = Standing.REJECTED if failed else Standing.QUALIFIED
    store.judge(submission.version.label, verdict)
    return verdict


def _print(submission: Submission, trials: list[Trial], verdict: Standing, places: list[Position]) -> None:
    from arena.cli.screen import clean, console
    from arena.store import Standing

    out = console()
    version = submission.version
    what = "is known already" if submission.known else "is a new version"
    out.print(f"{version.label} {what}, content {version.content_hash[:12]}", style="bold")
    if version.retired_us is not None:
        out.print("it is retired: it plays in no tournament")
    if trials:
        out.print()
        out.print(_results(trials, version.label))
        out.print()
    for trial in trials:
        for number, (record, failure) in enumerate(trial.failures(version.label)):
            out.print(*map(clean, _failure(record, failure, log=number == 0)), sep="\n", soft_wrap=True)
    if verdict is Standing.REJECTED:
        out.print("rejected: mend it and submit it again", style="bold")
        return
    out.print("qualified" if trials else f"{verdict.value} before: nothing to play", style="bold")
    for place in places:
        out.print(*_where(version.label, place), sep="\n", soft_wrap=True)


def _results(trials: list[Trial], label: str) -> Any:
    from arena.cli.tables import in_words, plain_table

    table = plain_table("match", "game", "against", right=("seat", "rank", "points", "theirs"))
    table.add_column("verdict")
    for trial in trials:
        for record in trial.records:
            seat = record.spec.lineup.index(label)
            other = next(place for place in range(len(record.spec.lineup)) if place != seat)
            outcome = record.outcome
            assert outcome is not None, "a trial has matches that count"
            found = {verdict.seat: verdict for verdict in record.verdicts}
            table.add_row(
                _name(record),
                trial.game,
                "itself" if trial.opponent == label else trial.opponent,
                str(seat),
                str(outcome.ranks[seat]),
                str(outcome.scores[seat].total),
                str(outcome.scores[other].total),
                in_words(found.get(seat)),
            )
    return table


def _failure(record: MatchRecord, verdict: Verdict, *, log: bool) -> Iterator[str]:
    """What happened. The log of a bot is much the same each time, so that of the first failure will do."""
    yield f"{_name(record)}: {verdict.kind.value} at move {verdict.turn + 1}. {verdict.detail}".rstrip()
    if log:
        yield from (f"  | {line}" for line in verdict.log_tail.splitlines())
    yield f"  more: arena why {_name(record)}"


def _where(label: str, position: Position) -> Iterator[str]:
    from arena.cli.screen import plural

    mine = {bot for _, bot, _ in position.places}
    if label not in mine:
        field = f"{plural(position.field, 'version is', 'versions are')} rated" if position.field else "nobody is rated"
        yield f"{position.game}: {label} is unrated until it has played a tournament; {field} so far"
    for place, bot, score in position.places:
        yield f"{position.game}: {bot} is number {place} of {position.field}, score {score:.2f}"


def _name(record: MatchRecord) -> str:
    return f"{record.spec.tournament}/{record.spec.index}"


def _as_json(submission: Submission, trials: list[Trial], verdict: Standing, places: list[Position]) -> dict[str, Any]:
    version = submission.version
    return {
        "version": version.label,
        "content_hash": version.content_hash,
        "known": submission.known,
        "standing": verdict.value,
        "trusted": version.trusted,
        "qualifying": [_trial_as_json(trial, version.label) for trial in trials],
        "positions": [
            {
                "game": one.game,
                "rated": one.field,
                "versions": [{"place": place, "bot": bot, "score": score} for place, bot, score in one.places],
            }
            for one in places
        ],
    }


def _trial_as_json(trial: Trial, label: str) -> dict[str, Any]:
    from arena.archive import to_json

    return {
        "game": trial.game,
        "opponent": trial.opponent,
        "matches": [to_json(record) for record in trial.records],
        "failures": [
            {
                "match": _name(record),
                "verdict": failure.kind.value,
                "detail": failure.detail,
                "log": failure.log_tail.splitlines(),
            }
            for record, failure in trial.failures(label)
        ],
    }
