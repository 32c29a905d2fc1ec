"""Sends bytes that are no message in place of its second move. Speaks the protocol by hand."""

import os
import queue
import sys
from collections.abc import Iterator
from typing import Any

import grpc

from arena_sdk.v1 import referee_pb2 as pb

outbox: queue.Queue[bytes] = queue.Queue()


def messages() -> Iterator[bytes]:
    while True:
        yield outbox.get()


def say(event: pb.BotEvent) -> None:
    outbox.put(pb.PlayRequest(events=[event]).SerializeToString())


sys.stderr.write(f"pid {os.getpid()}\n")
say(pb.BotEvent(join=pb.Join(token=os.environ["ARENA_TOKEN"])))
with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
    play: Any = channel.stream_stream("/arena.v1.RefereeService/Play")
    for response in map(pb.PlayResponse.FromString, play(messages())):
        for event in response.events:
            turn = event.turn_requested
            if event.HasField("turn_requested") and turn.turn == 0:
                move = pb.MoveChosen(turn=0)
                move.shelfie.cells = turn.shelfie_choices.lines[:1]
                say(pb.BotEvent(game=event.game, move_chosen=move))
            elif event.HasField("turn_requested"):
                outbox.put(b"\xff" * 20)
