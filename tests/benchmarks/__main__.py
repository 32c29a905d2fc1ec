"""`make bench`: everything that is measured. `make bench ARGS=rules` measures one thing."""

import sys
from collections.abc import Callable, Mapping

from tests.benchmarks import ladder, positions, ratings, rules, searching, store, wire

BENCHMARKS: Mapping[str, Callable[[], None]] = {
    "rules": rules.main,
    "positions": positions.main,
    "searching": searching.main,
    "wire": wire.main,
    "ladder": ladder.main,
    "ratings": ratings.main,
    "store": store.main,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or BENCHMARKS:
        print(f"── {name} " + "─" * (76 - len(name)))
        BENCHMARKS[name]()
