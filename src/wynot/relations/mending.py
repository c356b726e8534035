"""Putting relations right after something was left out."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from wynot.core.splice import Splice, spliced
from wynot.relations.filling import filled_up, fillings
from wynot.relations.measures import COUNTED, DIGESTED, Octets, Offset
from wynot.relations.moves import Moves
from wynot.relations.relation import Relation, Relations, Span
from wynot.relations.writings import DECIMAL

MOST_ROUNDS = 16
"""How often it is looked again: lengths that are inside of each other may change in turn."""


class Mended(NamedTuple):
    """A text that says of itself what is so, and where it says it."""

    content: bytes
    relations: Relations


def mended(content: bytes, relations: Relations, splices: Sequence[Splice]) -> Mended:
    """Return a text after splices, with the numbers that fit what is left."""
    splices = [_trimmed(content, splice) for splice in splices]
    content, left, _ = _updated(content, dict(enumerate(relations)), splices)
    return Mended(content, tuple(left.values()))


class RelatedText:
    """A text with relations, of which many candidates are written.

    A candidate changes a few bytes, so only the relations in whose scopes these are get measured
    again: those, and in turn the ones whose scopes hold a number that was rewritten.

        5:hello,3:abc,      without "llo":      2:he,3:abc,

    The scope of 5 has changed and that of 3 has not.
    """

    def __init__(self, content: bytes, relations: Relations) -> None:
        self._content, self._relations = content, relations
        reach = [_reach(content, each) for each in relations]
        self._order = sorted(range(len(relations)), key=reach.__getitem__)
        self._starts = [reach[number].start for number in self._order]
        self._stops = [reach[number].stop for number in self._order]
        self._longer = list(_nearest_longer(self._stops))
        self._by_number = sorted(range(len(relations)), key=lambda each: relations[each].at)
        self._numbers = [relations[number].at.start for number in self._by_number]
        known = dict(enumerate(relations))
        self._always = {
            number
            for number, each in known.items()
            if isinstance(each.measure, Offset) or (each.whole and _must_go(each))
        }.union(fillings(content, known))
        """Those that any candidate may change: offsets, and what was not right before."""

    def content_after(self, splices: Sequence[Splice]) -> bytes:
        """Return the text after splices, as ``mended`` does, in less time."""
        splices = [_trimmed(self._content, splice) for splice in splices]
        # What is put in at the end of a scope may be in it; what is deleted there is not.
        spans = [
            (start - 1, stop + 1) if instead else (start, stop) for start, stop, instead in splices
        ]
        seen = self._changed(spans).union(self._always).difference(self._replaced(splices))
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

    def _replaced(self, splices: Sequence[Splice]) -> set[int]:
        """Return the relations whose numbers begin inside of splices: they are gone."""
        found: set[int] = set()
        for start, stop, _ in splices:
            first = bisect_left(self._numbers, start)
            found.update(self._by_number[first : bisect_left(self._numbers, stop, first)])
        return found


def _reach(content: bytes, relation: Relation) -> Span:
    """Return the bytes of which some must change for a relation to need an update.

    If what is next to them matters, these are one more at both ends.
    """
    (start, stop), whole = relation.scope, relation.whole
    if whole and relation.unit > 1:
        stop = max(stop, whole.stop)
    is_sure = not relation.members and not any(_patches(content, relation))
    return Span(start, stop) if is_sure else Span(start - 1, stop + 1)


def _nearest_longer(stops: Sequence[int]) -> Iterator[int]:
    """Return for each stop which of those before it is the nearest that is larger; -1: none is."""
    above: list[int] = []
    for number, stop in enumerate(stops):
        while above and stops[above[-1]] <= stop:
            above.pop()
        yield above[-1] if above else -1
        above.append(number)


def _writes(relation: Relation) -> Iterator[tuple[int, int]]:
    """Return where something may be written for a relation, and what is next to that."""
    for span in (relation.at, relation.beside, relation.whole):
        if span:
            yield span.start - 1, span.stop + 1


def _updated(
    content: bytes, known: dict[int, Relation], splices: Sequence[Splice]
) -> tuple[bytes, dict[int, Relation], set[int]]:
    """Return a text after splices, the relations that it still has, and which were written by."""
    content, moves = spliced(content, splices), Moves(splices)
    touched = moves.touched(known)
    known = {number: _with_text(content, each) for number, each in moves.left(known)}
    emptied = {
        number: Splice(*each.whole, b"")
        for number, each in known.items()
        if each.whole and _must_go(each)
    }
    if emptied:
        gone = list(emptied.values())
        content, moves = spliced(content, gone), Moves(gone)
        touched |= moves.touched(known)
        known = dict(moves.left(known))
    content, known, touched_by_filling, filled = filled_up(content, known)
    content, known, written = _settled(content, known, touched | touched_by_filling)
    return content, known, written | filled | {*emptied}


def _settled(
    content: bytes, known: dict[int, Relation], touched: set[int]
) -> tuple[bytes, dict[int, Relation], set[int]]:
    """Write numbers until each fits what it tells of; return also which were written."""
    written: set[int] = set()
    for rank in range(COUNTED, DIGESTED + 1):
        for _ in range(MOST_ROUNDS):
            patches = {
                number: found
                for number, each in known.items()
                if each.measure.rank == rank
                if number in touched or isinstance(each.measure, Offset)
                if (found := list(_patches(content, each)))
            }
            if not patches:
                break
            written |= {*patches}
            ordered = sorted(chain.from_iterable(patches.values()))
            content, moves = spliced(content, ordered), Moves(ordered)
            touched |= moves.touched(known)
            starts = {patch.start for patch in ordered}
            known = {number: _moved(moves, each, starts) for number, each in known.items()}
    return content, known, written


def _trimmed(content: bytes, splice: Splice) -> Splice:
    """Return a splice without what it leaves as it is at its ends."""
    start, stop, instead = splice
    if not instead:
        return splice
    before = content[start:stop]
    same = _alike(before, instead)
    before, instead = before[same:], instead[same:]
    last = _alike(before[::-1], instead[::-1])
    return Splice(start + same, stop - last, instead[: len(instead) - last])


def _alike(one: bytes, two: bytes) -> int:
    """Return how many bytes two texts begin with alike."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(two)))


def _must_go(relation: Relation) -> bool:
    """Tell whether nothing is left of what cannot be empty."""
    start, stop = relation.scope
    return start == stop and isinstance(relation.measure, Octets) and relation.measure.some


def _with_text(content: bytes, relation: Relation) -> Relation:
    """Return a relation without members of which only white space is left."""
    if not relation.members or relation.writing is not DECIMAL:
        return relation
    left = (each for each in relation.members if content[slice(*each)].strip())
    return relation._replace(members=tuple(left))


def _patches(content: bytes, relation: Relation) -> Iterator[Splice]:
    """Return what has to be written, and where, for a relation to hold."""
    _, writing, measure, scope, _, factor, addend, beside, members, *_ = relation
    number = measure(content, scope, len(members)) // factor + addend
    if beside is not None:
        other = writing.read(content[slice(*beside)]) or 1
        if number % other:  # any number of items is one row of them
            yield from _written(content, beside, relation, 1)
        else:
            number //= other
    yield from _written(content, relation.at, relation, number)


def _written(content: bytes, at: Span, relation: Relation, number: int) -> Iterator[Splice]:
    before = content[slice(*at)]
    text = relation.writing.write(number, before)
    if text is not None and text != before and relation.writing.read(before) != number:
        yield Splice(*at, text)


def _moved(moves: Moves, relation: Relation, written: set[int]) -> Relation:
    """Return where a relation is after numbers were written, its own among them."""
    beside = relation.beside
    return relation._replace(
        at=_rewritten(moves, relation.at),
        scope=_rewritten(moves, relation.scope),
        beside=beside and _rewritten(moves, beside),
        members=tuple(_rewritten(moves, each) for each in relation.members),
        whole=relation.whole and _rewritten(moves, relation.whole),
        was_mended=relation.was_mended or relation.at.start in written,
    )


def _rewritten(moves: Moves, span: Span) -> Span:
    """Return where a span is, of which numbers may have been written anew: they are still in it."""
    return Span(moves.stop(span.start), moves.start(span.stop))
