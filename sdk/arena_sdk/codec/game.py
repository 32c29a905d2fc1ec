"""What a game must know about its messages, and the way for games that have none: text notation."""

from __future__ import annotations

from typing import Any, Protocol

from arena_rules import Game, NotationError, Options, View
from arena_sdk.v1 import referee_pb2 as pb

MoveMessage = pb.MoveChosen | pb.MoveApplied


class GameCodec(Protocol):
    """Views and moves of one game as messages. Reading raises NotationError on what makes no sense."""

    def write_view(self, view: Any, into: pb.TurnRequested) -> None: ...

    def read_view(self, message: pb.TurnRequested, game: Game[Any], options: Options) -> View[Any]: ...

    def read_choices(self, message: pb.TurnRequested) -> Any:
        """The choices of the view alone, for bots that look at nothing else."""

    def write_move(self, move: Any, into: MoveMessage) -> None: ...

    def read_move(self, message: MoveMessage, game: Game[Any]) -> Any: ...


def no_move(given: object, title: str) -> TypeError:
    """What a bot's own log shall say when it has chosen something that cannot be sent."""
    return TypeError(f"{given!r} is not a move of {title}: choose one of turn.legal, or write it in text notation")


class NotationCodec:
    """Any game, in its text notation."""

    def write_view(self, view: View[Any], into: pb.TurnRequested) -> None:
        into.notation = str(view)
        into.moves.moves.extend(str(move) for move in view.legal_moves())

    def read_view(self, message: pb.TurnRequested, game: Game[Any], options: Options) -> View[Any]:
        return game.read_view(message.notation)

    def read_choices(self, message: pb.TurnRequested) -> list[str]:
        return list(message.moves.moves)

    def write_move(self, move: object, into: MoveMessage) -> None:
        into.notation = str(move)

    def read_move(self, message: MoveMessage, game: Game[Any]) -> Any:
        if message.WhichOneof("move") != "notation":
            raise NotationError(f"a move of {game.name} is sent in its text notation")
        return game.read_move(message.notation)
