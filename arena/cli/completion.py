"""`arena completion`: the script that teaches a shell to complete arena's commands."""

from __future__ import annotations

from typing import Final

import click

SHELLS: Final = ("bash", "zsh", "fish")


@click.command(
    "completion",
    epilog="""\b
Examples:
  arena completion bash >> ~/.bashrc
  arena completion zsh >> ~/.zshrc
  arena completion fish > ~/.config/fish/completions/arena.fish""",
)
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print a script for shell completion.

    With it the shell completes commands, options, games and editions.
    """
    from click.shell_completion import get_completion_class

    from arena.cli import cli

    kind = get_completion_class(shell)
    assert kind is not None, "click knows all of SHELLS"
    click.echo(kind(cli, {}, "arena", "_ARENA_COMPLETE").source())
