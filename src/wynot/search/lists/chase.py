"""chase: the needed deltas one after the other, each by a binary search over prefixes.

Where deltas have an order of their own, as changes in time have, a prefix of them is a state that
really was: it builds, it runs, its test is resolved. So the first thing asked of a history is what
``git bisect`` asks, and with resolved tests it is the binary search of Zeller & Hildebrandt 2002
(``003``), Prop. 18. The delta at which a prefix begins to fail is needed; it is put in front of all
others, and if it does not fail alone the search goes on among those before it. Prefixes end where
coarse groups do first, say commits, and inside of one only once it is found to be the one.

Where a test is unresolved other prefixes are tried, a few; what stays between the last that passes
and the first that fails is taken as a whole, and ddmin (``003`` Fig. 5) takes it apart in the end,
coarse groups first too.

Cost: k·(1 + ⌈log₂n⌉) tests for k needed deltas of n if tests are resolved and monotone.
Result: 1-minimal, in deltas.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TypeAlias

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.round import RESOLVED, FirstRound, Pick, Search
from wynot.core.verdict import Verdict
from wynot.search.combinators import in_turn
from wynot.search.lists.ddmin import ddmin
from wynot.search.units import over_units

MAX_PROBES = 7
"""How many prefixes are tried before what lies between is taken as a whole: three bisections."""

UnitGroups: TypeAlias = Sequence[Sequence[Deltas]]
"""Groups of deltas, from coarse to fine; each ends before the next begins."""
Ends: TypeAlias = tuple[Sequence[int], ...]
"""Where prefixes may end, for each kind of groups."""


def chase(kept: Deltas, groups: UnitGroups = (), found: Deltas = NONE) -> Search[Deltas]:
    """Find the needed deltas from the last to the first; then see that none of them can go.

    What is ``found`` already is needed, but is known not to fail alone.
    """
    ends = (*(_ends(kept, units) for units in groups), range(1, len(kept)))
    coarse = [partial(_minimized, units) for units in groups]
    needed = partial(_needed, ends=ends, found=found, low=0 if found else None)
    return in_turn((needed, *coarse, ddmin), kept)


def _minimized(units: Sequence[Deltas], kept: Deltas) -> Search[Deltas]:
    return over_units(ddmin, kept, [part for unit in units if (part := unit.common(kept))])


def _ends(kept: Deltas, units: Sequence[Deltas]) -> list[int]:
    """Return how many deltas there are before each group but the first."""
    return sorted({kept.rank(unit.bounds[0]) for unit in units} - {0, len(kept)})


def _needed(
    kept: Deltas,
    ends: Ends,
    found: Deltas = NONE,
    low: int | None = None,
    iteration: int = 1,
) -> Search[Deltas]:
    """Look for the last delta that is needed among those not found yet, until the found suffice.

    ``kept`` fails at any time. The first ``low`` of those in it that are not found do not fail
    together with the found; None: it is not known whether the found fail alone.
    """
    while len(kept) > max(1, len(found)):
        rest = kept.toggle(found)
        again = partial(_needed, kept, ends, found, low, iteration)
        if low is None and found:
            alone = [Candidate(kept, Edit.drop(rest), f"r{iteration}/alone")]
            pick = yield FirstRound(alone, iteration=iteration, again=again)
            if isinstance(pick, Pick):
                return found
            low, iteration = 0, iteration + 1
        elif len(rest) - (low or 0) > 1:
            probes = _probes(kept, rest, ends, low or 0, iteration)
            pick = yield FirstRound(probes, iteration=iteration, wanted=RESOLVED, again=again)
            iteration += 1
            if not isinstance(pick, Pick):
                found, low = found.toggle(rest.part(low or 0, len(rest))), None
            elif pick.verdict is Verdict.INTERESTING:
                kept, low = pick.candidate.kept, low or 0
            else:
                low = len(pick.candidate.kept) - len(found)
        else:
            found, low = found.toggle(rest.part(low or 0, len(rest))), None
    return kept


def _probes(
    kept: Deltas, rest: Deltas, ends: Ends, low: int, iteration: int
) -> Iterator[Candidate]:
    """Return prefixes longer than ``low``: the middle one first, then the middles of the halves.

    Of the coarsest groups that any end between the two bounds.
    """
    for places in ends:
        first, after = bisect_right(places, low), bisect_left(places, len(rest))
        if first < after:
            break
    spans, count = [(first, after)], 0
    while spans and count < MAX_PROBES:
        start, stop = spans.pop(0)
        if start < stop:
            middle = (start + stop) // 2
            place = places[middle]
            gone = rest.part(place, len(rest))
            yield Candidate(kept, Edit.drop(gone), f"r{iteration}/p{place}")
            spans += [(middle + 1, stop), (start, middle)]
            count += 1
