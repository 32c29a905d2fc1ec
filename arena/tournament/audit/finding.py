"""What an audit says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be."""

    place: str
    """Where: a match such as ``cup/17``, a version, a tournament, a page of the book, a record of a file."""
    problem: str
    """What differs, in words."""

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


@dataclass(slots=True)
class Report:
    """What was checked, and what was found."""

    matches: int = 0
    moves: int = 0
    versions: int = 0
    packs: int = 0
    pages: int = 0
    """Of the book of ratings."""
    seals: dict[str, str] = field(default_factory=dict)
    """What vouches for each file of a tournament, to be compared with what its organiser has published."""
    unchecked: list[str] = field(default_factory=list)
    """What could not be checked, and why."""
    findings: list[Finding] = field(default_factory=list)

    def find(self, place: str, problem: str) -> None:
        self.findings.append(Finding(place, problem))

    def as_json(self) -> dict[str, Any]:
        return {
            "clean": not self.findings,
            "matches": self.matches,
            "moves": self.moves,
            "versions": self.versions,
            "packs": self.packs,
            "pages": self.pages,
            "seals": self.seals,
            "unchecked": self.unchecked,
            "findings": [{"place": one.place, "problem": one.problem} for one in self.findings],
        }
