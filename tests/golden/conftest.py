"""Golden files are compared, and written anew only when asked: ``pytest tests/golden --regenerate-golden``."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate-golden", action="store_true", help="write golden files anew instead of comparing")


@pytest.fixture
def regenerate(request: pytest.FixtureRequest) -> bool:
    """Whether to write golden files anew."""
    # Without a path on the command line this file is found too late for its option to exist.
    return bool(request.config.getoption("--regenerate-golden", default=False))
