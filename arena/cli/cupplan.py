"""What a tournament is to be: what the command line and the file say, and a decision on all that they leave open."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from secrets import randbits
from typing import TYPE_CHECKING, Any, Final

from arena.config import parse_time, write_time
from arena.errors import UsageError
from arena_rules import Game, game, games

if TYPE_CHECKING:
    from arena.tournament.definition import Definition
    from arena.tournament.worker import Contender

MIXED: Final = "mixed"
DEFAULT_TIME: Final = "1s+10s"
DEFAULT_SYSTEM: Final = "round-robin"


@dataclass(frozen=True, slots=True)
class CupPlan:
    """A tournament that can be played, and how it is to be played here."""

    definition: Definition
    contenders: Mapping[str, Contender]
    jobs: int
    in_flight: int
    at: tuple[str, ...]
    """The flags that say in which arena, if they were given."""

    def folders(self) -> list[str]:
        """Where the bots are, as one would write it here."""
        return [str(_shortest(one.folder)) for one in self.contenders.values()]

    def again(self) -> str:
        """The command that plays the same tournament, here or elsewhere; one that bots have joined is only here."""
        plan = self.definition
        if plan.joins:
            return self.resume()
        words = ["arena", "tournament", *self.folders()]
        words += ["--game", plan.game, "--edition", plan.edition, "--system", plan.system]
        words += ["--players", MIXED if len(plan.players) > 1 else str(plan.players[0])]
        for key, value in plan.options.items():
            words += ["--option", f"{key}={value}"]
        for key, value in plan.settings.items():
            words += _flag(key, value)
        words += ["--seed", str(plan.seed), "--time", write_time(plan.time)]
        words += ["--deals", plan.deals.value] if plan.deals.value != "rotations" else []
        words += ["--strikes", str(plan.strikes)] if plan.strikes != 10 else []
        words += ["--lenient"] if plan.lenient else []
        return shlex.join([*words, "--name", plan.name, *self.at])

    def resume(self) -> str:
        """The command that goes on with it."""
        return shlex.join(["arena", "tournament", "--resume", self.definition.name, *self.at])


def _shortest(folder: Path) -> Path:
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def _flag(key: str, value: Any) -> list[str]:
    name = f"--{key.replace('_', '-')}"
    if isinstance(value, bool):
        return [name] if value else []
    return [name, ",".join(value) if isinstance(value, list | tuple) else str(value)]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for; None is for what was left open."""

    game: str | None = None
    edition: str | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    players: str | int | None = None
    system: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    """Those of the system."""
    seed: int | None = None
    time: str | None = None
    jobs: int | None = None
    in_flight: int | None = None
    deals: str | None = None
    strikes: int | None = None
    lenient: bool | None = None
    name: str | None = None


def definition_of(wishes: Wishes, bots: Mapping[str, Sequence[str]]) -> Definition:
    """The definition for what was asked, and for these bots with the games that they play. Raises UsageError."""
    from arena.tournament.definition import Deals, Definition
    from arena.tournament.systems import find

    kind = find(wishes.system or DEFAULT_SYSTEM)
    rules = chosen_game(wishes.game, bots)
    edition = wishes.edition or rules.default_edition
    preset, chosen = rules.rules(edition), rules.rules(edition, dict(wishes.rules))
    definition = Definition(
        name=wishes.name or "unnamed",
        game=rules.name,
        edition=edition,
        options={key: value for key, value in chosen.items() if preset[key] != value},
        players=_players(wishes.players, rules, len(bots)),
        system=kind.name,
        settings=kind.options.from_options(_settings(wishes.options, list(bots))).given(),
        bots=tuple(bots),
        seed=randbits(63) if wishes.seed is None else wishes.seed,
        time=parse_time(wishes.time or DEFAULT_TIME),
        deals=Deals(wishes.deals or "rotations"),
        strikes=10 if wishes.strikes is None else wishes.strikes,
        lenient=bool(wishes.lenient),
    )
    return definition if wishes.name else definition.named(f"{rules.name}-{kind.name}-{definition.digest()}")


def chosen_game(name: str | None, bots: Mapping[str, Sequence[str]]) -> Game[Any]:
    """The game of that name, or the only one that all these bots play. Raises UsageError when one does not play it."""
    shared = [one for one in games() if all(one in played for played in bots.values())]
    if name is None and len(shared) != 1:
        which = f"these bots can play {' and '.join(shared)}" if shared else "there is no game that all these bots play"
        raise UsageError(f"{which}; choose one with --game" if shared else which)
    chosen = game(name or shared[0])
    for bot, played in bots.items():
        if chosen.name not in played:
            raise UsageError(f"the bot {bot} does not play {chosen.name}; it plays {', '.join(played)}")
    return chosen


def _players(wish: str | int | None, rules: Game[Any], bots: int) -> tuple[int, ...]:
    """The sizes of tables; as many of a mixed tournament as there are bots for."""
    if wish == MIXED:
        sizes = tuple(size for size in rules.players if size <= bots)
        if len(sizes) < 2:
            raise UsageError(f"a mixed tournament needs three bots or more, and {bots} entered")
        return sizes
    size = int(wish) if str(wish).isdigit() else 0  # type: ignore[arg-type]  # digits are a number
    if wish is not None and size not in rules.players:
        sizes_text = ", ".join(map(str, rules.players))
        raise UsageError(f"{rules.name} is played by {sizes_text}, or {MIXED}; not by {wish}")
    return (size or 2,)


def _settings(options: Mapping[str, Any], labels: list[str]) -> dict[str, Any]:
    """The system's settings, with bots by their labels where people write names."""
    return {
        key.replace("-", "_"): [_label(bot, labels) for bot in _words(value)] if key == "challengers" else value
        for key, value in options.items()
        if value is not None
    }


def _words(value: Any) -> list[str]:
    return value.split(",") if isinstance(value, str) else list(value)


def _label(word: str, labels: list[str]) -> str:
    name = Path(word.strip()).name
    matching = [label for label in labels if name in {label, label.partition("@")[0]}]
    if len(matching) != 1:
        problem = "is not among the bots" if not matching else f"may be {' or '.join(matching)}"
        raise UsageError(f"{word} {problem}; they are {', '.join(labels)}")
    return matching[0]
