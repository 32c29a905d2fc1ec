"""Builds as setuptools does. When ARENA_COMPILE=1 asks for compiled rules, the build gets their compiler, too."""

from __future__ import annotations

import os
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  # the hooks that are not changed

_COMPILER = ["mypy>=1.15"] if os.environ.get("ARENA_COMPILE") == "1" else []


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_COMPILER]


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    return [*build_meta.get_requires_for_build_editable(config_settings), *_COMPILER]
