"""`arena doctor`: what this host and this installation have."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any, Final

import click

PACKAGES: Final = ("arena-platform", "arena-sdk", "grpcio", "protobuf")


@click.command(
    "doctor",
    epilog="""\b
Examples:
  arena doctor
  arena doctor --format json""",
)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def command(form: str) -> None:
    """Show what this host and this installation have.

    Versions, what keeps bots from the machine and what does not, the settings of gRPC, and whether the wire and each
    game are compiled or pure Python.
    """
    findings = {section: find() for section, find in SECTIONS.items()}
    if form == "json":
        import json

        click.echo(json.dumps(findings, indent=2))
    else:
        _print(findings)


def _print(findings: Mapping[str, Mapping[str, Any]]) -> None:
    from arena.cli.screen import console
    from arena.cli.tables import plain_table

    table = plain_table("about", "what", "found")
    for section, found in findings.items():
        for place, (name, value) in enumerate(found.items()):
            table.add_row("" if place else section, name, _in_words(value))
    console().print(table)


def _in_words(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name.replace('_', ' ')} {word}" for name, word in value.items())
    return str(value)


# ── what there is to find ───────────────────────────────────────────────────────────────────────────────────────────


def _host() -> dict[str, Any]:
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
    }


def _versions() -> dict[str, Any]:
    return {package: version(package) for package in PACKAGES} | {"event loop": _event_loop()}


def _event_loop() -> str:
    """Which one matches are run on; see `arena.tournament.runner`."""
    try:
        import uvloop  # noqa: F401  # having its metadata is not having it
    except ImportError:
        return "asyncio"
    return f"uvloop {version('uvloop')}"


def _sandbox() -> dict[str, Any]:
    """What keeps bots from the machine, each with how to get what is missing."""
    from arena.launch.probe import abilities

    return {ability.name: _with_advice(ability.enforced, ability.advice) for ability in abilities()}


def _with_advice(enforced: str, advice: str) -> str | dict[str, str]:
    return {"state": enforced, "advice": advice} if advice else enforced


def _grpc() -> dict[str, Any]:
    """What gRPC is told through the environment. Whoever sets such a variable has the last word."""
    from arena.referee.transport import GRPC_ENVIRONMENT

    return {name: os.environ[name] for name in GRPC_ENVIRONMENT}


def _wire() -> dict[str, Any]:
    from arena_sdk import player

    return {"arena_sdk": _code(player.__name__)}


def _games() -> dict[str, Any]:
    from arena_rules import games

    return {
        name: {"rules_version": game.rules_version, **_code(type(game).__module__)} for name, game in games().items()
    }


def _code(module: str) -> dict[str, str]:
    from arena_rules.registry import Build, build_of

    build = build_of(module)
    if build is Build.STALE:
        return {"code": build.value, "advice": "the sources are newer: run 'make compile', or 'make pure'"}
    return {"code": build.value}


SECTIONS: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {
    "host": _host,
    "versions": _versions,
    "sandbox": _sandbox,
    "grpc": _grpc,
    "wire": _wire,
    "games": _games,
}
"""What is looked at, in the order in which it is shown. A new ability of the host is a new line in one of them."""
