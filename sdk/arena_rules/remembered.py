"""Results that are kept, where looking them up is cheaper than finding them out again: in pure Python, not compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeVar

A = TypeVar("A")
R = TypeVar("R")

COMPILED: Final = not __file__.endswith(".py")
"""Whether this module, and with it the rules, has been compiled."""


def remembered(most: int) -> Callable[[Callable[[A], R]], Callable[[A], R]]:
    """Decorates a small pure function of one hashable value; the ``most`` results last used are kept.

    Compiled functions are left as they are: they take less time than a large dict takes to miss the processor's cache.
    """
    return _itself if COMPILED else lru_cache(most)


def _itself(function: Callable[[A], R]) -> Callable[[A], R]:
    return function
