"""Breadth: several proposals of a largest-first search at once, for many workers.

One at a time, a proposal has to wait for what becomes of the one before. But failures mostly are
unambiguous (``002``): what can go alone can go together. So up to N proposals are tried on the same
base, and what works is merged: the union is tried, and cut in two where it does not work
(``Round.every``). What is asked depends on N alone, never on the number of workers.

Cost: what overlaps with something that goes was tried in vain, so a proposal waits as long as it
overlaps with a likely one. Result: as without it, nothing is left that could go by itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import Merge, Round, Search
from wynot.search.largest import LargestFirst, Learned, State, Waiting

LEAST_ATTEMPTS = 6
"""Fewer proposals are tried one after another: workers can bet on what comes of so few."""
LEAST_SHARE = 0.1
"""Which part of what the best proposal promises another must promise to be tried beside it."""
LIKELY_ODDS = 0.2
"""What overlaps with a proposal as likely as this waits until that is tried."""
CUT_ODDS = 0.15
"""What is less likely to go is cut finer at once, and the pieces are tried beside it."""
LOOKED_AT_FACTOR = 4
"""How many proposals may have to wait for each that is tried, before no more are looked at."""


class Attempt(NamedTuple):
    """One way to leave a segment out."""

    waiting: Waiting
    promise: float
    category: str
    gone: Deltas
    odds: float


class Batch(NamedTuple):
    """What is tried on one base."""

    attempts: Sequence[Attempt]
    cut: frozenset[Waiting]
    """Those that are cut finer already."""


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
        batch = self._gathered(ahead)
        if len(batch.attempts) < min(LEAST_ATTEMPTS, self.breadth):
            yield from self.search.try_best(state)
        else:
            state.take_over(ahead)
            yield from self._try_all(state, batch)

    def _gathered(self, state: State) -> Batch:
        """Take the segments that promise most, as long as they do not get into each other's way."""
        attempts: list[Attempt] = []
        likely: list[Deltas] = []
        waits: list[Waiting] = []
        cut: set[Waiting] = set()
        least, small = 0.0, state.failures
        while state.queues and len(waits) < LOOKED_AT_FACTOR * self.breadth:
            waiting, promise = state.pop()
            least = least or promise * LEAST_SHARE
            is_small = promise < state.worthwhile
            ways = list(self._ways(state, waiting, promise))
            if (
                len(attempts) + len(ways) > self.breadth
                or promise < least
                or (is_small and small >= self.search.patience)
            ):
                waits.append(waiting)
                break
            if any(way.gone.common(other) for way in ways for other in likely):
                waits.append(waiting)
                continue
            if all(way.odds < CUT_ODDS for way in ways):
                self._cut(state, waiting)
                cut.add(waiting)
            small += len(ways) * is_small
            likely += (way.gone for way in ways if way.odds >= LIKELY_ODDS)
            attempts += ways
        for waiting in waits:
            state.put_back(waiting)
        # What is largest by itself stays, whatever is merged with it.
        return Batch(sorted(attempts, key=lambda way: -len(way.gone)), frozenset(cut))

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
                odds = state.odds(category, segment.odds, waiting.fingerprint)
                yield Attempt(waiting, promise, category, gone, odds)

    def _try_all(self, state: State, batch: Batch) -> Search[None]:
        """Ask about a batch; what cannot go is cut finer, what could go alone waits on."""
        attempts = batch.attempts
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
        )
        alone: set[Waiting] = set()
        taken: set[Waiting] = set()
        if isinstance(merge, Merge):
            state.kept, state.failures = merge.kept, 0
            alone = {attempts[place].waiting for place in merge.alone}
            taken = {attempts[place].waiting for place in merge.merged}
        for place, each in enumerate(attempts):
            worked = isinstance(merge, Merge) and place in merge.alone
            for key in (each.category, each.waiting.fingerprint):
                state.learn(key, worked=worked)
            state.failures += merge is None and each.promise < state.worthwhile
        for waiting in dict.fromkeys(each.waiting for each in attempts):
            if waiting in alone - taken:
                state.push(waiting.segment, waiting.fingerprint)
            elif waiting not in taken | batch.cut:
                self._cut(state, waiting)

    def _cut(self, state: State, waiting: Waiting) -> None:
        self.search.push(state, self.search.structure.finer(waiting.segment, state.kept))
