"""Messages of protocol buffers: fields, of which those with a length may be messages in turn."""

from typing import NamedTuple

from wynot.relations.binary_writings import LEB128, varint
from wynot.relations.measures import Octets
from wynot.relations.relation import Relation, Span

LEAST_FIELDS = 4
"""How many fields a content must have in all to be taken for a message."""
MOST_FIELDS = 8192
_WIDTHS = {1: 8, 5: 4}
"""Kinds of fields with a fixed number of bytes."""
_VARINT_KIND, _LENGTH_KIND = 0, 2
MOST_FIELD_NUMBER = 1 << 16


class Field(NamedTuple):
    """A field: all of it, and its length and body if it has one."""

    whole: Span
    at: Span | None = None
    body: Span | None = None


def protobufs(content: bytes) -> list[Relation]:
    """Return the lengths in a message, if a content is one."""
    found: list[Relation] = []
    waiting, count = [(Span(0, len(content)), 0)], 0
    while waiting and len(found) < MOST_FIELDS:
        scope, level = waiting.pop()
        fields = _fields(content, scope)
        count += len(fields)
        for whole, at, body in fields:
            if at is None or body is None:
                continue
            found.append(Relation(at, LEB128, Octets(), body, f"fields {level}", whole=whole))
            if body.stop - body.start > 1 and not _is_word(content[slice(*body)]):
                waiting.append((body, level + 1))
    return found if count >= LEAST_FIELDS and found else []


def _is_word(body: bytes) -> bool:
    """Tell whether a body is rather a text than a message: that has bytes that no text has."""
    return min(body) >= 0x20  # noqa: PLR2004 - what is below is not printed


def _fields(content: bytes, scope: Span) -> list[Field]:
    """Return the fields of a message; none if it is none."""
    found: list[Field] = []
    at = scope.start
    while at < scope.stop:
        field = _field(content, at, scope.stop)
        if field is None or len(found) == MOST_FIELDS:
            return []
        found.append(field)
        at = field.whole.stop
    return found


def _field(content: bytes, at: int, stop: int) -> Field | None:
    key = varint(content, at, stop)
    if key is None or not 0 < key[0] >> 3 < MOST_FIELD_NUMBER:
        return None
    kind, begin = key[0] & 7, key[1]
    if kind in _WIDTHS:
        end = begin + _WIDTHS[kind]
        return Field(Span(at, end)) if end <= stop else None
    value = varint(content, begin, stop)
    if value is None or kind not in (_VARINT_KIND, _LENGTH_KIND):
        return None
    if kind == _VARINT_KIND:
        return Field(Span(at, value[1]))
    end = value[1] + value[0]
    return Field(Span(at, end), Span(begin, value[1]), Span(value[1], end)) if end <= stop else None
