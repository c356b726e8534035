"""One pass over the chunks for each granularity; at single deltas until a pass changes nothing.

What zigzag and sweep have in common: they differ in how a pass goes over its chunks. The last pass
tries every single delta on the same configuration in vain, so the result is 1-minimal.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from wynot.core.deltas import Deltas
from wynot.core.round import Search
from wynot.search.lists.rules import Rules
from wynot.search.lists.split import Chunks, Resume, Visits

ChunkPass: TypeAlias = Callable[[Deltas, Chunks, Visits, Resume, int], Search[Deltas]]
"""one_pass(kept, chunks, visits, resume, iteration) → what one way over the chunks leaves."""

Turn: TypeAlias = Callable[[tuple[int, ...], int], Visits]
"""turn(order, iteration) → the order in which this iteration goes."""


def granular(
    kept: Deltas,
    rules: Rules,
    one_pass: ChunkPass,
    turn: Turn,
    chunks: Chunks = (),
    iteration: int = 1,
    visits: Visits | None = None,
) -> Search[Deltas]:
    """Go over the chunks, cut finer, and so on; at single deltas until nothing goes.

    ``chunks`` are those that the pass began with, ``visits`` those it has yet to make.
    """
    while len(kept) > 1:
        chunks = chunks or rules.start(kept)
        if visits is None:
            visits = turn(tuple(rules.order(chunks, 0, iteration)), iteration)
        resume = partial(
            granular, rules=rules, one_pass=one_pass, turn=turn, chunks=chunks, iteration=iteration
        )
        kept = yield from one_pass(kept, chunks, visits, resume, iteration)
        left = tuple(filter(kept.holds, chunks))
        finest, changed = len(left) == len(kept), len(left) < len(chunks)
        if finest and not changed:
            break
        chunks = left if finest else rules.finer(kept, left)
        visits, iteration = None, iteration + 1
    return kept
