"""The referee: deals the game, shows each seat what it may see, times every move, applies the rules, writes the record.

What gRPC takes from the environment must be there before it is first imported, and this package comes before that.
"""

import os

from arena.referee.transport import GRPC_ENVIRONMENT

os.environ.update({name: value for name, value in GRPC_ENVIRONMENT.items() if name not in os.environ})
