"""Numbers found by trying: of those that were tried, `planner` played best with these.

The stages of a game go by the tiles that a shelf can still expect: 1 to 3, up to 8, up to 14, up to 21, more. (What
shelves of self-played games came to on average predicts results better and plays worse: it rewards beginnings.)
"""

from __future__ import annotations

from typing import Final

_STAGES: Final = (0.3, 0.6, 0.8, 0.9, 1.0)
_GROWTH: Final = (0.45, 1.2, 1.2, 1.6, 1.6)

GROWTH: Final = tuple(tuple((0.8 * grow * stage, grow * stage) for grow in _GROWTH) for stage in _STAGES)
"""By stage and size of a group (1 to 5), the points that it still grows by: with one or two free cells beside it, and
with more. A group with none stays as it is."""

_CHANCES: Final = (0.6, 0.5, 0.45, 0.4, 0.35, 0.35)

PERSONAL: Final = tuple(tuple(stage * chance for chance in _CHANCES) for stage in (0.4, 0.7, 0.9, 1.0, 1.0))
"""By stage and free cells below it (0 to 5), the chance that a free cell of the personal goal gets its tile."""

COMMON: Final = (1.5, 0.6, 0.08)
"""The odds of reaching a common goal, as a logarithm: a base, less for each missing tile, more for each to spare."""
