"""Closes its stream at its second turn and lives on. Speaks the protocol by hand."""

import os
import queue
import sys
import time
from collections.abc import Iterator

import grpc

from arena_sdk.v1 import referee_pb2 as pb
from arena_sdk.v1.referee_pb2_grpc import RefereeServiceStub

outbox: queue.Queue[pb.PlayRequest | None] = queue.Queue()


def messages() -> Iterator[pb.PlayRequest]:
    while message := outbox.get():
        yield message


sys.stderr.write(f"pid {os.getpid()}\n")
outbox.put(pb.PlayRequest(events=[pb.BotEvent(join=pb.Join(token=os.environ["ARENA_TOKEN"]))]))
with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
    for response in RefereeServiceStub(channel).Play(messages()):
        for event in response.events:
            turn = event.turn_requested
            if event.HasField("turn_requested") and turn.turn == 0:
                answer = pb.BotEvent(game=event.game, move_chosen=pb.MoveChosen())
                answer.move_chosen.shelfie.cells = turn.shelfie_choices.lines[:1]
                outbox.put(pb.PlayRequest(events=[answer]))
            elif event.HasField("turn_requested"):
                outbox.put(None)
time.sleep(600)
