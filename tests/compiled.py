"""A copy of the SDK that is compiled, beside the one that is not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.tree import ROOT

HEADER = str(Path(sysconfig.get_path("include"), "Python.h"))


def copy_of_the_sdk(folder: Path) -> Path:
    leave = shutil.ignore_patterns("*.so", "build", "__pycache__", "*.egg-info")
    return Path(shutil.copytree(ROOT / "sdk", folder, ignore=leave))


def compiled(sdk: Path, level: str) -> Path:
    """The same folder, after compiling, optimised to that level."""
    asked = {**os.environ, "ARENA_COMPILE": "1", "ARENA_COMPILE_LEVEL": level}
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=sdk, env=asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return sdk


def can_compile() -> bool:
    """Whether there are a C compiler and the headers of Python."""
    return shutil.which("gcc") is not None and Path(HEADER).is_file()
