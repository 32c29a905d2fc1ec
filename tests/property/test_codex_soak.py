"""Random games by the hundred, with options mixed in every way; `python -m tests.property.soak` plays thousands."""

from __future__ import annotations

from arena_rules.codex import CODEX
from tests.property.soak import soak


def test_random_games_end_well_whatever_the_options() -> None:
    """Two hundred games over all player counts and mixtures of options come to an end that makes sense."""
    assert soak(CODEX, 200) > 200 * 40
