"""Typed options of systems, read from flags or from a table of a TOML file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from types import NoneType
from typing import Any, ClassVar, Self, get_args, get_type_hints

from arena.errors import UsageError

TRUTHS: Mapping[str, bool] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
KINDS: Mapping[object, str] = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}


@dataclass(frozen=True, slots=True)
class Setting:
    """What there is to know of one option, for help texts and flags."""

    name: str
    kind: Any
    """int, float, bool, str, or tuple for a list of words."""
    default: Any
    text: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()


def setting(
    default: Any, text: str, *, least: float | None = None, most: float | None = None, choices: tuple[str, ...] = ()
) -> Any:
    """A field of `Options` with its bounds and the sentence that explains it."""
    return field(default=default, metadata={"text": text, "least": least, "most": most, "choices": choices})


@dataclass(frozen=True)
class Options:
    """Base of the options of a system. They are given by name, with dashes or underscores."""

    system: ClassVar[str]
    """The name of the system that they are of."""

    @classmethod
    def settings(cls) -> tuple[Setting, ...]:
        hints = get_type_hints(cls)
        return tuple(Setting(f.name, _kind(hints[f.name]), f.default, **f.metadata) for f in fields(cls))

    @classmethod
    def from_options(cls, given: Mapping[str, object]) -> Self:
        """Read what was given; None means not given. Raises UsageError."""
        known = {one.name: one for one in cls.settings()}
        values: dict[str, object] = {}
        for name, value in given.items():
            one = known.get(name.replace("-", "_"))
            if one is None:
                raise UsageError(_unknown(cls.system, name, list(known)))
            if value is not None:
                values[one.name] = _checked(one, _read(one, value))
        return cls(**values)

    def given(self) -> dict[str, Any]:
        """Those that differ from what they are when nothing is said, as plain values."""
        values = {
            one.name: getattr(self, one.name) for one in self.settings() if getattr(self, one.name) != one.default
        }
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def __post_init__(self) -> None:
        """Overridden where options have to agree with each other."""

    def at_most_one(self, *names: str) -> None:
        """Raises UsageError when more than one of these options was given."""
        given = [name for name in names if getattr(self, name) is not None]
        if len(given) > 1:
            raise UsageError(f"{given[0]} and {given[1]} both say how long {self.system} lasts: give one of them")


def _kind(hint: Any) -> Any:
    kinds = [one for one in get_args(hint) if one is not NoneType]
    if getattr(hint, "__origin__", None) is tuple:
        return tuple
    return kinds[0] if kinds else hint


def _unknown(system: str, name: str, known: list[str]) -> str:
    near = get_close_matches(name.replace("-", "_"), known, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    return f"{system} has no option {name}: {hint}"


def _read(one: Setting, value: object) -> object:
    """The value in the type of its option, also when it comes as text."""
    if one.kind is tuple:
        words = value.split(",") if isinstance(value, str) else value
        if isinstance(words, list | tuple) and all(isinstance(word, str) for word in words):
            return tuple(word.strip() for word in words if word.strip())
        raise UsageError(f"{one.name} must be a list of words, not {value!r}")
    try:
        return _converted(one.kind, value)
    except (ValueError, KeyError):
        raise UsageError(f"{one.name} must be {KINDS[one.kind]}, not {value!r}") from None


def _converted(kind: object, value: object) -> object:
    if kind is bool:
        return value if isinstance(value, bool) else TRUTHS[str(value).strip().lower()]
    if isinstance(value, bool) or (kind is int and isinstance(value, float)):
        raise ValueError(value)
    if kind is str:
        return str(value)
    return int(str(value)) if kind is int else float(str(value))


def _checked(one: Setting, value: Any) -> object:
    if one.choices and value not in one.choices:
        raise UsageError(f"{one.name} must be one of {', '.join(one.choices)}, not {value!r}")
    if one.least is not None and not value >= one.least:
        raise UsageError(f"{one.name} must be at least {one.least:g}, not {value}")
    if one.most is not None and not value <= one.most:
        raise UsageError(f"{one.name} must be at most {one.most:g}, not {value}")
    return value
