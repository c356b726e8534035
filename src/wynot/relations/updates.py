"""Writing the numbers of relations again after something was left out."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from wynot.core.texts.patched_text import Splice, spliced
from wynot.core.texts.patches import common_ends
from wynot.relations.relation import CHECKSUM, COUNT, DECIMAL, Relation, Relations, Span

MOST_ROUNDS = 16
"""Rounds of writing numbers: in records inside of each other one changes the next."""


class Update(NamedTuple):
    """A text after splices, and where its relations are."""

    content: bytes
    relations: Relations


def update(content: bytes, relations: Relations, splices: Sequence[Splice]) -> Update:
    """Return a text after splices, with the numbers that fit the rest."""
    splices = [_trimmed(content, splice) for splice in splices]
    content, left, _ = _updated(content, dict(enumerate(relations)), splices)
    return Update(content, tuple(left.values()))


class RelatedText:
    """A text with relations, of which many candidates are written.

    A candidate changes a few bytes. Only the relations whose scopes hold these are measured again,
    and those whose scopes hold a number that was rewritten.

        5:hello,3:abc,      without "llo":      2:he,3:abc,

    The scope of 5 has changed and the scope of 3 has not.
    """

    def __init__(self, content: bytes, relations: Relations) -> None:
        self._content, self._relations = content, relations
        reach = [_reach(content, each) for each in relations]
        self._order = sorted(range(len(relations)), key=reach.__getitem__)
        self._starts = [reach[number].start for number in self._order]
        self._stops = [reach[number].stop for number in self._order]
        self._longer = list(_nearest_longer(self._stops))

    def content_after(self, splices: Sequence[Splice]) -> bytes:
        """Return the text after splices, as ``update`` does, in less time."""
        splices = [_trimmed(self._content, splice) for splice in splices]
        # Bytes that are inserted at the end of a scope may be in it; deleted ones are not.
        spans = [
            (start - 1, stop + 1) if instead else (start, stop) for start, stop, instead in splices
        ]
        seen = self._changed(spans)
        while True:
            known = {number: self._relations[number] for number in sorted(seen)}
            content, _, written = _updated(self._content, known, splices)
            relations = map(self._relations.__getitem__, written)
            more = self._changed(chain.from_iterable(map(_writes, relations))) - seen
            if not more:
                return content
            seen |= more

    def _changed(self, spans: Iterable[tuple[int, int]]) -> set[int]:
        """Return the relations that reach into spans."""
        found: set[int] = set()
        order, starts, stops, longer = self._order, self._starts, self._stops, self._longer
        for start, stop in spans:
            first = bisect_left(starts, start)
            found.update(order[first : bisect_left(starts, stop, first)])
            before = first - 1
            while before >= 0:
                if stops[before] > start:
                    found.add(order[before])
                    before -= 1
                else:
                    before = longer[before]
        return found


def _reach(content: bytes, relation: Relation) -> Span:
    """Return the bytes of which some must change for a relation to need an update.

    If its neighbours matter, it is one byte more at both ends.
    """
    start, stop = relation.scope
    is_sure = not relation.members and not any(_patches(content, relation))
    return Span(start, stop) if is_sure else Span(start - 1, stop + 1)


def _nearest_longer(stops: Sequence[int]) -> Iterator[int]:
    """Return for each stop the nearest one before it that is larger; -1: there is none."""
    above: list[int] = []
    for number, stop in enumerate(stops):
        while above and stops[above[-1]] <= stop:
            above.pop()
        yield above[-1] if above else -1
        above.append(number)


def _writes(relation: Relation) -> Iterator[tuple[int, int]]:
    """Return where something may be written for a relation, with its neighbours."""
    for span in (relation.at, relation.beside):
        if span:
            yield span.start - 1, span.stop + 1


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


def _updated(
    content: bytes, known: dict[int, Relation], splices: Sequence[Splice]
) -> tuple[bytes, dict[int, Relation], set[int]]:
    """Return a text after splices, the relations that it still has, and which wrote something."""
    content, moves = spliced(content, splices), Moves(splices)
    touched = moves.touched(known)
    known = {number: _without_blanks(content, each) for number, each in moves.left(known)}
    written: set[int] = set()
    for rank in range(COUNT, CHECKSUM + 1):
        for _ in range(MOST_ROUNDS):
            patches = {
                number: found
                for number, each in known.items()
                if each.measure.rank == rank and number in touched
                if (found := list(_patches(content, each)))
            }
            if not patches:
                break
            written |= {*patches}
            splices = sorted(chain.from_iterable(patches.values()))
            content, moves = spliced(content, splices), Moves(splices)
            touched |= moves.touched(known)
            starts = {splice.start for splice in splices}
            known = {number: _rewritten(moves, each, starts) for number, each in known.items()}
    return content, known, written


def _trimmed(content: bytes, splice: Splice) -> Splice:
    """Return a splice without the bytes at its ends that stay the same."""
    start, stop, instead = splice
    if not instead:
        return splice
    head, tail = common_ends(content[start:stop], instead)
    return Splice(start + head, stop - tail, instead[head : len(instead) - tail])


def _without_blanks(content: bytes, relation: Relation) -> Relation:
    """Return a relation without the members of which only white space is left."""
    if not relation.members or relation.encoding is not DECIMAL:
        return relation
    left = (each for each in relation.members if content[slice(*each)].strip())
    return relation._replace(members=tuple(left))


def _patches(content: bytes, relation: Relation) -> Iterator[Splice]:
    """Return the splices that make a relation hold."""
    _, encoding, measure, scope, _, factor, addend, beside, members, *_ = relation
    number = measure(content, scope, len(members)) // factor + addend
    if beside is not None:
        other = encoding.read(content[slice(*beside)]) or 1
        if number % other:  # any number of items is one row of them
            yield from _written(content, beside, relation, 1)
        else:
            number //= other
    yield from _written(content, relation.at, relation, number)


def _written(content: bytes, at: Span, relation: Relation, number: int) -> Iterator[Splice]:
    before = content[slice(*at)]
    text = relation.encoding.write(number, before)
    if text is not None and text != before and relation.encoding.read(before) != number:
        yield Splice(*at, text)


def _rewritten(moves: Moves, relation: Relation, starts: set[int]) -> Relation:
    """Return where a relation is after numbers were written, which are still in their spans."""

    def new(span: Span) -> Span:
        return Span(moves.stop(span.start), moves.start(span.stop))

    was_updated = relation.was_updated or relation.at.start in starts
    return relocated(relation, new)._replace(was_updated=was_updated)
