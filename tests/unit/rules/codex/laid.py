"""Positions of Codex Naturalis laid out by hand, so that a test shows the cards it speaks of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena_rules.codex import CODEX, CodexState
from arena_rules.codex.facts import GOLD_CARDS, RESOURCE_CARDS, STARTER_CARDS

STUCK = "S5@0,0/R32@-1,1/G39@0,2/R21@1,1/G29@-2,0/G27@2,2"
"""An area in which every corner that could be covered is shut off by a hidden one."""
NEARLY_STUCK, LAST_CARD = STUCK.rsplit("/", 1)

KINDS = (RESOURCE_CARDS, GOLD_CARDS)


def fields(state: object) -> dict[str, str]:
    """The named fields of a state or view in its notation."""
    return dict(word.split("=", 1) for word in str(state).split() if "=" in word)


def table(
    *,
    players: int = 2,
    areas: Mapping[int, str] | None = None,
    hands: Mapping[int, str] | None = None,
    shown: str = "",
    tops: str = "",
    resources: int | None = None,
    golds: int | None = None,
    points: Mapping[int, int] | None = None,
    objectives: str = "O09,O10,O11,O12,O13,O14,O15,O16,O01,O02",
    kept: str = "1,1,1,1",
    phase: str = "play",
    to_move: int | None = 0,
    left: str = "-",
    options: Mapping[str, str] | None = None,
) -> CodexState:
    """A position in the middle of a game.

    Areas are by seat, a starter alone where none is given; what is not given of the hands and of the cards face up are
    cards that are nowhere else. The decks hold all other cards in order, but those in ``tops`` lie on top. Where a deck
    is to be shorter, cards of it lie face down in a row that leads up and to the right from the last seat's starter.
    """
    laid = _areas(areas or {}, players)
    hands = {seat: hand for seat, hand in (hands or {}).items() if seat < players}
    on_table = {name.split("@")[0].rstrip("b*") for area in laid for name in area.split("/")}
    held = {name.rstrip("*") for hand in hands.values() for name in hand.split(",")}
    used = on_table | held | set(shown.split(",")) | set(tops.split(","))
    free = [[name for name in cards if name not in used] for cards in KINDS]
    shown = shown or ",".join([*free[0][:2], *free[1][:2]])
    free = [[name for name in cards if name not in shown] for cards in free]
    dealt = [hands.get(seat) or ",".join([free[0].pop(), free[0].pop(), free[1].pop()]) for seat in range(players)]
    decks = [[*deck, *(top for top in tops.split(",") if top in kind)] for deck, kind in zip(free, KINDS, strict=True)]
    surplus = [_cut(deck, size) for deck, size in zip(decks, (resources, golds), strict=True)]
    laid[-1] = "/".join([laid[-1], *(f"{name}b@{n},{n}" for n, name in enumerate(surplus[0] + surplus[1], 1))])
    words = {
        "players": players,
        "turn": 10,
        "to-move": "-" if to_move is None else to_move,
        "left": left,
        "phase": phase,
        "starters": ",".join(area.split("@")[0].rstrip("b") for area in laid),
        "areas": ";".join(laid),
        "hands": ";".join(dealt),
        "shown": shown,
        "points": ",".join(str((points or {}).get(seat, 0)) for seat in range(players)),
        "kept": ",".join(kept.split(",")[:players]),
        "objectives": ",".join(objectives.split(",")[: 2 + 2 * players]),
        "resources": ",".join(decks[0]) or "-",
        "golds": ",".join(decks[1]) or "-",
    }
    rules = CODEX.rules(overrides=options)
    text = [f"{name}={value}" for name, value in words.items()] + [f"{name}:{value}" for name, value in rules.items()]
    return CODEX.read_state(" ".join(text))


def _areas(areas: Mapping[int, str], players: int) -> list[str]:
    free = [name for name in STARTER_CARDS if not any(area.startswith(name) for area in areas.values())]
    return [areas.get(seat) or f"{free.pop(0)}@0,0" for seat in range(players)]


def _cut(deck: list[str], size: int | None) -> list[str]:
    """Take cards from the bottom of a deck until it has this size."""
    surplus = deck[: max(0, len(deck) - size)] if size is not None else []
    del deck[: len(surplus)]
    return surplus


def played(state: CodexState, *moves: str) -> CodexState:
    """The state after these moves."""
    for move in moves:
        after = state.apply(CODEX.read_move(move))
        assert isinstance(after, CodexState)
        state = after
    return state


def points(state: CodexState) -> list[int]:
    """What each seat has scored by cards."""
    return [int(number) for number in fields(state)["points"].split(",")]


def visible(state: CodexState, seat: int = 0) -> dict[str, int]:
    """The symbols that can be seen in an area, by letter, without those that cannot."""
    packed = state.areas[seat].symbols
    return {letter: packed >> 8 * place & 127 for place, letter in enumerate("FPAIQKM") if packed >> 8 * place & 127}


def legal(state: CodexState) -> Sequence[str]:
    return [str(move) for move in state.legal_moves()]
