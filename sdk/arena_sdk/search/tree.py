"""Monte-Carlo tree search when not all is seen: on one tree for all guesses, or on one tree for each of a few."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Generic, TypeVar

from arena_rules import State, View
from arena_sdk.search.budget import Budget
from arena_sdk.search.guide import UNGUIDED, Guide
from arena_sdk.search.playout import rewards, rollout

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Tried(Generic[M]):
    """A move that was searched."""

    move: M
    visits: int
    value: float
    """The mean reward of the seat that moves: the part of the others that it expects to leave behind."""


@dataclass(frozen=True, slots=True)
class Found(Generic[M]):
    """What a search has found."""

    tried: tuple[Tried[M], ...]
    """The most visited first."""
    rounds: int
    """How often it went down the tree."""

    @property
    def move(self) -> M:
        """The move to make."""
        return self.tried[0].move


def ismcts(view: View[M], budget: Budget, rng: Random, guide: Guide[M] = UNGUIDED) -> Found[M]:
    """Information-set search: one tree, and a fresh guess at what is hidden every time it goes down.

    What is hidden is never assumed to be known, by any seat: a move is judged over all guesses. The right one for most
    games with hidden cards.
    """
    tree = Tree(view, guide, rng)
    while budget.spend():
        tree.grow(view.sample(rng))
    return _found([tree], budget.used)


def determinised(
    view: View[M], budget: Budget, rng: Random, guide: Guide[M] = UNGUIDED, *, worlds: int = 8
) -> Found[M]:
    """Search a few guesses as if each were the truth, and take the move that is best over all of them.

    Looks deeper than `ismcts` into each guess, and overrates what it could only do if it knew.
    """
    guesses = [(Tree(view, guide, rng), view.sample(rng)) for _ in range(worlds)]
    while budget.spend():
        tree, guess = guesses[budget.used % worlds]
        tree.grow(guess.copy())
    return _found([tree for tree, _ in guesses], budget.used)


class _Node(Generic[M]):
    """A position, as far as the moves since the root tell."""

    __slots__ = ("below", "branches", "gained", "mover", "seen", "visits")

    def __init__(self, mover: int) -> None:
        self.mover = mover
        """The seat whose move led here."""
        self.branches: dict[M, _Node[M]] = {}
        self.visits = 0
        self.seen = 0
        """How often the move to here could have been chosen: moves that few guesses allow are not starved."""
        self.gained = 0.0
        """Sum of the rewards of the mover."""
        self.below = 0.0
        """Sum of the rewards of the seat to move."""


class Tree(Generic[M]):
    """Grows from the position that a view shows. All guesses that it is given must have been drawn from that view."""

    def __init__(self, view: View[M], guide: Guide[M], rng: Random) -> None:
        self.root: _Node[M] = _Node(-1)
        self.guide = guide
        self.rng = rng
        self._start = view.turn

    def grow(self, state: State[M]) -> None:
        """Go down once, to the first position that is new; play on from there, and take the result back up."""
        path = self._descend(state)
        self._play_on(state)
        result = rewards(state, self.guide)
        for node, child in pairwise(path):
            node.visits += 1
            node.below += result[child.mover]
            child.gained += result[child.mover]
        path[-1].visits += 1

    def _descend(self, state: State[M]) -> list[_Node[M]]:
        node = self.root
        path = [node]
        while state.to_move >= 0:
            move = self._select(node, state)
            known = node.branches.get(move)
            child = known or _Node(state.to_move)
            node.branches[move] = child
            state.advance(move)
            path.append(child)
            if known is None:
                break
            node = child
        return path

    def _select(self, node: _Node[M], state: State[M]) -> M:
        """The move with the best mean reward so far, plus a bonus for those likely to be good and tried little."""
        guide = self.guide
        options = guide.moves(state)[: guide.width(node.visits)]
        exploration = guide.exploration
        # A move that was never tried is thought to be as good as the position.
        hope = node.below / node.visits if node.visits else 0.5
        fresh = exploration * sqrt(node.visits)
        branches = node.branches
        best, chosen = -1.0, options[0][1]
        for weight, move in options:
            child = branches.get(move)
            if child is None:
                value = hope + weight * fresh
            else:
                child.seen += 1
                bonus = exploration * weight * sqrt(child.seen) / (1 + child.visits)
                value = child.gained / child.visits + bonus
            if value > best:
                best, chosen = value, move
        return chosen

    def _play_on(self, state: State[M]) -> None:
        rounds = self.guide.rounds
        if rounds is None:
            rollout(state, self.rng, self.guide.play)
            return
        played = state.turn - self._start
        whole = max(rounds * state.players, -(-played // state.players) * state.players)
        rollout(state, self.rng, self.guide.play, whole - played)


def _found(trees: list[Tree[M]], rounds: int) -> Found[M]:
    visits: dict[M, int] = {}
    gained: dict[M, float] = {}
    for tree in trees:
        for move, child in tree.root.branches.items():
            visits[move] = visits.get(move, 0) + child.visits
            gained[move] = gained.get(move, 0.0) + child.gained
    tried = [Tried(move, count, gained[move] / count) for move, count in visits.items()]
    tried.sort(key=lambda one: (one.visits, one.value), reverse=True)
    return Found(tuple(tried), rounds)
