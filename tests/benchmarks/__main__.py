"""`make bench`: everything that is measured. `make bench ARGS=rules` measures one thing."""

import sys
from importlib import import_module
from typing import Final

BENCHMARKS: Final = (
    *("rules", "positions", "searching", "wire", "sandbox", "tournaments", "store"),
    *("blocks", "schedules", "ratings", "ladder"),
)
"""Modules of this folder with a function ``main``; the long ones last."""

if __name__ == "__main__":
    for name in sys.argv[1:] or BENCHMARKS:
        print(f"── {name} " + "─" * (76 - len(name)))
        import_module(f"tests.benchmarks.{name}").main()
