"""Breadth: many proposals of a largest-first search at once, for many workers.

One at a time, a proposal has to wait for what becomes of the one before. But failures mostly are
unambiguous (``002``): what can go alone can go together. So up to N proposals are tried on the same
base, and what works is merged: the union is tried, and a part of it found by bisection where that
does not work (``Round.every``). What is asked depends on N alone, never on the number of workers.

A round is to be full, so proposals are cut finer before it is known whether they can go, and both
are in it. Three rules keep that from costing tests, or making the result worse:

- what is inside of something that turns out to go is not asked about;
- what works but gets into the way of others waits for the next round;
- when much has gone, the search begins again with the whole structure. What could not go from a
  large base, as it is bound up with the rest of that, often can from a small one; and if it is
  large, it should go before what is inside of it. What was tried in vain waits longer.

Result: as without it, nothing is left that could go by itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.round import Merge, Round, Search
from wynot.search.largest import LargestFirst, Learned, Segment, State, Waiting

LEAST_ATTEMPTS = 6
"""Fewer proposals are tried one after another: workers can bet on what comes of so few."""
LEAST_SHARE = 0.005
"""Which part of what the best proposal promises another must promise to be tried beside it."""
SPARE_SHARE = 0.1
"""Which part of the breadth is not used: so that with as many workers, some can bet on what can be
merged while the next round is tried already."""
AGAIN_SHARE = 0.5
"""Which part must have gone for the search to begin again with the whole structure."""


class Attempt(NamedTuple):
    """One way to leave a segment out."""

    waiting: Waiting
    promise: float
    category: str
    gone: Deltas
    odds: float


@dataclass(frozen=True, slots=True)
class Broad:
    """A largest-first search that tries up to so many proposals at once."""

    search: LargestFirst
    breadth: int

    def __call__(self, kept: Deltas) -> Search[Learned]:
        """Start with the whole structure."""
        return self.search.run(self.search.begun(kept), self.try_best)

    def try_best(self, state: State) -> Search[None]:
        """Try the segments that promise most; if they are few, the best of them alone."""
        ahead = state.fork()
        attempts = self._gathered(ahead)
        if len(attempts) < min(LEAST_ATTEMPTS, self.breadth):
            yield from self.search.try_best(state)
        else:
            state.take_over(ahead)
            yield from self._try_all(state, attempts)
        if len(state.kept) < (1 - AGAIN_SHARE) * state.begun_with:
            self.search.begin(state)

    def _gathered(self, state: State) -> Sequence[Attempt]:
        """Take the segments that promise most, and cut them finer at once."""
        attempts: dict[Deltas, Attempt] = {}
        taken: set[Segment] = set()
        least, small = 0.0, state.failures
        room = max(2, int(self.breadth * (1 - SPARE_SHARE)))
        while state.queues:
            waiting, promise = state.pop()
            if waiting.segment in taken:
                continue
            taken.add(waiting.segment)
            is_small = promise < state.worthwhile
            ways = list(self._ways(state, waiting, promise))
            least = least or (promise * LEAST_SHARE if ways else 0.0)
            if (
                len(attempts) + len(ways) > room
                or promise < least
                or (is_small and small >= self.search.patience)
            ):
                state.put_back(waiting)
                break
            self._cut(state, waiting)
            small += len(ways) * is_small
            for way in ways:
                attempts.setdefault(way.gone, way)
        # What is largest by itself stays, whatever is merged with it.
        return sorted(attempts.values(), key=lambda way: -len(way.gone))

    def _ways(self, state: State, waiting: Waiting, promise: float) -> Iterator[Attempt]:
        """Return the ways to leave a segment out that are not known to be in vain."""
        segment, seen = waiting.segment, set[Deltas]()
        for gone in self.search.structure.ways(segment, state.kept):
            candidate = Candidate(state.kept, Edit.drop(gone), segment.category)
            if not gone or gone in seen:
                continue
            seen.add(gone)
            category = self.search.category(state, segment, candidate)
            if category is not None:
                odds = state.odds(category, waiting)
                yield Attempt(waiting, promise, category, gone, odds)

    def _try_all(self, state: State, attempts: Sequence[Attempt]) -> Search[None]:
        """Ask about all; what could go, but did not, waits on."""
        state.iteration += 1
        again, state.checkpoint = state.checkpoint, None
        merge = yield Round.every(
            state.kept,
            [Edit.drop(each.gone) for each in attempts],
            iteration=state.iteration,
            again=again,
            names=[each.waiting.segment.category for each in attempts],
            odds=[each.odds for each in attempts],
            asks_empty=True,
            overlaps=True,
        )
        alone, merged = frozenset[int](), frozenset[int]()
        if isinstance(merge, Merge):
            alone, merged = frozenset(merge.alone), frozenset(merge.merged)
            state.kept, state.failures = merge.kept, 0
        gone, waits = NONE, dict[Waiting, None]()
        for place, each in enumerate(attempts):
            worked, is_spared = place in alone, gone.holds(each.gone)
            if worked:
                gone = gone.union(each.gone)
            if not is_spared:
                state.failures += merge is None and each.promise < state.worthwhile
                for key in (each.category, each.waiting.fingerprint):
                    state.learn(key, worked=worked)
            if is_spared or worked:
                waits[each.waiting] = None
        for place in merged:
            waits.pop(attempts[place].waiting, None)
        for waiting in waits:
            state.push(waiting.segment, waiting.fingerprint)

    def _cut(self, state: State, waiting: Waiting) -> None:
        """Let what a segment is made of wait beside it, once."""
        if waiting.segment not in state.cut:
            state.cut.add(waiting.segment)
            self.search.push(state, self.search.structure.finer(waiting.segment, state.kept))
