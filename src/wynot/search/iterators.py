"""In what order the chunks of one round are visited (``000`` and Picire's options)."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

Iterator: TypeAlias = Callable[[int, str], Sequence[int]]
"""iterator(n, seed) → an order of 0 … n-1, or of none of them."""


def forward(count: int, _seed: str) -> Sequence[int]:
    """From the first to the last."""
    return range(count)


def backward(count: int, _seed: str) -> Sequence[int]:
    """From the last to the first: what is used later often goes before what declares it."""
    return range(count - 1, -1, -1)


def skip(_count: int, _seed: str) -> Sequence[int]:
    """None at all."""
    return ()


def random(count: int, seed: str) -> Sequence[int]:
    """In an order that depends on the seed alone, so that a run can be repeated."""
    order = list(range(count))
    Random(seed).shuffle(order)  # noqa: S311 - an order, not a secret
    return order
