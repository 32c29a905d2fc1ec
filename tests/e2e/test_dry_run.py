"""`arena tournament --dry-run`: what it would cost, for systems whose length depends on the results."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.test_cli import arena
from tests.e2e.test_tournament import BOTS


@pytest.mark.parametrize(
    ("words", "sentences"),
    [
        (
            ["knockout", "--best-of", "3"],
            ["at least 4 blocks, 8 games, and at most 16 blocks, 32 games", "32 games would take some 0.6 hours"],
        ),
        (["adaptive", "--games", "100"], ["at least 5 blocks, 10 games, and at most 50 blocks, 100 games"]),
        (["ladder"], ["until it is stopped; 100 games are about 50 blocks", "100 games would take some 1.7 hours"]),
        (["ladder", "--games", "40"], ["20 blocks, 40 games in all"]),
    ],
)
def test_the_cost_of_every_system(words: list[str], sentences: list[str], tmp_path: Path) -> None:
    """A dry run says how many games there are, or between which numbers, and how long the most of them can take."""
    done = arena("tournament", *BOTS, "--game", "codex", "--dry-run", "--jobs", "1", "--system", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for sentence in sentences:
        assert sentence in done.stdout
