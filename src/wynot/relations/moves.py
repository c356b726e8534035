"""Where the bytes of a text are after splices."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate

from wynot.core.splice import Splice
from wynot.relations.relation import Relation, Span


class Moves:
    """Follows places in a text through splices, which are in order and do not overlap."""

    def __init__(self, splices: Sequence[Splice]) -> None:
        self._starts = [splice.start for splice in splices]
        self._stops = [splice.stop for splice in splices]
        longer = (len(each.instead) - (each.stop - each.start) for each in splices)
        self._shifts = [0, *accumulate(longer)]

    def touch(self, span: Span) -> bool:
        """Tell whether anything is different inside of a span, or at its ends."""
        return bisect_right(self._starts, span.stop) > bisect_left(self._stops, span.start)

    def overlap(self, span: Span) -> bool:
        """Tell whether any byte of a span is replaced."""
        return bisect_left(self._starts, span.stop) > bisect_right(self._stops, span.start)

    def start(self, place: int) -> int:
        """Return where something begins now: behind the replacement of its first bytes."""
        before = bisect_left(self._starts, place)
        if before and place < self._stops[before - 1]:
            return self._stops[before - 1] + self._shifts[before]
        return place + self._shifts[before]

    def stop(self, place: int) -> int:
        """Return where something ends now: before the replacement of its last bytes."""
        before = bisect_left(self._starts, place)
        if before and place < self._stops[before - 1]:
            return self._starts[before - 1] + self._shifts[before - 1]
        return place + self._shifts[before]

    def span(self, span: Span) -> Span:
        """Return where a span is now; it is empty if all of its bytes are gone."""
        start, stop = self.start(span.start), self.stop(span.stop)
        return Span(start, max(start, stop))

    def touched(self, relations: Mapping[int, Relation]) -> set[int]:
        """Return the relations in whose scopes anything is different, or at their ends."""
        return {number for number, each in relations.items() if self.touch(each.scope)}

    def left(self, relations: Mapping[int, Relation]) -> Iterator[tuple[int, Relation]]:
        """Return the relations whose numbers are still there, where they are now."""
        for number, each in relations.items():
            if not (self.overlap(each.at) or (each.beside and self.overlap(each.beside))):
                after = relocated(each, self.span)
                members = tuple(member for member in after.members if member.start < member.stop)
                yield number, after._replace(members=members)


def relocated(relation: Relation, new: Callable[[Span], Span]) -> Relation:
    """Return a relation whose spans are somewhere else."""
    return relation._replace(
        at=new(relation.at),
        scope=new(relation.scope),
        beside=relation.beside and new(relation.beside),
        members=tuple(map(new, relation.members)),
        whole=relation.whole and new(relation.whole),
    )
