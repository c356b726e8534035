"""How a configuration is cut into chunks, cut finer, and gone through.

One pass over chunks, each tried on what the ones before have left, is the heart of OPDD, CDD and
zigzag.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate, pairwise
from random import Random
from typing import TypeAlias, TypeVar

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import FirstRound, Pick, Search

Item = TypeVar("Item", bound=int)
Chunks: TypeAlias = tuple[Deltas, ...]
Split: TypeAlias = Callable[[Deltas, Chunks, float], Chunks]
"""split(kept, chunks, factor) → finer chunks of kept, about factor times as many."""


def _finer(kept: Deltas, chunks: Chunks, factor: float) -> int:
    return int(min(len(kept), len(chunks) * factor))


def zeller(kept: Deltas, chunks: Chunks, factor: float) -> Chunks:
    """Cut as Zeller's own implementation does: remaining length // remaining parts, each time."""
    count, length = _finer(kept, chunks, factor), len(kept)
    parts, start = [], 0
    for number in range(count):
        stop = start + (length - start) // (count - number)
        parts.append(kept.part(start, stop))
        start = stop
    return tuple(parts)


def balanced(kept: Deltas, chunks: Chunks, factor: float) -> Chunks:
    """Cut so that the left-over ones are spread over all chunks (Picire's other split)."""
    count, length = _finer(kept, chunks, factor), len(kept)
    cuts = [length * number // count for number in range(count + 1)]
    return tuple(kept.part(start, stop) for start, stop in pairwise(cuts))


def halves(items: Sequence[Item], weights: Sequence[float]) -> Sequence[Sequence[Item]]:
    """Cut some items, two or more, where they weigh the same on both sides."""
    sums = list(accumulate(map(weights.__getitem__, items)))
    if not sums[-1]:
        return items[: len(items) // 2], items[len(items) // 2 :]
    cut = 1 + bisect_left(sums, sums[-1] / 2, 0, len(items) - 2)
    return items[:cut], items[cut:]


def weighted(weights: Sequence[float]) -> Split:
    """Cut every chunk where its weight is halved (Zhou et al. 2025, WDD's ddmin).

    A chunk that is one heavy delta stays whole while the others are cut, so chunks have about the
    same weight rather than the same count. A factor above two cuts every chunk several times.
    """

    def halve(chunk: Deltas) -> Chunks:
        if len(chunk) < 2:  # noqa: PLR2004 - nothing to cut
            return (chunk,)
        sums = list(accumulate(weights[index] for index in chunk))
        if not sums[-1]:  # nothing weighs anything
            return chunk.part(0, len(chunk) // 2), chunk.part(len(chunk) // 2, len(chunk))
        cut = bisect_left(sums, sums[-1] / 2) + 1
        # The delta that crosses the middle goes to the side that it unbalances less.
        before = sums[cut - 2] if cut > 1 else 0
        if sums[-1] / 2 - before < sums[cut - 1] - sums[-1] / 2:
            cut -= 1
        cut = min(max(cut, 1), len(chunk) - 1)
        return chunk.part(0, cut), chunk.part(cut, len(chunk))

    def split(kept: Deltas, chunks: Chunks, factor: float) -> Chunks:
        pieces = 1
        while pieces < factor and len(chunks) < len(kept):
            chunks = tuple(half for chunk in chunks for half in halve(chunk))
            pieces *= 2
        return chunks

    return split


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


Visits: TypeAlias = tuple[int, ...]
"""The numbers of the chunks that are yet to be visited, in that order."""

Resume: TypeAlias = Callable[..., Search[object]]
"""resume(kept, visits=…) → the search that a pass is part of, with these visits yet to make."""


def fold(
    kept: Deltas,
    chunks: Chunks,
    visits: Visits,
    resume: Resume,
    iteration: int,
) -> Search[Deltas]:
    """Take out each chunk in turn, if the rest still fails (``002`` Fig. 6: foldl complement?).

    The empty configuration is never asked for.
    """
    while visits and len(kept) > 1:
        candidates = (
            Candidate(kept, Edit.drop(chunks[number]), f"r{iteration}/c{number}")
            for number in visits
            if len(chunks[number]) < len(kept)
        )
        again = partial(resume, kept, visits=visits)
        pick = yield FirstRound(candidates, iteration=iteration, again=again, sweep=len(visits))
        if not isinstance(pick, Pick):
            break
        kept, visits = pick.candidate.kept, visits[pick.position + 1 :]
    return kept
