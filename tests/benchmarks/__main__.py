"""`make bench`: everything that is measured. `make bench ARGS=rules` measures one thing."""

import sys

from tests.benchmarks import positions, rules, wire

BENCHMARKS = {"rules": rules.main, "positions": positions.main, "wire": wire.main}

if __name__ == "__main__":
    for name in sys.argv[1:] or BENCHMARKS:
        print(f"── {name} " + "─" * (76 - len(name)))
        BENCHMARKS[name]()
