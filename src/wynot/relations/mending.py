"""Putting relations right after something was left out."""

from collections.abc import Iterator, Sequence
from operator import or_
from typing import NamedTuple

from wynot.core.splice import Splice, spliced
from wynot.relations.filling import filled_up
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
    content, moves = spliced(content, splices), Moves(splices)
    left = [(moves.relation(each), moves.touch(each.scope)) for each in relations]
    known = [_with_text(content, each) for each, _ in left if each]
    touched = [is_touched for each, is_touched in left if each]
    if emptied := [Splice(*each.whole, b"") for each in known if each.whole and _must_go(each)]:
        content, moves = spliced(content, emptied), Moves(emptied)
        touched = [was or moves.touch(each.scope) for was, each in zip(touched, known, strict=True)]
        left = list(zip(map(moves.relation, known), touched, strict=True))
        known = [each for each, _ in left if each]
        touched = [is_touched for each, is_touched in left if each]
    content, known, was_filled = filled_up(content, known)
    touched = list(map(or_, touched, was_filled))
    return _settled(content, known, touched)


def _settled(content: bytes, known: list[Relation], touched: list[bool]) -> Mended:
    """Write numbers until each fits what it tells of."""
    for rank in range(COUNTED, DIGESTED + 1):
        for _ in range(MOST_ROUNDS):
            patches = sorted(
                patch
                for each, is_touched in zip(known, touched, strict=True)
                if each.measure.rank == rank and (is_touched or isinstance(each.measure, Offset))
                for patch in _patches(content, each)
            )
            if not patches:
                break
            content, moves = spliced(content, patches), Moves(patches)
            touched = [
                is_touched or moves.touch(each.scope)
                for each, is_touched in zip(known, touched, strict=True)
            ]
            written = {patch.start for patch in patches}
            known = [_moved(moves, each, written) for each in known]
    return Mended(content, tuple(known))


def _trimmed(content: bytes, splice: Splice) -> Splice:
    """Return a splice without what it leaves as it is at its ends."""
    start, stop, instead = splice
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
