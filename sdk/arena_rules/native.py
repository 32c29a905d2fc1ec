"""A word to the compiler (mypyc) that pure Python has no need of.

A compiled class cannot be subclassed in Python, unless it says ``@mypyc_attr(allow_interpreted_subclasses=True)``. With
``@mypyc_attr(free_list_len=1)`` a new object takes the memory of the last one that was dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:  # the rules need nothing but the standard library

    def mypyc_attr(**_):
        return lambda kind: kind


__all__ = ["mypyc_attr"]
