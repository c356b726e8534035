"""Structures of runs of deltas, and tests and gates for them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.verdict import Verdict
from wynot.search.largest import Segment

YES, NO, OPEN = Verdict.INTERESTING, Verdict.UNINTERESTING, Verdict.UNRESOLVED


@dataclass
class Runs:
    """Segments are runs of deltas, each its own first and the one after its last; cut in two."""

    segments: Sequence[Segment]
    marked: dict[tuple[int, ...], str] = field(default_factory=dict)
    ways_of: Callable[[Deltas], Iterable[Deltas]] = lambda gone: [gone]
    halve: bool = True

    def begin(self) -> Sequence[Segment]:
        return self.segments

    def ways(self, segment: Segment, kept: Deltas) -> Iterable[Deltas]:
        return self.ways_of(Deltas(segment.items).common(kept))

    def finer(self, segment: Segment, _kept: Deltas) -> Iterator[Segment]:
        start, stop = segment.items
        middle = (start + stop) // 2
        if self.halve and start < middle:
            for run_ in ((start, middle), (middle, stop)):
                yield segment._replace(weight=run_[1] - run_[0], items=run_)

    def fingerprint(self, segment: Segment) -> str:
        return self.marked.get(segment.items, f"#{segment.items}")


def single(number: int, weight: float = 1, category: str = "x", odds: float = 0.4) -> Segment:
    return Segment(weight, category, (number, number + 1), odds=odds)


def whole(size: int) -> Runs:
    return Runs([Segment(size, "run", (0, size))])


def needs(*wanted: int) -> Callable[[Deltas], Verdict]:
    return lambda kept: YES if {*wanted} <= {*kept} else NO


class Worse:
    """A gate that says of some deltas that without them it parses worse."""

    def __init__(self, *holding: int) -> None:
        self.holding = {*holding}

    def is_worse(self, candidate: Candidate) -> bool:
        return bool(self.holding & {*candidate.edit.deltas})
