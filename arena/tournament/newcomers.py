"""Bots that join a tournament which has begun: what is stored of it grows by who came, and behind which match.

The schedule follows from the definition and the results as before, so what has grown is resumed and audited like any
other tournament.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import Unknown, UsageError
from arena.store import State, Store
from arena.tournament import systems
from arena.tournament.definition import Definition
from arena.tournament.systems import SYSTEMS


def admitted(store: Store, definition: Definition, bots: Sequence[str]) -> Definition:
    """The tournament, which is in the store, with these bots behind all that was played. Raises UsageError."""
    name = definition.name
    if not bots:
        return definition
    if store.tournament(name).state is State.FINISHED:
        raise UsageError(f"{name} is over, so {bots[0]} cannot join it: open another tournament")
    grown = definition.joined(bots, store.reach(name))
    system = systems.of(definition)
    for bot in bots:  # one that nobody can join says so before anything is written
        system.join(bot)
    return grown


def continued(store: Store, wished: Definition) -> Definition:
    """The tournament that goes on when this one is asked for: as it has grown, with whoever is new in the wish.

    It is the wish itself when there is none of its name, or another one, which the store will say. Raises UsageError.
    """
    try:
        found = store.tournament(wished.name)
    except Unknown:
        return wished
    if found.system not in SYSTEMS:
        return wished
    definition = Definition.from_json(found.definition)
    newcomers = definition.newcomers(wished)
    return wished if newcomers is None else admitted(store, definition, newcomers)
