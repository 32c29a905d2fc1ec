"""What a wheel holds is said in pyproject.toml. Here mypyc compiles what is busy in games, if ARENA_COMPILE=1 asks for
it: the rules, and what carries them over messages.

Otherwise all is installed as it is, and nobody needs a compiler.
"""

from __future__ import annotations

import os
from pathlib import Path

from setuptools import Extension, setup

SHARED = ("arena_rules/chance.py", "arena_rules/position.py", "arena_rules/remembered.py")
"""What every game calls while it is played."""
LEFT_ALONE = {"__init__", "fields", "game", "notation", "picture"}
"""What no game needs while it is played."""
WIRE = ("arena_sdk/codec/*.py", "arena_sdk/player.py", "arena_sdk/turn.py")
"""What every turn over the wire goes through. Not events.py: pydantic does not know compiled dataclasses."""


def modules() -> list[str]:
    """The modules to compile: the shared ones, all of each game's folder that is not left alone, and the wire's."""
    games = sorted(path for path in Path("arena_rules").glob("*/*.py") if path.stem not in LEFT_ALONE)
    wire = sorted(path for pattern in WIRE for path in Path().glob(pattern) if path.stem != "__init__")
    return [*SHARED, *map(str, games), *map(str, wire)]


def extensions() -> list[Extension]:
    if os.environ.get("ARENA_COMPILE") != "1":
        return []
    from mypyc.build import mypycify

    # One library for all modules: calls between them are then calls of C functions.
    options = ["--config-file=", f"--cache-dir={os.devnull}", *modules()]
    found: list[Extension] = mypycify(
        options, opt_level=os.environ.get("ARENA_COMPILE_LEVEL", "3"), group_name="arena_sdk"
    )
    return found


setup(ext_modules=extensions())
