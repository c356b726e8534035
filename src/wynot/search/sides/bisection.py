"""bisection: the first state that fails, where states follow from one another as commits do.

What ``git bisect`` does (its bisect.c), and in the same steps. A state takes in all that it comes
from; the suspects are those that the failing state takes in and no passing one does. Asked about is
the one that halves them best: if it fails, only what it takes in is suspected from then on; if it
passes, all but that. A merge is entered like this too: what is found is a state that fails and
comes from none that does.

Where a test is unresolved, the search goes around: its neighbours will be unresolved as well more
often than not, so that the next question keeps away from it. If in the end only unresolved ones are
left before the one that fails, any of them may be the first.

Cost: about log₂n tests if they are resolved; ⌈log₂n⌉ where each state follows from one.
Result: the suspects that are left, the last of which fails; a single one if tests are resolved.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import partial
from heapq import heappop, heappush

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.round import RESOLVED, FirstRound, Pick, Search
from wynot.core.verdict import Verdict
from wynot.search.sides.dd import Pair


class Ancestry:
    """Which states follow from which; they are numbered so that parents come first.

    ``dates`` say when each came about: of states that are as good to ask about as each other, git
    asks about the oldest.
    """

    def __init__(self, parents: Sequence[Sequence[int]], dates: Sequence[int] = ()) -> None:
        self._parents = parents
        self._dates = dates or range(len(parents))
        self.all = Deltas.first(len(parents))

    def line(self, state: int) -> Deltas:
        """Return a state and all that it comes from."""
        taken = bytearray(state + 1)
        taken[state] = 1
        for each in range(state, -1, -1):
            if taken[each]:
                for parent in self._parents[each]:
                    taken[parent] = 1
        return Deltas.of(each for each, is_taken in enumerate(taken) if is_taken)

    def parents(self, state: int, among: Deltas) -> list[int]:
        """Return the parents of a state that are among these."""
        return [parent for parent in self._parents[state] if parent in among]

    def taken_in(self, suspects: Deltas) -> dict[int, int]:
        """Return how many suspects each of them takes in, itself among them."""
        inside = {each: self.parents(each, suspects) for each in suspects}
        last_child = {parent: each for each, parents in inside.items() for parent in parents}
        lines: dict[int, int] = {}  # as bits; only as long as a child needs them
        counts = {}
        for number, each in enumerate(suspects):
            line = 1 << number
            for parent in inside[each]:
                line |= lines[parent]
            for parent in inside[each]:
                if last_child[parent] == each:
                    del lines[parent]
            lines[each] = line
            counts[each] = line.bit_count()
        return counts

    def first(self, states: Sequence[int], suspects: Deltas, *, halves: bool) -> int:
        """Return the one of some states that git would ask about.

        That is the oldest. But where it looks for one that halves the suspects exactly, it counts
        first what merges take in; then it goes through the others, again and again if need be, and
        adds one to what a parent takes in; what has no parent it does not look at.
        """
        ranks = self._ranks(suspects)
        turns: dict[int, tuple[int, int, int]] = {}
        for each in suspects:
            parents = self.parents(each, suspects)
            if not halves or len(parents) != 1:
                turns[each] = (0 if parents or not halves else 2, 0, ranks[each])
            else:
                kind, times, rank = turns[parents[0]]
                again = kind == 1 and rank > ranks[each]
                turns[each] = (1, times + again, ranks[each])
        return min(states, key=turns.__getitem__)

    def _ranks(self, suspects: Deltas) -> dict[int, int]:
        """Return the place of each suspect in the order in which ``git rev-list`` has them."""
        last = suspects.index(len(suspects) - 1)
        waiting, seen, ranks = [(-self._dates[last], 0, last)], {last}, dict[int, int]()
        while waiting:
            _, _, each = heappop(waiting)
            ranks[each] = -len(ranks)
            for parent in self.parents(each, suspects):
                if parent not in seen:
                    seen.add(parent)
                    heappush(waiting, (-self._dates[parent], len(seen), parent))
        return ranks

    def pair(self, suspects: Deltas) -> Pair:
        """Return the failing state, and it without the suspects."""
        failing = self.line(suspects.index(len(suspects) - 1))
        return Pair(failing.toggle(suspects), failing)


def bisection(
    ancestry: Ancestry, suspects: Deltas, skipped: Deltas = NONE, iteration: int = 1
) -> Search[Deltas]:
    """Halve the suspects, of which the last one fails, until one is left."""
    while (middle := _middle(ancestry, suspects, skipped)) is not None:
        again = partial(bisection, ancestry, suspects, skipped, iteration)
        line = ancestry.line(middle)
        state = Candidate(ancestry.all, Edit.keep(line), f"r{iteration}/s{middle}")
        round_ = FirstRound([state], iteration=iteration, wanted=RESOLVED, again=again, odds=0.5)
        pick = yield round_
        iteration += 1
        if isinstance(pick, Pick):
            suspects = after(suspects, line, pick.verdict)
        else:
            skipped = skipped.toggle(Deltas.of([middle]))
    return suspects


def after(suspects: Deltas, line: Deltas, verdict: Verdict) -> Deltas:
    """Return who is still suspected after a verdict on a state that takes in this line."""
    match verdict:
        case Verdict.INTERESTING:
            return suspects.common(line)
        case Verdict.UNINTERESTING:
            return suspects.toggle(suspects.common(line))
        case _:
            return suspects


def still_suspected(suspects: Deltas, verdicts: Iterable[tuple[Deltas, Verdict]]) -> Deltas:
    """Return who is suspected after some verdicts on lines."""
    for line, verdict in verdicts:
        suspects = after(suspects, line, verdict)
    return suspects


def _middle(ancestry: Ancestry, suspects: Deltas, skipped: Deltas) -> int | None:
    """Return the suspect that halves them best, far from those skipped; None: there is none left.

    Of several that are as good as each other, it is the one that git asks about.
    """
    counts = ancestry.taken_in(suspects)
    size = len(suspects)
    gaps = sorted(counts[each] for each in suspects.common(skipped))
    worth = {
        each: min(count, size - count, 2 * _gap(gaps, count, size))
        for each, count in counts.items()
        if count < size and each not in skipped
    }
    if not worth:
        return None
    best = max(worth.values())
    equal = [each for each, value in worth.items() if value == best]
    return ancestry.first(equal, suspects, halves=best == size // 2)


def _gap(places: Sequence[int], place: int, most: int) -> int:
    """Return how far the nearest of some places is."""
    at = bisect_left(places, place)
    return min((abs(place - each) for each in places[max(0, at - 1) : at + 1]), default=most)
