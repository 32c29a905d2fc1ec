"""The printed facts of Codex Naturalis, read from facts.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

_FACTS: Final[Mapping[str, Any]] = json.loads(files(__package__).joinpath("facts.json").read_text(encoding="utf-8"))

PLAYERS: Final[tuple[int, ...]] = tuple(_FACTS["players"])
KINGDOMS: Final[tuple[str, ...]] = tuple(_FACTS["kingdoms"])
SYMBOLS: Final[tuple[str, ...]] = (*_FACTS["kingdoms"], *_FACTS["objects"])
"""What a card can show: the four kingdoms first, then the three objects."""
SYMBOL_LETTERS: Final = "".join([*_FACTS["kingdoms"].values(), *_FACTS["objects"].values()])
EMPTY_CORNER: Final = "."
HIDDEN_CORNER: Final = "#"
"""No corner at all: nothing may ever lie over this spot."""

HAND_RESOURCES: Final[int] = _FACTS["hand"]["resource"]
HAND_GOLD: Final[int] = _FACTS["hand"]["gold"]
HAND: Final[int] = HAND_RESOURCES + HAND_GOLD
SHOWN_RESOURCES: Final[int] = _FACTS["face_up"]["resource"]
SHOWN_GOLD: Final[int] = _FACTS["face_up"]["gold"]
SHOWN: Final[int] = SHOWN_RESOURCES + SHOWN_GOLD
"""Cards that lie face up in the middle of the table."""
COMMON_OBJECTIVES: Final[int] = _FACTS["common_objectives"]
OFFERED_OBJECTIVES: Final[int] = _FACTS["secret_objectives_dealt"]
"""Objective cards that a player keeps one of."""
END_POINTS: Final[int] = _FACTS["end_points"]
TRACK_END: Final[int] = _FACTS["score_track_end"]

RESOURCE_CARDS: Final[Mapping[str, Mapping[str, Any]]] = _FACTS["resource_cards"]
GOLD_CARDS: Final[Mapping[str, Mapping[str, Any]]] = _FACTS["gold_cards"]
STARTER_CARDS: Final[Mapping[str, Mapping[str, Any]]] = _FACTS["starter_cards"]
"""Corners are written in the order top left, top right, bottom left, bottom right."""
OBJECTIVE_CARDS: Final[Mapping[str, Mapping[str, Any]]] = _FACTS["objective_cards"]

OPTIONS: Final[Mapping[str, Any]] = _FACTS["options"]
EDITIONS: Final[Mapping[str, Mapping[str, str]]] = _FACTS["editions"]
DEFAULT_EDITION: Final[str] = _FACTS["default_edition"]
