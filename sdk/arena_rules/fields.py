"""One line of notation, for any game: words `name=value`, then the rule options as `option:value`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from arena_rules.errors import NotationError
from arena_rules.game import Options


def write_fields(fields: Mapping[str, str], options: Options) -> str:
    words = [f"{name}={value}" for name, value in fields.items()]
    return " ".join(words + [f"{name}:{value}" for name, value in sorted(options.items())])


def write_numbers(values: Iterable[int]) -> str:
    return ",".join(map(str, values)) or "-"


def write_seat(seat: int) -> str:
    """The number of a seat; -1, for none, is a dash."""
    return "-" if seat < 0 else str(seat)


class Fields:
    """The fields of one line, read with care: every complaint names its field, and is a NotationError."""

    def __init__(self, text: str, own: tuple[str, ...], options: Mapping[str, Any], players: tuple[int, ...]) -> None:
        """``own`` are the fields that this kind of line has in addition; the last two are facts of the game."""
        words = text.split()
        self.values = dict(word.split("=", 1) for word in words if "=" in word)
        self.options = dict(word.split(":", 1) for word in words if ":" in word and "=" not in word)
        for name in own:
            self.get(name)
        self._check_options(options)
        self.players = self.number("players", max(players))
        if self.players not in players:
            raise NotationError(f"players: {self.players} cannot play")

    def _check_options(self, options: Mapping[str, Any]) -> None:
        if self.options.keys() != options.keys():
            raise NotationError(f"all rule options must be given: {', '.join(sorted(options))}")
        for name, value in self.options.items():
            if value not in options[name]["choices"]:
                raise NotationError(f"{name}: there is no '{value}'")

    def get(self, name: str) -> str:
        try:
            return self.values[name]
        except KeyError:
            raise NotationError(f"{name}: missing") from None

    def number(self, name: str, largest: int) -> int:
        return read_number(name, self.get(name), largest)

    def seat(self, name: str) -> int:
        """A seat, or -1 for none."""
        return -1 if self.get(name) == "-" else self.number(name, self.players - 1)

    def row(self, name: str, largest: int) -> tuple[int, ...]:
        """Any number of numbers."""
        text = self.get(name)
        return () if text == "-" else tuple(read_number(name, part, largest) for part in text.split(","))

    def left(self) -> tuple[int, ...]:
        seats = self.row("left", self.players - 1)
        if len(set(seats)) != len(seats):
            raise NotationError("left: nobody leaves twice")
        if len(seats) == self.players:
            raise NotationError("left: one seat must stay")
        return seats

    def to_move(self) -> int:
        seat = self.seat("to-move")
        if seat in self.left():
            raise NotationError(f"to-move: seat {seat} has left")
        return seat


def read_number(name: str, text: str, largest: int) -> int:
    # The length is looked at first because int() refuses numbers of thousands of digits with an error of its own.
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(largest)) or int(text) > largest:
        raise NotationError(f"{name}: '{text[:40]}' is not a number up to {largest}")
    return int(text)
