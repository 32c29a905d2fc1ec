"""The printed facts of My Shelfie, read from facts.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

_FACTS: Final[Mapping[str, Any]] = json.loads(files(__package__).joinpath("facts.json").read_text(encoding="utf-8"))

PLAYERS: Final[tuple[int, ...]] = tuple(_FACTS["players"])
TILE_NAMES: Final[tuple[str, ...]] = ("nothing", *_FACTS["tile_types"])
"""Names of the tile codes 0 (nothing) to 6."""
TILE_LETTERS: Final = "." + "".join(name[0].upper() for name in TILE_NAMES[1:])
TILE_TYPES: Final = range(1, len(TILE_NAMES))
TILES_PER_TYPE: Final[int] = _FACTS["tiles_per_type"]
PICK_MAX: Final[int] = _FACTS["pick_max"]
REFILL_MAX_TILES: Final[int] = _FACTS["refill_max_tiles"]

BOARD_SIDE: Final = 9
BOARD_CELLS: Final = BOARD_SIDE * BOARD_SIDE
SPACES: Final[Mapping[int, tuple[int, ...]]] = {
    players: tuple(
        row * BOARD_SIDE + column
        for row, line in enumerate(_FACTS["board"])
        for column, dots in enumerate(line)
        if dots != "." and int(dots) <= players
    )
    for players in PLAYERS
}
"""The board cells in use with each number of players, in reading order."""

SHELF_ROWS: Final = 6
SHELF_COLUMNS: Final = 5
SHELF_CELLS: Final = SHELF_ROWS * SHELF_COLUMNS

TOKENS: Final[Mapping[int, tuple[int, ...]]] = {int(n): tuple(row) for n, row in _FACTS["common_goal_tokens"].items()}
"""Points of the tokens on each common goal, in the order in which they are taken."""
PERSONAL_POINTS: Final[tuple[int, ...]] = tuple(_FACTS["personal_goal_points"])
GROUP_POINTS: Final[Mapping[int, int]] = {int(size): points for size, points in _FACTS["group_points"].items()}
END_TOKEN_POINTS: Final[int] = _FACTS["end_token_points"]

PERSONAL_GOALS: Final[Mapping[int, tuple[tuple[int, int], ...]]] = {
    int(number): tuple((TILE_NAMES.index(name), row * SHELF_COLUMNS + column) for name, (row, column) in cells.items())
    for number, cells in _FACTS["personal_goals"].items()
}
"""For each personal goal, the tile wanted and the shelf cell it is wanted on."""

COMMON_GOALS: Final[Mapping[int, Mapping[str, Any]]] = {int(n): goal for n, goal in _FACTS["common_goals"].items()}
OPTIONS: Final[Mapping[str, Any]] = _FACTS["options"]
EDITIONS: Final[Mapping[str, Mapping[str, str]]] = _FACTS["editions"]
DEFAULT_EDITION: Final[str] = _FACTS["default_edition"]
