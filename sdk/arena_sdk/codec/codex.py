"""Codex Naturalis as messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from arena_rules import Game, NotationError, Options
from arena_rules.codex import Choices, CodexView, Move
from arena_rules.codex.area import REACH, cell_at, coordinates
from arena_rules.codex.cards import CARD_NAMES, FIRST_BACK, FIRST_STARTER
from arena_rules.codex.facts import HAND
from arena_rules.codex.moves import NO_DRAW, OBJECTIVE_MOVES, OBJECTIVE_TOLD, PASS, STARTER_MOVES
from arena_rules.codex.state import OBJECTIVES, PHASES, STARTERS
from arena_rules.codex.view import Cards
from arena_sdk.codec.game import MoveMessage, no_move
from arena_sdk.v1 import codex_pb2
from arena_sdk.v1 import referee_pb2 as pb

_FACE_BYTES: Final = tuple(bytes((face // 2 + 1, face % 2)) for face in range(2 * len(CARD_NAMES)))
"""A face on the wire: the number of its card, and 1 for the back."""


class CodexCodec:
    """Cards travel as one byte each: on the wire they count from 1, as printed, and 0 is no card."""

    def write_view(self, view: CodexView, into: pb.TurnRequested) -> None:
        message = into.codex
        message.players = view.players
        message.seat = view.seat
        message.to_move = view.to_move
        message.turn = view.turn
        message.phase = codex_pb2.CodexPhase.ValueType(view.phase + 1)
        message.left = bytes(view.left)
        message.starters = _up(view.starters)
        for cards in view.areas:
            message.areas.add().cards = b"".join([_place(cell) + _FACE_BYTES[face] for cell, face in cards])
        message.hands = b"".join([_up(hand) for hand in view.hands])
        message.known = _up(sorted(view.known))
        message.shown = _up(view.shown)
        message.stock = bytes(view.stock)
        message.tops = _up(view.tops)
        message.points = bytes(view.points)
        message.common = _up(view.common)
        message.offer = _up(view.offer)
        message.kept = _up(view.kept)
        if view.choices is not None:
            _write_choices(view.choices, into.codex_choices)

    def read_view(self, message: pb.TurnRequested, game: Game[Any], options: Options) -> CodexView:
        seen = message.codex
        hands = _down(seen.hands)
        if len(seen.areas) != seen.players or len(hands) != HAND * seen.players or not 0 < seen.phase <= len(PHASES):
            raise NotationError("the view of Codex Naturalis is not complete")
        return CodexView(
            options=options,
            players=seen.players,
            seat=seen.seat,
            to_move=seen.to_move,
            turn=seen.turn,
            phase=seen.phase - 1,
            left=tuple(seen.left),
            starters=_down(seen.starters),
            areas=tuple(_cards(area.cards) for area in seen.areas),
            hands=tuple(hands[start : start + HAND] for start in range(0, len(hands), HAND)),
            known=frozenset(_down(seen.known)),
            shown=_down(seen.shown),
            stock=tuple(seen.stock),
            tops=_down(seen.tops),
            points=tuple(seen.points),
            common=_down(seen.common),
            offer=_down(seen.offer),
            kept=_down(seen.kept),
            choices=self.read_choices(message),
        )

    def read_choices(self, message: pb.TurnRequested) -> Choices:
        phase = message.codex.phase - 1
        if phase == STARTERS:
            return Choices(words=STARTER_MOVES)
        if phase == OBJECTIVES:
            return Choices(words=OBJECTIVE_MOVES)
        sent = message.codex_choices
        if not sent.places:
            return Choices(words=(PASS,))
        faces = tuple(_face(sent.faces[i], sent.faces[i + 1]) for i in range(0, len(sent.faces), 2))
        places = tuple(_cell(sent.places[i : i + 2]) for i in range(0, len(sent.places), 2))
        return Choices(faces, places, tuple(source - 1 if source else NO_DRAW for source in sent.sources))

    def write_move(self, move: object, into: MoveMessage) -> None:
        if not isinstance(move, Move):
            raise no_move(move, "Codex Naturalis")
        message = into.codex
        if move in STARTER_MOVES:
            message.starter = codex_pb2.CodexSide.ValueType(STARTER_MOVES.index(move) + 1)
        elif move in OBJECTIVE_MOVES:
            message.objective = OBJECTIVE_MOVES.index(move) + 1
        elif move == OBJECTIVE_TOLD:
            message.objective = 0
        elif move == PASS:
            message.pass_turn.SetInParent()
        else:
            _write_placement(move, message.placement)

    def read_move(self, message: MoveMessage, game: Game[Any]) -> Move:
        kind = message.WhichOneof("move")
        if kind == "codex":
            return _read_decision(message.codex)
        if kind == "notation":
            read: Move = game.read_move(message.notation)
            return read
        raise NotationError("a move of Codex Naturalis is sent as CodexMove or in text notation")


def _up(numbers: Iterable[int]) -> bytes:
    """Numbers that begin at -1 as bytes."""
    return bytes([number + 1 for number in numbers])


def _down(data: bytes) -> tuple[int, ...]:
    return tuple([number - 1 for number in data])


def _place(cell: int) -> bytes:
    x, y = coordinates(cell)
    return bytes((x & 0xFF, y & 0xFF))


def _cell(place: bytes) -> int:
    x, y = (byte - 256 if byte > REACH else byte for byte in place)
    return cell_at(x, y)


def _face(card: int, down: int) -> int:
    return 2 * (card - 1) + down


def _cards(data: bytes) -> Cards:
    return tuple([(_cell(data[i : i + 2]), _face(data[i + 2], data[i + 3])) for i in range(0, len(data), 4)])


def _write_choices(choices: Choices, into: codex_pb2.CodexChoices) -> None:
    into.faces = b"".join([_FACE_BYTES[face] for face in choices.faces])
    into.places = b"".join([_place(cell) for cell in choices.cells])
    into.sources = bytes([0 if source == NO_DRAW else source + 1 for source in choices.sources])


def _write_placement(move: Move, into: codex_pb2.CodexPlacement) -> None:
    into.card = move.card + 1
    into.side = codex_pb2.CodexSide.ValueType(move.face % 2 + 1)
    into.x, into.y = move.position
    if move.source != NO_DRAW:
        into.source = codex_pb2.CodexSource.ValueType(move.source + 1)


def _read_decision(message: codex_pb2.CodexMove) -> Move:
    kind = message.WhichOneof("decision")
    if kind == "placement":
        return _read_placement(message.placement)
    if kind == "starter" and 1 <= message.starter <= len(STARTER_MOVES):
        return STARTER_MOVES[message.starter - 1]
    if kind == "objective" and message.objective <= len(OBJECTIVE_MOVES):
        return (OBJECTIVE_TOLD, *OBJECTIVE_MOVES)[message.objective]
    if kind == "pass_turn":
        return PASS
    raise NotationError("a CodexMove is a side of the starter, the first or second objective, a placement or a pass")


def _read_placement(message: codex_pb2.CodexPlacement) -> Move:
    card, side = message.card - 1, message.side - 1
    hidden = FIRST_BACK <= card < len(CARD_NAMES) and side == 1
    if side not in (0, 1) or not (0 <= card < FIRST_STARTER or hidden):
        raise NotationError(f"card {message.card} with side {message.side} cannot be placed")
    if max(abs(message.x), abs(message.y)) > REACH:
        raise NotationError(f"no card lies as far away as {message.x},{message.y}")
    if not 0 <= message.source <= NO_DRAW:
        raise NotationError(f"there is no source {message.source} to draw from")
    return Move(2 * card + side, cell_at(message.x, message.y), message.source - 1 if message.source else NO_DRAW)
