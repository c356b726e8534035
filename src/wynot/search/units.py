"""Units: any list search, on groups of deltas instead of single ones.

A list search knows its deltas by number only. So it can just as well be run on the numbers of
units, the nodes of a tree for one: each round is put into the words of the deltas that the units
are made of, and each answer back into numbers. What belongs to no unit is always kept.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, chain
from typing import Any, TypeVar

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.round import EveryRound, FirstRound, Merge, Pick, Reply, Round, Search
from wynot.search.combinators import Minimizer, driven, through
from wynot.search.lists.rules import CLASSIC, Rules
from wynot.search.sides.dd import Pair, dd

Found = TypeVar("Found")
Result = TypeVar("Result")


def over_units(minimizer: Minimizer, kept: Deltas, units: Sequence[Deltas]) -> Search[Deltas]:
    """Minimize which units stay.

    They are parts of ``kept``; none is empty, and each ends before the next begins.
    """
    inner, by_number = minimizer(Deltas.first(len(units))), Units(kept, units)
    return translated(inner, by_number, by_number.kept)


def dd_over_units(pair: Pair, units: Sequence[Deltas], rules: Rules = CLASSIC) -> Search[Pair]:
    """Narrow a difference by whole units, which together are that difference."""
    by_number = Units(pair.failing, units)
    inner = dd(Pair(NONE, Deltas.first(len(units))), rules)
    return translated(inner, by_number, lambda found: Pair(*map(by_number.kept, found)))


def translated(
    inner: Search[Found], units: "Units", back: Callable[[Found], Result]
) -> Search[Result]:
    """Run a search on the numbers of units as one on their deltas."""
    outer = partial(translated, units=units, back=back)

    def ask(round_: Round) -> Search[Reply]:
        reply = yield units.round_on_deltas(round_, outer)
        return units.reply_on_numbers(reply)

    found = yield from driven(inner, ask)
    return back(found)


class Units:
    """From the numbers of units to their deltas, and back.

    No table of candidates is kept: an answer can be put into numbers by itself, also where the
    engine comes back to a round whose candidates are not asked about again.
    """

    def __init__(self, kept: Deltas, units: Sequence[Deltas]) -> None:
        self._firsts = [unit.bounds[0] for unit in units]
        self._places = [0, *accumulate(map(len, units))]
        """Where each unit begins among the members of all."""
        self._all = _joined(chain.from_iterable(unit.runs for unit in units))
        self._others = kept.toggle(self._all)

    def deltas(self, numbers: Deltas) -> Deltas:
        """Return the deltas of the units with these numbers."""
        runs = (
            self._all.part(self._places[start], self._places[stop]).runs
            for start, stop in numbers.runs
        )
        return _joined(chain.from_iterable(runs))

    def kept(self, numbers: Deltas) -> Deltas:
        """Return the configuration in which these units stay: their deltas, and those of none."""
        return self._others.toggle(self.deltas(numbers))

    def numbers(self, deltas: Deltas) -> Deltas:
        """Return the numbers of the units that are among these deltas, each whole or not at all."""
        runs = (
            (bisect_left(self._firsts, start), bisect_left(self._firsts, stop))
            for start, stop in deltas.runs
        )
        return _joined((start, stop) for start, stop in runs if start < stop)

    def round_on_deltas(
        self, round_: Round, outer: Callable[[Search[Any]], Search[object]]
    ) -> Round:
        """Return a round about numbers as one about deltas."""
        again = through(outer, round_.again)
        match round_:
            case FirstRound(candidates):
                return replace(round_, candidates=self._candidates(candidates), again=again)
            case EveryRound(base, edits):
                edits = map(self._edit, edits)
                return replace(round_, base=self.kept(base), edits=edits, again=again)
        return replace(round_, again=again)

    def reply_on_numbers(self, reply: Reply) -> Reply:
        """Return a reply about deltas as one about numbers."""
        match reply:
            case Pick(candidate=Candidate(base, edit, name)):
                numbered = Edit(edit.verb, self.numbers(edit.deltas))
                return reply._replace(candidate=Candidate(self.numbers(base), numbered, name))
            case Merge():
                return reply._replace(kept=self.numbers(reply.kept))
        return None

    def _candidates(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """Return candidates in deltas; the base, which most share, is put together once."""
        numbers: Deltas | None = None
        for candidate in candidates:
            if candidate.base is not numbers:
                numbers = candidate.base
                base = self.kept(numbers)
            yield Candidate(base, self._edit(candidate.edit), candidate.name)

    def _edit(self, edit: Edit) -> Edit:
        of = self.kept if edit.verb == "keep" else self.deltas
        return Edit(edit.verb, of(edit.deltas))


def _joined(runs: Iterable[tuple[int, int]]) -> Deltas:
    """Return the union of runs that come in order; those that touch become one."""
    bounds: list[int] = []
    for start, stop in runs:
        if bounds and bounds[-1] == start:
            bounds[-1] = stop
        else:
            bounds += (start, stop)
    return Deltas(tuple(bounds))
