"""The leaderboard as people see it, at the usual widths of a terminal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from arena.cli.boards import print_board
from arena.store import Pool
from arena.tournament.board import board
from tests.unit.cli.logged import small_arena

HERE = Path(__file__).parent / "leaderboard"
POOLS = {"two": Pool("shelfie", 2), "mixed": Pool("shelfie")}


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", POOLS)
def test_a_leaderboard_looks_as_it_did(name: str, width: int, tmp_path: Path, regenerate: bool) -> None:
    """The same log gives the same table; a narrow one leaves out what matters least, and says so."""
    file, out = HERE / f"{name}-{width}.txt", io.StringIO()
    with small_arena(tmp_path) as store:
        print_board(Console(file=out, width=width, markup=False, highlight=False), board(store, POOLS[name]))
    text = "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())
    if regenerate:
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= width
