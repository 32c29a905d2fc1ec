"""A tournament in a file: a TOML table whose keys are the options of `arena tournament`, by their long names."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from arena.errors import UsageError

KEYS: Final = {
    "name": str,
    "bots": list,
    "game": str,
    "edition": str,
    "players": (int, str),
    "system": str,
    "seed": int,
    "time": str,
    "jobs": int,
    "in-flight": int,
    "deals": str,
    "strikes": int,
    "lenient": bool,
    "rules": dict,
    "options": dict,
}
"""What a file may say. ``rules`` are rule options of the game, ``options`` those of the system."""


def read_cup(path: Path) -> dict[str, Any]:
    """What the file says, as the command would have it. Paths of bots are taken from where the file lies."""
    try:
        table = tomllib.loads(path.read_text())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not a TOML file: {error}") from None
    for key, value in table.items():
        _check(path, key, value)
    wishes = {key.replace("-", "_"): value for key, value in table.items()}
    wishes["bots"] = [_place(path, bot) for bot in table.get("bots", [])]
    return wishes


def _check(path: Path, key: str, value: Any) -> None:
    kinds = KEYS.get(key)
    if kinds is None:
        raise UsageError(f"{path} has a key '{key}' that means nothing; there are {', '.join(KEYS)}")
    right = isinstance(value, kinds) and (kinds is bool or not isinstance(value, bool))  # type: ignore[arg-type]
    if not right or (key == "bots" and not all(isinstance(bot, str) for bot in value)):
        raise UsageError(f"{path}: '{key}' cannot be {_shown(value)}")


def _shown(value: Any) -> str:
    return "a table" if isinstance(value, Mapping) else repr(value)


def _place(path: Path, bot: str) -> str:
    folder = path.parent / bot
    return str(folder) if "/" in bot or (folder / "bot.toml").is_file() else bot
