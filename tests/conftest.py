"""What holds for all tests: a test that needs a program says so, and is never skipped where it matters.

    @pytest.mark.needs("bwrap", "apt-get install bubblewrap")

On a person's machine such a test is skipped, with the command that would let it run. Under CI it fails: a suite that
silently runs less than it says proves nothing.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest


def pytest_runtest_setup(item: pytest.Item) -> None:
    for need in item.iter_markers("needs"):
        require(*need.args)


@pytest.fixture
def in_the_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of how bots live and die that look at their processes from outside: bots run without a sandbox."""
    monkeypatch.setenv("ARENA_SANDBOX", "off")


def require(program: str, install: str) -> None:
    """Skip the running test, or fail it under CI, unless the program is on PATH, or the file is there."""
    if shutil.which(program) or Path(program).is_file():
        return
    reason = f"needs {program}, which is not installed: {install}"
    if os.environ.get("CI"):
        pytest.fail(f"{reason} (tests are not skipped under CI)", pytrace=False)
    pytest.skip(reason)
