"""What a relation counts: each item is some bytes that can go together."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from wynot.relations.measures import Columns, HeadedLines, KnownMembers, Lines, Octets, Words
from wynot.relations.relation import Relation, Span

Item: TypeAlias = tuple[Span, ...]
"""The bytes of an item; of a column, in each line."""
_WORD = re.compile(rb"\S+")


def items(content: bytes, relation: Relation) -> list[Item]:
    """Return what a relation counts, in order."""
    match relation.measure:
        case KnownMembers():
            return [(member,) for member in relation.members]
        case Lines() | HeadedLines() as measure:
            found = _lines(content, relation.scope)
            return [(each,) for each in found if measure(content, each, 0)]
        case Words(only=b""):
            return _grouped([(word,) for word in _words(content, relation.scope)], relation.factor)
        case Words(only=end):
            return [(each,) for each in _ended(content, relation.scope, end)]
        case Columns(between=between):
            rows = [_fields(content, line, between) for line in _lines(content, relation.scope)]
            full = [row for row in rows if row]
            return _grouped([*zip(*full, strict=False)], relation.factor)
        case _:
            return _of_bytes(relation)


def _of_bytes(relation: Relation) -> list[Item]:
    """Return what goes as a whole, or records of one size."""
    size, (start, stop) = relation.factor, relation.scope
    if relation.whole:
        return [(relation.whole,)]
    if not isinstance(relation.measure, Octets) or size == 1:
        return []
    return [(Span(at, at + size),) for at in range(start, stop - size + 1, size)]


def _grouped(found: Sequence[Item], factor: int) -> list[Item]:
    """Return items of so many parts each."""
    whole = range(0, len(found) - factor + 1, factor)
    return [tuple(span for part in found[at : at + factor] for span in part) for at in whole]


def _lines(content: bytes, scope: Span) -> Iterator[Span]:
    at = scope.start
    while at < scope.stop:
        stop = content.find(b"\n", at, scope.stop) + 1 or scope.stop
        yield Span(at, stop)
        at = stop


def _words(content: bytes, scope: Span) -> Iterator[Span]:
    """Return words, each with the blanks behind it; but a line end is not part of one."""
    found = [match.span() for match in _WORD.finditer(content, *scope)]
    for (start, stop), (following, _) in pairwise(found):
        yield Span(start, stop if b"\n" in content[stop:following] else following)
    if found:
        yield Span(*found[-1])


def _ended(content: bytes, scope: Span, end: bytes) -> Iterator[Span]:
    """Return what is between one end and the next, with the white space behind it."""
    found = [match.span() for match in _WORD.finditer(content, *scope)]
    begin = found[0][0] if found else scope.start
    for place, (start, stop) in enumerate(found):
        if content[start:stop] == end:
            after = found[place + 1][0] if place + 1 < len(found) else scope.stop
            yield Span(begin, after)
            begin = after


def _fields(content: bytes, line: Span, between: bytes | None) -> list[Span]:
    """Return the columns of a line, each with what parts it from the next."""
    text = content[slice(*line)].rstrip(b"\r\n")
    end = line.start + len(text)
    if between is None:
        return list(_words(content, Span(line.start, end)))
    if not between:
        return [Span(at, at + 1) for at in range(line.start, end)]
    starts = [line.start, *(line.start + each.end() for each in re.finditer(between, text))]
    return [Span(*each) for each in pairwise((*starts, end))]
