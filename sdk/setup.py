"""What a wheel holds is said in pyproject.toml. Here the rules are compiled with mypyc, if ARENA_COMPILE=1 asks for it.

Otherwise they are installed as they are, and nobody needs a compiler.
"""

from __future__ import annotations

import os
from pathlib import Path

from setuptools import Extension, setup

SHARED = ("chance", "position", "remembered")
"""What every game calls while it is played."""
LEFT_ALONE = {"__init__", "fields", "game", "notation", "picture"}
"""What no game needs while it is played."""


def modules() -> list[str]:
    """The modules to compile: the shared ones, and all of each game's folder that is not left alone."""
    games = sorted(path for path in Path("arena_rules").glob("*/*.py") if path.stem not in LEFT_ALONE)
    return [f"arena_rules/{name}.py" for name in SHARED] + [str(path) for path in games]


def extensions() -> list[Extension]:
    if os.environ.get("ARENA_COMPILE") != "1":
        return []
    from mypyc.build import mypycify

    # One library for all modules: calls between them are then calls of C functions.
    options = ["--config-file=", f"--cache-dir={os.devnull}", *modules()]
    found: list[Extension] = mypycify(
        options, opt_level=os.environ.get("ARENA_COMPILE_LEVEL", "3"), group_name="arena_rules"
    )
    return found


setup(ext_modules=extensions())
