"""The interactive replay: which key leads where (pure), and what is on the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from arena.cli.palette import drawn
from arena.cli.screen import clean
from arena.cli.story import confirmation, ending, headline, step
from arena.record import MatchRecord, Verdict
from arena.replay import Position, verify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

_PAGE: Final = 10
_HELP: Final = "←/→ step   PgUp/PgDn ten   Home/End   g go to a move   ↑/↓ scroll   q quit"
_HELP_MATCHES: Final = "   [/] other match"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file of matches one is looking."""

    match: int = 0
    at: int = 0
    """The position: 0 is the deal."""
    top: int = 0
    """How many lines of a tall picture have been scrolled away."""
    typed: str | None = None
    """The number of a move while it is being typed."""


_STEPS: Final[dict[str, Callable[[int, int], int]]] = {
    **dict.fromkeys(("right", "n", "space", "enter"), lambda at, _last: at + 1),
    **dict.fromkeys(("left", "p", "backspace"), lambda at, _last: at - 1),
    "page down": lambda at, _last: at + _PAGE,
    "page up": lambda at, _last: at - _PAGE,
    "home": lambda _at, _last: 0,
    "end": lambda _at, last: last,
}
_SCROLLS: Final = {"up": -1, "down": 1}
_MATCHES: Final = {"[": -1, "]": 1}


def press(place: Place, key: str, turns: Sequence[int], matches: int) -> Place | None:
    """Where a key leads, given the turn of each position of the match and the number of matches. None is the exit."""
    if place.typed is not None:
        return _typing(place, key, turns)
    if key == "q":
        return None
    if key == "g":
        return replace(place, typed="")
    if key in _STEPS:
        last = len(turns) - 1
        return replace(place, at=min(max(_STEPS[key](place.at, last), 0), last))
    if key in _SCROLLS:
        return replace(place, top=max(0, place.top + _SCROLLS[key]))
    other = place.match + _MATCHES.get(key, 0)
    return Place(match=other) if other != place.match and 0 <= other < matches else place


def _typing(place: Place, key: str, turns: Sequence[int]) -> Place:
    typed = place.typed or ""
    if key.isdecimal():
        return replace(place, typed=typed + key)
    if key == "backspace":
        return replace(place, typed=typed[:-1])
    if key != "enter" or not typed:
        return replace(place, typed=None)
    # Of several positions with as many moves, the first is the one that the move itself led to.
    wanted = min(int(typed), turns[-1])
    return replace(place, typed=None, at=turns.index(wanted))


class Window(Protocol):
    """What the viewer needs of a terminal."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""

    def show(self, lines: Sequence[Text]) -> None: ...

    def pressed(self) -> Iterator[str]: ...


def view(window: Window, records: Sequence[MatchRecord]) -> Place:
    """Show the records until the person has seen enough; the place where that was. Raises BadRecord."""
    place = Place()
    path = verify(records[0])
    window.show(screen(records, place, path, window.size))
    for key in window.pressed():
        after = press(place, key, [position.turn for position in path], len(records))
        if after is None:
            break
        if after.match != place.match:
            path = verify(records[after.match])
        place = after
        window.show(screen(records, place, path, window.size))
    return place


def screen(records: Sequence[MatchRecord], place: Place, path: Sequence[Position], size: tuple[int, int]) -> list[Text]:
    """The lines on the screen: what is played on top, the table in the middle, the last step and the keys below."""
    from rich.text import Text

    columns, rows = size
    record = records[place.match]
    above = [Text(_title(records, place), style="bold"), Text(_seats(record), style="dim"), Text()]
    below = [Text(), *_happened(record, place, path, columns), _prompt(place, len(records))]
    room = max(1, rows - len(above) - len(below))
    picture = drawn(path[place.at].state.picture())
    top = min(place.top, max(0, len(picture) - room))
    return [*above, *picture[top : top + room], *below]


def _title(records: Sequence[MatchRecord], place: Place) -> str:
    several = f"match {place.match + 1} of {len(records)}: " if len(records) > 1 else ""
    return several + headline(records[place.match])


def _seats(record: MatchRecord) -> str:
    return "   ".join(f"seat {seat} {clean(name)}" for seat, name in enumerate(record.spec.lineup))


def _happened(record: MatchRecord, place: Place, path: Sequence[Position], columns: int) -> list[Text]:
    position = path[place.at]
    style = "bold red" if isinstance(position.event, Verdict) else "bold"
    lines = _wrapped(f"move {position.turn} of {len(record.moves)}  {step(record, position)}", columns, style)
    if place.at == len(path) - 1:
        result = [next(ending(record)), *_ranking(record), confirmation(record)]
        lines += _wrapped("; ".join(result), columns, "green")
    return lines


def _wrapped(text: str, columns: int, style: str) -> list[Text]:
    from textwrap import wrap

    from rich.text import Text

    return [Text(line, style=style) for line in wrap(text, columns)]


def _ranking(record: MatchRecord) -> list[str]:
    outcome = record.outcome
    if outcome is None:
        return []
    seats = sorted(range(len(outcome.ranks)), key=lambda seat: outcome.ranks[seat])
    places = (
        f"{outcome.ranks[seat]}. {clean(record.spec.lineup[seat])} {outcome.scores[seat].total}" for seat in seats
    )
    return ["  ".join(places)]


def _prompt(place: Place, matches: int) -> Text:
    from rich.text import Text

    if place.typed is not None:
        return Text(f"go to move: {place.typed}_", style="reverse")
    return Text(_HELP + (_HELP_MATCHES if matches > 1 else ""), style="dim")
