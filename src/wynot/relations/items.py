"""The items that a relation counts: each is some bytes that can go together."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from wynot.relations.relation import Columns, Lines, MemberCount, Relation, Size, Span, Words

Item: TypeAlias = tuple[Span, ...]
"""The bytes of an item; of a column, in each line."""
_WORD = re.compile(rb"\S+")


def items(content: bytes, relation: Relation) -> list[Item]:
    """Return what a relation counts, in order."""
    scope, factor = relation.scope, relation.factor
    match relation.measure:
        case MemberCount():
            return [(member,) for member in relation.members]
        case Lines() as measure:
            return [(each,) for each in _lines(content, scope) if measure(content, each, 0)]
        case Words(only=b""):
            return _groups([(word,) for word in _words(content, scope)], factor)
        case Words(only=end):
            return [(each,) for each in _ended(content, scope, end)]
        case Columns(separator=separator):
            rows = [_fields(content, line, separator) for line in _lines(content, scope)]
            return _groups([*zip(*filter(None, rows), strict=False)], factor)
        case _:
            return _records(relation)


def _records(relation: Relation) -> list[Item]:
    """Return the record that a relation measures, or the records of one size that it counts."""
    size, (start, stop) = relation.factor, relation.scope
    if relation.whole:
        return [(relation.whole,)]
    if not isinstance(relation.measure, Size) or size == 1:
        return []
    return [(Span(at, at + size),) for at in range(start, stop - size + 1, size)]


def _groups(found: Sequence[Item], factor: int) -> list[Item]:
    """Return items of so many parts each."""
    starts = range(0, len(found) - factor + 1, factor)
    return [tuple(span for part in found[at : at + factor] for span in part) for at in starts]


def _lines(content: bytes, scope: Span) -> Iterator[Span]:
    at = scope.start
    while at < scope.stop:
        stop = content.find(b"\n", at, scope.stop) + 1 or scope.stop
        yield Span(at, stop)
        at = stop


def _words(content: bytes, scope: Span) -> Iterator[Span]:
    """Return words, each with the blanks behind it, but without a line end."""
    found = [match.span() for match in _WORD.finditer(content, *scope)]
    for (start, stop), (following, _) in pairwise(found):
        yield Span(start, stop if b"\n" in content[stop:following] else following)
    if found:
        yield Span(*found[-1])


def _ended(content: bytes, scope: Span, end: bytes) -> Iterator[Span]:
    """Return the bytes up to each word that ends an item, with the white space behind it."""
    found = [match.span() for match in _WORD.finditer(content, *scope)]
    begin = found[0][0] if found else scope.start
    for place, (start, stop) in enumerate(found):
        if content[start:stop] == end:
            after = found[place + 1][0] if place + 1 < len(found) else scope.stop
            yield Span(begin, after)
            begin = after


def _fields(content: bytes, line: Span, separator: bytes | None) -> list[Span]:
    """Return the columns of a line, each with the separator behind it."""
    text = content[slice(*line)].rstrip(b"\r\n")
    end = line.start + len(text)
    if separator is None:
        return list(_words(content, Span(line.start, end)))
    if not separator:
        return [Span(at, at + 1) for at in range(line.start, end)]
    starts = [line.start, *(line.start + each.end() for each in re.finditer(separator, text))]
    return [Span(*each) for each in pairwise((*starts, end))]
