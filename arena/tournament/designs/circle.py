"""All pairs, round by round: the circle method, which needs no memory."""

from __future__ import annotations

from collections.abc import Iterator

Table = tuple[int, ...]


def pairs(bots: int) -> Iterator[Table]:
    """All pairs of the numbers below ``bots``, once each.

    A round pairs those who stand on a ring at the same distance from its middle. In the middle stands who sits out, or,
    when the number is even, who meets the one beside the ring. So in a round nobody plays twice.
    """
    ring = bots if bots % 2 else bots - 1
    for turn in range(ring):
        middle = turn * 2 % ring  # two on, so that nobody who has just sat out is close to it again
        for distance in range(1, ring // 2 + 1):
            yield (middle + distance) % ring, (middle - distance) % ring
        if ring < bots:
            yield middle, ring
