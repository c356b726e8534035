"""One pass over the chunks for each granularity; at single deltas until a pass changes nothing.

What zigzag and sweep have in common: they differ in how a pass goes over its chunks. The last pass
tries every single delta on the same configuration in vain, so the result is 1-minimal.
"""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from wynot.core.deltas import Deltas
from wynot.core.round import Search
from wynot.search.fold import Visits
from wynot.search.rules import Rules
from wynot.search.split import Chunks


class Pass(Protocol):
    """Goes once over the chunks, in the order of the visits, and takes out what can go."""

    def __call__(
        self,
        kept: Deltas,
        chunks: Chunks,
        visits: Visits,
        resume: Callable[[Deltas, Visits], Search[object]],
        *,
        iteration: int,
    ) -> Search[Deltas]:
        """``resume`` makes the search that this is part of, with these visits yet to make."""
        ...


Turn = Callable[[tuple[int, ...], int], Visits]
"""turn(order, iteration) → the order in which this iteration goes."""


def passes(
    kept: Deltas,
    rules: Rules,
    one_pass: Pass,
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
        resume = partial(_resume, rules, one_pass, turn, chunks, iteration)
        kept = yield from one_pass(kept, chunks, visits, resume, iteration=iteration)
        left = tuple(filter(kept.holds, chunks))
        finest, changed = len(left) == len(kept), len(left) < len(chunks)
        if finest and not changed:
            break
        chunks = left if finest else rules.finer(kept, left)
        visits, iteration = None, iteration + 1
    return kept


def _resume(
    rules: Rules,
    one_pass: Pass,
    turn: Turn,
    chunks: Chunks,
    iteration: int,
    kept: Deltas,
    visits: Visits,
) -> Search[Deltas]:
    return passes(kept, rules, one_pass, turn, chunks, iteration, visits)
