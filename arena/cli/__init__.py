"""The command `arena`. Each command lives in a module of its own, imported when it is called; so are heavy packages."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, Final, NoReturn

import click

COMMANDS: Final = (
    "tournament",
    "leaderboard",
    "compare",
    "submit",
    "bots",
    "matches",
    "match",
    "replay",
    "why",
    "verify",
    "export",
    "import",
    "rate",
    "check",
    "games",
    "db",
    "doctor",
    "completion",
)
"""In the order in which the help lists them; each is the attribute `command` of the module of that name."""

_INTERRUPTED: Final = 130
_LOG_LINES: Final = 20


class Commands(click.Group):
    """The commands, found by name. Whatever a person can cause ends in one sentence and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"arena.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(f"there is no command '{args[0]}'; there are {', '.join(COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # before click makes it an empty line and an Abort
            raise Ending("interrupted", _INTERRUPTED) from None

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        extra["standalone_mode"] = False
        try:
            sys.exit(super().main(*args, **extra))
        except Exception as error:
            ending = _ending(error)
            if ending is None:
                raise  # a fault of ours, for which the traceback is wanted
        ending.tell()
        sys.exit(ending.exit_code)


class Ending(Exception):
    """A command that ends before its time, with a sentence for the person at the terminal."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code

    def tell(self) -> None:
        from arena.cli.screen import clean

        line = str(self) if self.exit_code == _INTERRUPTED else f"error: {self}"
        click.echo(clean(line), err=True)


def _ending(error: Exception) -> Ending | None:
    """How the error is told, or None when it is not one that a person caused."""
    from arena.errors import ArenaError, BotFailed, UsageError
    from arena_rules.errors import RulesError

    if isinstance(error, Ending):
        return error
    if isinstance(error, BotFailed):
        log = error.log_tail.splitlines()[-_LOG_LINES:]
        return Ending("\n  | ".join([str(error), *log]), error.exit_code)
    if isinstance(error, ArenaError):
        return Ending(str(error), error.exit_code)
    if isinstance(error, RulesError):
        return Ending(str(error), UsageError.exit_code)
    if isinstance(error, click.ClickException):
        return Ending(_in_our_words(error), error.exit_code)
    return None


def _in_our_words(error: click.ClickException) -> str:
    message = error.format_message().rstrip(".")
    message = message[:1].lower() + message[1:]
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{message} (see '{error.ctx.command_path} --help')"
    return message


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Examples:
  arena games
  arena match bots/greedy bots/random --game shelfie --seed 7 --save game.arena
  arena replay game.arena""",
)
@click.version_option(package_name="arena-platform", prog_name="arena", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Let programs play board games against each other."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> NoReturn:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character shows a question mark; it does not end the command.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    cli.main(prog_name="arena")
