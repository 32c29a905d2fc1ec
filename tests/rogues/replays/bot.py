"""Uses its token again beside its game, at the same door, and tells how that went. Plays on."""

import os
import sys

import grpc

from arena_sdk import Bot, Turn, run
from arena_sdk.v1 import referee_pb2 as pb
from arena_sdk.v1.referee_pb2_grpc import RefereeServiceStub


def join_again() -> str:
    again = pb.PlayRequest(events=[pb.BotEvent(join=pb.Join(token=os.environ["ARENA_TOKEN"]))])
    with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        try:
            next(RefereeServiceStub(channel).Play(iter([again])))
        except grpc.RpcError as error:
            return str(error.code().name)
    return "welcome"


class Replays(Bot):
    def choose(self, turn: Turn) -> object:
        if turn.number < 2:
            sys.stderr.write(f"its token again: {join_again()}\n")
        return turn.legal[0]


run(Replays())
