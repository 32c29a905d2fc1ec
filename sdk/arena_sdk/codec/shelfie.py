"""My Shelfie as messages."""

from __future__ import annotations

from typing import Any

from arena_rules import Game, NotationError, Options
from arena_rules.shelfie import Choices, Move, ShelfieView
from arena_rules.shelfie.facts import BOARD_CELLS, SHELF_CELLS
from arena_rules.shelfie.moves import find_move
from arena_sdk.codec.game import MoveMessage, no_move
from arena_sdk.v1 import referee_pb2 as pb


class ShelfieCodec:
    """Boards and shelves travel as bytes: one byte per cell is compact, and easy to read in every language."""

    def write_view(self, view: ShelfieView, into: pb.TurnRequested) -> None:
        message = into.shelfie
        message.players = view.players
        message.seat = view.seat
        message.to_move = view.to_move
        message.turn = view.turn
        message.board = view.board
        message.shelves = view.shelves
        message.common_goals = bytes(view.common_goals)
        message.tokens = view.tokens
        message.first_full = view.first_full + 1
        message.personal_goal = view.personal_goal
        if view.left:
            message.left = bytes(view.left)
        if view.choices is not None:
            choices = into.shelfie_choices
            choices.lines = view.choices.ends
            choices.free = view.choices.free

    def read_view(self, message: pb.TurnRequested, game: Game[Any], options: Options) -> ShelfieView:
        seen = message.shelfie
        if len(seen.board) != BOARD_CELLS or len(seen.shelves) != SHELF_CELLS * seen.players:
            raise NotationError("the view of My Shelfie is not complete")
        return ShelfieView(
            options=options,
            players=seen.players,
            seat=seen.seat,
            to_move=seen.to_move,
            turn=seen.turn,
            board=seen.board,
            shelves=seen.shelves,
            common_goals=tuple(seen.common_goals),
            tokens=seen.tokens,
            first_full=seen.first_full - 1,
            personal_goal=seen.personal_goal,
            left=tuple(seen.left),
            choices=self.read_choices(message),
        )

    def read_choices(self, message: pb.TurnRequested) -> Choices:
        sent = message.shelfie_choices
        return Choices(sent.lines, sent.free)

    def write_move(self, move: object, into: MoveMessage) -> None:
        if not isinstance(move, Move):
            raise no_move(move, "My Shelfie")
        message = into.shelfie
        message.cells = move.cells
        message.column = move.column

    def read_move(self, message: MoveMessage, game: Game[Any]) -> Move:
        kind = message.WhichOneof("move")
        if kind == "shelfie":
            sent = message.shelfie
            return find_move(sent.cells, sent.column)
        if kind == "notation":
            read: Move = game.read_move(message.notation)
            return read
        raise NotationError("a move of My Shelfie is sent as ShelfieMove or in text notation")
