"""Where a command prints, and how it writes times and texts that come from elsewhere."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import Console

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NO_EDGE: Final = 1000
_DAY_US: Final = 86_400_000_000


def console() -> Console:
    """Standard output. In a pipe nothing is wrapped or coloured; texts are printed as they are, never as markup."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _NO_EDGE
    return Console(markup=False, highlight=False, emoji=False, width=width)


def clean(text: str) -> str:
    """The text without control characters: bots and files must not steer the terminal of whoever looks at them."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def duration(us: float) -> str:
    """A time in the unit that suits it."""
    return f"{us / 1e6:.2f} s" if us >= 1e6 else f"{us / 1e3:.2f} ms"


def plural(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def day(us: int) -> str:
    """A moment in UTC; the day alone when it is the beginning of one."""
    return moment(us) if us % _DAY_US else moment(us).partition(" ")[0]


def moment(us: int) -> str:
    """A moment in UTC, to the minute."""
    return f"{datetime.fromtimestamp(us / 1e6, UTC):%Y-%m-%d %H:%M}"
