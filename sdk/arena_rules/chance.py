"""Named random streams: all chance in a game comes from here, fixed by the match seed before anybody moves.

A stream is a seed and a name. Its numbers are the consecutive little-endian 64-bit words of
``SHAKE-256("arena:<seed>:<name>")``: the same in every language and every version of Python, and one-way, so that
nobody who knows one stream (a bot its own seat's seed) learns anything of the others. Each deck, bag and refill has a
name of its own, so what one of them gives never depends on how often another was used.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from hashlib import shake_256
from typing import TypeVar

T = TypeVar("T")

SEED_LIMIT = 1 << 64


def numbers(seed: int, name: str, count: int) -> tuple[int, ...]:
    """The first ``count`` numbers, each below 2**64, of the stream."""
    return struct.unpack(f"<{count}Q", shake_256(f"arena:{seed}:{name}".encode()).digest(8 * count))


def derive(seed: int, name: str) -> int:
    """A seed of its own, below 2**64, for the part of the match called ``name``."""
    return numbers(seed, name, 1)[0]


def shuffled(seed: int, name: str, items: Iterable[T]) -> list[T]:
    """The items in the order that sorting them by the numbers of the stream gives."""
    row = list(items)
    keys = list(numbers(seed, name, len(row)))  # whose method is called faster than that of a tuple
    return [row[i] for i in sorted(range(len(row)), key=keys.__getitem__)]
