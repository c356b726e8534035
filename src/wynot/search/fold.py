"""One pass over chunks, each tried on what the ones before have left.

The heart of OPDD, CDD and zigzag.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import Pick, Round, Search
from wynot.search.split import Chunks

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
        pick = yield Round.first(candidates, iteration=iteration, again=again, sweep=len(visits))
        if not isinstance(pick, Pick):
            break
        kept, visits = pick.candidate.kept, visits[pick.position + 1 :]
    return kept
