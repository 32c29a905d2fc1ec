"""Settings of gRPC that are made through the environment, for the referee and for the bots it has started."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

GRPC_ENVIRONMENT: Final[Mapping[str, str]] = {
    # Fork handlers crash children that are started while a server runs. Nobody here forks without exec.
    "GRPC_ENABLE_FORK_SUPPORT": "0",
    # Otherwise what is said of a connection that ends comes between the lines of a bot's log, or of the command.
    "GRPC_VERBOSITY": "ERROR",
    # The older event loop of gRPC does its I/O in the thread that waits for it; the newer one hands every message from
    # thread to thread. On one core a ping-pong takes 65 us with the older and 102 us with the newer.
    "GRPC_EXPERIMENTS": "-event_engine_client,-event_engine_listener",
}
