"""Where the bytes of a text are after splices."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from wynot.core.splice import Splice
from wynot.relations.relation import Relation, Span


class Moves:
    """Follows places in a text through splices, which are in order and do not overlap."""

    def __init__(self, splices: Sequence[Splice]) -> None:
        self._splices = splices
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
        """Return where something begins now: behind what has taken the place of its first bytes."""
        before = bisect_left(self._starts, place)
        if before and place < self._stops[before - 1]:
            return self._stops[before - 1] + self._shifts[before]
        return place + self._shifts[before]

    def stop(self, place: int) -> int:
        """Return where something ends now: before what has taken the place of its last bytes."""
        before = bisect_left(self._starts, place)
        if before and place < self._stops[before - 1]:
            return self._starts[before - 1] + self._shifts[before - 1]
        return place + self._shifts[before]

    def behind(self, place: int) -> int:
        """Return where a place is now that is behind whatever was put in there."""
        return place + self._shifts[bisect_right(self._starts, place)]

    def span(self, span: Span) -> Span:
        """Return where a span is now; it is empty if nothing is left of it."""
        start, stop = self.start(span.start), self.stop(span.stop)
        return Span(start, max(start, stop))

    def has_left(self, span: Span) -> bool:
        """Tell whether any byte of a span is still there."""
        first = bisect_right(self._stops, span.start)
        if first == len(self._starts) or span.start < self._starts[first]:
            return True
        # The first byte is gone; it depends on whether all that follow are.
        while first < len(self._starts) and self._starts[first] <= span.start:
            span = Span(self._stops[first], span.stop)
            first += 1
        return span.start < span.stop

    def touched(self, relations: Mapping[int, Relation]) -> set[int]:
        """Return the relations in whose scopes anything is different, or at their ends."""
        return {number for number, each in relations.items() if self.touch(each.scope)}

    def left(self, relations: Mapping[int, Relation]) -> Iterator[tuple[int, Relation]]:
        """Return the relations whose numbers are still there, as they are now."""
        for number, each in relations.items():
            if (moved := self.relation(each)) is not None:
                yield number, moved

    def relation(self, relation: Relation) -> Relation | None:
        """Return a relation as it is now; None: its number is another one, or gone."""
        beside = relation.beside
        if self.overlap(relation.at) or (beside and self.overlap(beside)):
            return None
        members = relation.members
        return relation._replace(
            at=self.span(relation.at),
            scope=self.span(relation.scope),
            beside=beside and self.span(beside),
            members=tuple(self.span(each) for each in members if self.has_left(each)),
            whole=relation.whole and self.span(relation.whole),
        )
