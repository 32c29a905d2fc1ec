"""What a match is to be: what the command line says, and a decision on everything that it leaves open."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from secrets import randbits
from typing import Any

from arena.cli.lineup import Lineup, choose_game, read_lineup
from arena.config import write_time
from arena.record import MatchSpec
from arena.tournament.blocks import blocks
from arena_rules import Game
from arena_sdk.events import TimeControl


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played."""

    folders: tuple[Path, ...]
    lineup: Lineup
    game: Game[Any]
    edition: str
    options: Mapping[str, str]
    seed: int
    time: TimeControl
    games: int
    in_flight: int

    def specs(self) -> Iterator[MatchSpec]:
        return blocks(
            game=self.game.name,
            edition=self.edition,
            options=self.options,
            lineup=self.lineup.names,
            seed=self.seed,
            time=self.time,
            games=self.games,
        )

    def again(self) -> str:
        """The command that plays the same games."""
        words = ["arena", "match", *map(str, self.folders), "--game", self.game.name, "--edition", self.edition]
        for key, value in self.options.items():
            words += ["--option", f"{key}={value}"]
        words += ["--seed", str(self.seed), "--time", write_time(self.time)]
        words += ["--games", str(self.games)] if self.games > 1 else []
        words += ["--in-flight", str(self.in_flight)] if self.in_flight > 1 else []
        return shlex.join(words)


def plan_of(
    bots: tuple[Path, ...],
    game: str | None,
    edition: str | None,
    options: tuple[tuple[str, str], ...],
    seed: int | None,
    **limits: Any,
) -> Plan:
    """The plan for what was asked. Raises UsageError or BadOptions when that cannot be played."""
    lineup = read_lineup(bots)
    chosen = choose_game(lineup, game)
    edition = edition or chosen.default_edition
    preset, rules = chosen.rules(edition), chosen.rules(edition, dict(options))
    differing = {key: value for key, value in rules.items() if preset[key] != value}
    return Plan(bots, lineup, chosen, edition, differing, randbits(32) if seed is None else seed, **limits)
