"""Builds as setuptools does. When ARENA_COMPILE=1 asks for compiled code, the build gets its compiler, too."""

from __future__ import annotations

import os

from setuptools.build_meta import *  # noqa: F403  # the hooks that are not changed


def get_requires_for_build_wheel(config_settings: object = None) -> list[str]:
    # Setuptools would run setup.py to find out, which could not do without the compiler.
    return ["mypy>=1.15"] if os.environ.get("ARENA_COMPILE") == "1" else []


get_requires_for_build_editable = get_requires_for_build_wheel
