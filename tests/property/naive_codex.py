"""Codex Naturalis once more, as slow and plain as the rules read: what the real rules are compared with.

Everything is read from the notation of states and moves, and from the printed facts. Nothing else is shared with the
real rules: an area is a list of cards in the order of placing, and all that follows from it is looked for anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from arena_rules.codex.facts import GOLD_CARDS, OBJECTIVE_CARDS, RESOURCE_CARDS, STARTER_CARDS

Place = tuple[int, int]

CORNERS = ((-1, 1), (1, 1), (-1, -1), (1, -1))
"""Steps to the places over the top left, top right, bottom left and bottom right corner."""
LETTERS = {"fungi": "F", "plant": "P", "animal": "A", "insect": "I"}
LETTERS |= {"quill": "Q", "inkwell": "K", "manuscript": "M"}

CARDS = {**RESOURCE_CARDS, **GOLD_CARDS}


class Card(NamedTuple):
    """A card on the table."""

    name: str
    down: bool
    place: Place

    @property
    def kingdom(self) -> str:
        return str(CARDS[self.name]["kingdom"]) if self.name[0] != "S" else ""

    @property
    def corners(self) -> str:
        if self.name[0] == "S":
            return str(STARTER_CARDS[self.name]["back" if self.down else "front"])
        return "...." if self.down else str(CARDS[self.name]["corners"])

    @property
    def middle(self) -> str:
        if self.name[0] == "S":
            return "" if self.down else str(STARTER_CARDS[self.name]["centre"])
        return LETTERS[self.kingdom] if self.down else ""


Area = list[Card]


def read_card(text: str) -> Card:
    name, place = text.split("@")
    x, y = place.split(",")
    return Card(name.rstrip("b*"), "b" in name, (int(x), int(y)))


def over(place: Place, step: Place) -> Place:
    return place[0] + step[0], place[1] + step[1]


# ── areas ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def covered_corners(area: Area) -> Iterator[tuple[int, int]]:
    """Which corners of which cards have a later card over them."""
    for index, corner in product(range(len(area)), range(4)):
        if over(area[index].place, CORNERS[corner]) in [later.place for later in area[index + 1 :]]:
            yield index, corner


def symbols(area: Area) -> Counter[str]:
    """All symbols that can be seen."""
    covered = set(covered_corners(area))
    found = Counter("".join(card.middle for card in area))
    for index, card in enumerate(area):
        found.update(letter for corner, letter in enumerate(card.corners) if (index, corner) not in covered)
    return Counter({letter: found[letter] for letter in "FPAIQKM"})


def may_lie(area: Area, place: Place) -> bool:
    """Free, over a corner of some card, and over no corner that is hidden."""
    facing = [
        card.corners[corner] for card in area for corner, step in enumerate(CORNERS) if over(card.place, step) == place
    ]
    return place not in [card.place for card in area] and bool(facing) and "#" not in facing


def places(area: Area) -> set[Place]:
    around = {over(card.place, step) for card in area for step in CORNERS}
    return {place for place in around if may_lie(area, place)}


def can_pay(area: Area, name: str) -> bool:
    there = symbols(area)
    return all(there[LETTERS[symbol]] >= count for symbol, count in GOLD_CARDS.get(name, {}).get("cost", {}).items())


def points_for(before: Area, card: Card, options: dict[str, str]) -> int:
    """What a card brings that has just been placed."""
    if card.down:
        return 0
    facts = CARDS[card.name]
    points, per = facts.get("points", 0), facts.get("per", "")
    if not per:
        return int(points)
    if per == "covered corner":
        covers = [other for other in before for step in CORNERS if over(other.place, step) == card.place]
        return int(points * len(covers))
    letter = LETTERS[per]
    if options["object_points"] == "before_covering":
        return int(points * (symbols(before)[letter] + card.corners.count(letter)))
    return int(points * symbols([*before, card])[letter])


# ── objectives ──────────────────────────────────────────────────────────────────────────────────────────────────────


def objective_points(name: str, area: Area) -> int:
    facts = OBJECTIVE_CARDS[name]
    if "symbols" in facts:
        there = symbols(area)
        return int(facts["points"] * min(there[LETTERS[symbol]] // n for symbol, n in facts["symbols"].items()))
    kingdoms = {card.place: card.kingdom for card in area}
    return int(facts["points"] * most_apart(patterns(name, kingdoms)))


def patterns(name: str, kingdoms: dict[Place, str]) -> list[frozenset[Place]]:
    """Everywhere that the cards lie as the objective wants."""
    cells = OBJECTIVE_CARDS[name]["cells"]
    found = []
    for x, y in kingdoms:
        wanted = {(x + dx, y + dy): kingdom for dx, dy, kingdom in cells}
        if all(kingdoms.get(place) == kingdom for place, kingdom in wanted.items()):
            found.append(frozenset(wanted))
    return found


def most_apart(found: list[frozenset[Place]]) -> int:
    """The most of these sets that have no place in common: with the first one, or without it."""
    if not found:
        return 0
    first, rest = found[0], found[1:]
    near = [other for other in rest if first & other]
    with_first = 1 + most_apart([other for other in rest if not first & other])
    return with_first if not near else max(with_first, most_apart(rest))


# ── whole states ────────────────────────────────────────────────────────────────────────────────────────────────────

SLOTS = ("R1", "R2", "G1", "G2")


class Table:
    """A state as its notation tells it."""

    def __init__(self, text: str) -> None:
        words = text.split()
        field = dict(word.split("=", 1) for word in words if "=" in word)
        self.options = dict(word.split(":") for word in words if ":" in word and "=" not in word)
        self.players = int(field["players"])
        self.turn = int(field["turn"])
        self.to_move = -1 if field["to-move"] == "-" else int(field["to-move"])
        self.phase = field["phase"]
        self.starters = field["starters"].split(",")
        self.areas: list[Area] = [
            [] if area == "-" else [read_card(card) for card in area.split("/")] for area in field["areas"].split(";")
        ]
        self.hands = [hand.replace("*", "").split(",") for hand in field["hands"].split(";")]
        self.shown = field["shown"].split(",")
        self.points = [int(number) for number in field["points"].split(",")]
        self.kept = field["kept"].split(",")
        self.objectives = field["objectives"].split(",")
        self.decks = {kind: field[name].split(",") for kind, name in (("R", "resources"), ("G", "golds"))}
        self.decks = {kind: [] if deck == ["-"] else deck for kind, deck in self.decks.items()}

    def cards(self) -> list[str]:
        """All resource and gold cards, wherever they are."""
        placed = [card.name for area in self.areas for card in area if card.name[0] != "S"]
        held = [name for hand in self.hands for name in hand if name != "-"]
        return [*placed, *held, *(name for name in self.shown if name != "-"), *self.decks["R"], *self.decks["G"]]

    def sources(self) -> list[str]:
        if self.phase == "last" and self.options["last_round_draw"] == "none":
            return [""]
        slots = [slot for slot, name in zip(SLOTS, self.shown, strict=True) if name != "-"]
        found = slots + [kind for kind, deck in self.decks.items() if deck]
        return [f"<{source}" for source in found] or [""]

    def is_stuck(self, seat: int) -> bool:
        return not places(self.areas[seat]) or set(self.hands[seat]) == {"-"}

    def legal_moves(self) -> set[str]:
        """All moves of the seat to move, in notation."""
        if self.phase in {"starters", "objectives"}:
            return {"S:front", "S:back"} if self.phase == "starters" else {"O:1", "O:2"}
        area = self.areas[self.to_move]
        held = [name for name in self.hands[self.to_move] if name != "-"]
        faces = [f"{name}b" for name in held] + [name for name in held if can_pay(area, name)]
        found = {f"{face}@{x},{y}{s}" for face in faces for x, y in places(area) for s in self.sources()}
        return found or {"pass"}

    def score(self, seat: int) -> list[int]:
        """The lines of the score sheet: cards, both common objectives, the secret one."""
        area = self.areas[seat]
        if self.phase == "starters":
            return [self.points[seat], 0, 0, 0]
        common = [objective_points(name, area) for name in self.objectives[:2]]
        own = self.objectives[2 + 2 * seat : 4 + 2 * seat]
        secret = 0 if self.kept[seat] == "-" else objective_points(own[int(self.kept[seat]) - 1], area)
        return [self.points[seat], *common, secret]

    # ── a turn ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def make(self, move: str) -> None:
        """What a legal move does."""
        self.turn += 1
        if move[:2] == "S:":
            self.areas[self.to_move].append(Card(self.starters[self.to_move], move == "S:back", (0, 0)))
        elif move[:2] == "O:":
            self.kept[self.to_move] = move[2:]
        elif move != "pass":
            self._place(*move.split("<"))
        self._pass_turn()

    def _place(self, placed: str, source: str = "") -> None:
        seat = self.to_move
        card = read_card(placed)
        points = self.points[seat] + points_for(self.areas[seat], card, self.options)
        self.points[seat] = min(points, 29) if self.options["score_track"] == "cap_29" else points
        self.areas[seat].append(card)
        self.hands[seat][self.hands[seat].index(card.name)] = self._draw(source) if source else "-"
        if self.phase == "play" and (self.points[seat] >= 20 or self._decks_end()):
            self.phase = "ending"

    def _draw(self, source: str) -> str:
        if source in self.decks:
            return self.decks[source].pop()
        slot = SLOTS.index(source)
        drawn = self.shown[slot]
        deck = self.decks[source[0]]
        if not deck and self.options["face_up_refill"] == "other_deck":
            deck = self.decks["G" if source[0] == "R" else "R"]
        self.shown[slot] = deck.pop() if deck else "-"
        return drawn

    def _decks_end(self) -> bool:
        empty = [not deck for deck in self.decks.values()]
        if self.options["deck_end"] == "either_deck_empty":
            return any(empty)
        return all(empty) and (self.options["deck_end"] == "both_decks_empty" or set(self.shown) == {"-"})

    def _pass_turn(self) -> None:
        played = self.phase not in {"starters", "objectives"}
        if played and all(self.is_stuck(seat) for seat in range(self.players)):
            self.to_move = -1
            return
        self.to_move = (self.to_move + 1) % self.players
        if self.to_move == 0:
            self._next_round()

    def _next_round(self) -> None:
        if self.phase == "starters":
            self.hands = [[self.decks[kind].pop() for kind in "RRG"] for _ in range(self.players)]
        if self.phase == "last":
            self.to_move = -1
        else:
            following = {"starters": "objectives", "objectives": "play", "play": "play", "ending": "last"}
            self.phase = following[self.phase]
