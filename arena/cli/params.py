"""Kinds of values that commands take, and what the shell offers to complete them with."""

from __future__ import annotations

from typing import Any

import click


class Time(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions of click only
    """A time control such as ``1s+10s``."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from arena.config import parse_time
        from arena.errors import UsageError

        try:
            return parse_time(value) if isinstance(value, str) else value
        except UsageError as error:
            self.fail(str(error), param, ctx)


class RuleOption(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions of click only
    """A rule option and its value, written ``KEY=VALUE``."""

    name = "option"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        key, equals, choice = value.partition("=")
        if not (key and equals and choice):
            self.fail(f"'{value}' is not of the form KEY=VALUE", param, ctx)
        return key, choice


class Since(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions of click only
    """A moment of the past, in microseconds since 1970: ``7d`` ago, or a day or time in UTC."""

    name = "since"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        import re
        import time

        if ago := re.fullmatch(r"(\d{1,6})([mhdw])", value, re.ASCII):
            return max(0, time.time_ns() // 1_000 - int(ago[1]) * _UNITS_US[ago[2]])
        try:
            return _written_moment_us(value)
        except (ValueError, OverflowError):
            self.fail(f"'{value}' is not a time; write 30m, 12h, 7d or 2w ago, or a day such as 2026-11-01", param, ctx)


_UNITS_US = {"m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000, "w": 604_800_000_000}


def _written_moment_us(text: str) -> int:
    from datetime import UTC, datetime, timedelta

    moment = datetime.fromisoformat(text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0, (moment - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1))


def game_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from arena_rules import games

    return [name for name in games() if name.startswith(incomplete)]


def edition_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The editions of the game that is named before, or of all games."""
    editions = {name for game in _games_in_question(ctx) for name in game.editions}
    return sorted(name for name in editions if name.startswith(incomplete))


def rule_options(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Every KEY=VALUE of the game that is named before, or of all games."""
    settings = {
        f"{name}={choice}"
        for game in _games_in_question(ctx)
        for name, option in game.options.items()
        for choice in option.choices
    }
    return sorted(setting for setting in settings if setting.startswith(incomplete))


def _games_in_question(ctx: click.Context) -> list[Any]:
    from arena_rules import games

    named = ctx.params.get("game") or ctx.params.get("name")
    return [games()[named]] if named in games() else list(games().values())
