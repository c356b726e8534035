"""singles: leave out each unit alone, and see without which of them a failing configuration passes.

What Zeller & Hildebrandt 2002 (``003``), Def. 10, ask of the last round of ddmin, asked of the
first: each answer is one by itself, whatever the others do. Nothing is taken to follow from a test
of several units at once: one of them may undo what another one does.

Cost: a test for each unit, all of them independent. Result: every unit, or the first ones, without
which it passes.
"""

from collections.abc import Sequence
from functools import partial
from math import inf

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import FirstRound, Pick, Search
from wynot.core.verdict import Verdict

PASSES = frozenset({Verdict.UNINTERESTING})


def singles(
    failing: Deltas,
    units: Sequence[Deltas],
    most: float = inf,
    found: tuple[int, ...] = (),
    at: int = 0,
) -> Search[tuple[int, ...]]:
    """Return the numbers of the units without any one of which it passes, ``most`` of them."""
    while len(found) < most and at < len(units):
        pick = yield FirstRound(
            (
                Candidate(failing, Edit.drop(units[number]), f"u{number}")
                for number in range(at, len(units))
            ),
            iteration=len(found) + 1,
            wanted=PASSES,
            again=partial(singles, failing, units, most, found, at),
        )
        if not isinstance(pick, Pick):
            break
        found, at = (*found, at + pick.position), at + pick.position + 1
    return found
