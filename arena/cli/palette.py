"""The colours of things on the table, and pictures drawn with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from arena_rules import Picture

if TYPE_CHECKING:
    from rich.text import Text

STYLES: Final[Mapping[str, str]] = {
    "cats": "green",
    "books": "white",
    "games": "yellow",
    "frames": "blue",
    "trophies": "cyan",
    "plants": "magenta",
    "fungi": "red",
    "plant": "green",
    "animal": "cyan",
    "insect": "magenta",
    "object": "white",
    "gold": "yellow",
    "heading": "bold",
    "faint": "dim",
    "mark": "reverse",
}
"""By the kinds that pictures name; a kind that is not here is drawn plainly."""


def drawn(picture: Picture) -> list[Text]:
    """The lines of a picture in colour."""
    from rich.text import Text

    return [Text.assemble(*((text, STYLES.get(kind, "")) for text, kind in line)) for line in picture]
