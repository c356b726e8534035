"""Records with a length before them, beside and inside of each other.

A format of records is a row of a table: how to read the record at a place. A content has such a
format if its records, one after another, lead exactly to its end. For most binary files (TLV, RIFF,
MIDI, boxes) neither the widths nor the order of bytes are known, so each possible layout is a row.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import log2
from typing import Literal, NamedTuple

from wynot.formats.leb128 import read_leb128
from wynot.relations.relation import (
    DECIMAL,
    PADDED_DECIMAL,
    VARINT,
    Encoding,
    FixedWidth,
    Relation,
    Size,
    Span,
)

RECORDS_EVIDENCE = 12.0
"""In bits: how unlikely it has to be that records lead to the end by chance."""
MOST_RECORDS = 8192
"""How many records are kept track of."""
MOST_EMPTY_RECORDS = 32
"""How many records may be empty if most are: zeros look like empty records."""
MOST_RECORD_LEVELS = 16
"""How deep records may be inside of each other."""


class SizedRecord(NamedTuple):
    """A record: where its length is, the bytes that it measures, and all of it."""

    at: Span | None
    """None: it has no length."""
    body: Span
    whole: Span


class RecordFormat(NamedTuple):
    """How the records of a content are written."""

    name: str
    read: Callable[[bytes, int, int], SizedRecord | None]
    """Returns the record at a place of a content, which ends at another one."""
    encoding: Encoding
    bits: float
    """The evidence of a record, if the size of the content does not limit it."""
    width: int = 16
    """The bytes of a length: in a large content, a short one always fits."""
    starts: tuple[int, ...] = (0,)
    """Where the first record may begin."""
    inner_starts: tuple[int, ...] = (0,)
    """Where in a body the first inner record may begin."""
    inner_evidence: float = RECORDS_EVIDENCE
    addend: int = 0

    def record_bits(self, size: int) -> float:
        """Return the evidence of one record: its length could have been too large."""
        return min(max(8 * self.width - log2(size + 1), 0.0), self.bits)


def records(content: bytes, formats: Iterable[RecordFormat]) -> list[Relation]:
    """Return the lengths of records in the format for which the evidence is largest."""
    best: tuple[float, list[Relation]] = 0.0, []
    for each in formats:
        bits = each.record_bits(len(content))
        for start in each.starts if bits > 0 else ():  # any length would fit
            scope = Span(start, len(content))
            evidence = _evidence(_tiles(content, scope, each), bits, len(content))
            if evidence >= min(each.inner_evidence, RECORDS_EVIDENCE):
                count, found = _relations(content, scope, each)
                inner = count * bits - start / 4
                if max(evidence, inner) >= RECORDS_EVIDENCE and inner > best[0]:
                    best = inner, found
    return best[1]


def _tiles(content: bytes, scope: Span, form: RecordFormat) -> list[SizedRecord]:
    """Return the records of a scope; none if they do not lead to its end."""
    found: list[SizedRecord] = []
    at, empty = scope.start, 0
    while at < scope.stop:
        record = form.read(content, at, scope.stop)
        if record is None or len(found) == MOST_RECORDS:
            return []
        if record.at and record.body.start == record.body.stop:
            empty += 1
            if empty > MOST_EMPTY_RECORDS and 2 * empty > len(found):
                return []
        found.append(record)
        at = record.whole.stop
    return found


def _evidence(found: Sequence[SizedRecord], bits: float, size: int) -> float:
    """Return how unlikely it is that records lead to the end by chance, in bits."""
    filled = sum(body.start < body.stop for _, body, _ in found)
    empty = sum(at is not None and body.start == body.stop for at, body, _ in found)
    return log2(size / len(found)) + filled * bits if filled and filled >= empty else 0.0


def _relations(content: bytes, scope: Span, form: RecordFormat) -> tuple[int, list[Relation]]:
    """Return the lengths of records and of those inside of them, and how many records there are."""
    waiting, count, found = [(scope, 0)], 0, list[Relation]()
    while waiting and count < MOST_RECORDS:
        inside, level = waiting.pop()
        for at, body, whole in _tiles(content, inside, form):
            count += 1
            if at is None:
                continue
            relation = Relation(at, form.encoding, Size(), body, f"{form.name} {level}")
            part = None if whole == (0, len(content)) else whole
            found.append(relation._replace(addend=form.addend, whole=part))
            if level < MOST_RECORD_LEVELS:
                waiting += ((inner, level + 1) for inner in _inner(content, body, form))
    return count, found


def _inner(content: bytes, body: Span, form: RecordFormat) -> list[Span]:
    """Return where the records inside of a record are, if there are any."""
    if min(content[slice(*body)], default=32) >= 32:  # noqa: PLR2004 - it is text
        return []
    for start in form.inner_starts:
        inner = Span(body.start + start, body.stop)
        size = inner.stop - inner.start + 1
        tiles = _tiles(content, inner, form)
        if tiles and _evidence(tiles, form.record_bits(size), size) >= form.inner_evidence:
            return [inner]
    return []


class TagLayout(NamedTuple):
    """How a record with a tag is laid out."""

    tag: int
    """Bytes of its tag."""
    width: int
    """Bytes of its length."""
    order: Literal["little", "big"]
    is_length_first: bool
    counts_header: bool
    """Whether its length is that of all of it."""
    unit: int
    """The body is padded to a multiple of so many bytes."""

    def record(self, content: bytes, at: int, stop: int) -> SizedRecord | None:
        """Return the record at a place."""
        header = self.tag + self.width
        begin = at + header
        if begin > stop:
            return None
        number = at if self.is_length_first else at + self.tag
        length = int.from_bytes(content[number : number + self.width], self.order)
        length -= header if self.counts_header else 0
        end = begin + length
        if length < 0 or end > stop:
            return None
        whole = Span(at, min(end + -length % self.unit, stop))
        return SizedRecord(Span(number, number + self.width), Span(begin, end), whole)


def _tagged_records() -> Iterator[RecordFormat]:
    tags, widths, units = (4, 1, 2, 0), (4, 2, 1, 8), (1, 2, 4)
    orders: tuple[Literal["little", "big"], ...] = ("big", "little")
    for width, tag, unit, is_first, counts, order in product(
        widths, tags, units, (False, True), (False, True), orders
    ):
        if (width > 1 or order == "big") and (tag or not is_first):
            layout = TagLayout(tag, width, order, is_first, counts, unit)
            form = RecordFormat("records", layout.record, FixedWidth(order), 8.0, width)
            addend = tag + width if counts else 0
            yield form._replace(starts=(0, 4, 8, 12, 16), inner_starts=(0, tag), addend=addend)


MOST_FIELD_NUMBER = 1 << 16
_FIELD_WIDTHS = {1: 8, 5: 4}
"""Kinds of fields of protocol buffers with a fixed number of bytes."""
_VARINT_KIND, _LENGTH_KIND = 0, 2
_MAX_VARINT_BYTES = 10


def _field(content: bytes, at: int, stop: int) -> SizedRecord | None:
    """Return a field of a message of protocol buffers."""
    key = _varint(content, at, stop)
    if key is None or not 0 < key[0] >> 3 < MOST_FIELD_NUMBER:
        return None
    kind, begin = key[0] & 7, key[1]
    end, number = begin + _FIELD_WIDTHS.get(kind, 0), None
    if kind in (_VARINT_KIND, _LENGTH_KIND):
        value = _varint(content, begin, stop)
        if value is None:
            return None
        end = value[1]
        if kind == _LENGTH_KIND:
            number, begin, end = Span(begin, end), end, end + value[0]
    elif kind not in _FIELD_WIDTHS:
        return None
    return SizedRecord(number, Span(begin, end), Span(at, end)) if end <= stop else None


def _varint(content: bytes, at: int, stop: int) -> tuple[int, int] | None:
    return read_leb128(content, at, min(stop, at + _MAX_VARINT_BYTES))


_AR_HEADER = re.compile(rb".{16}[0-9 ]{32}([0-9 ]{10})`\n", re.DOTALL)
_STRING = re.compile(rb"([0-9]{1,9}):")
_PLAIN_ITEM = re.compile(rb"i-?[0-9]+e|[lde\r\n]+")


def _ar_member(content: bytes, at: int, stop: int) -> SizedRecord | None:
    match = _AR_HEADER.match(content, at)
    size = PADDED_DECIMAL.read(match[1]) if match else None
    if match is None or size is None or match.end() + size > stop:
        return None
    end = match.end() + size
    whole = Span(at, min(end + size % 2, stop))
    return SizedRecord(Span(*match.span(1)), Span(match.end(), end), whole)


def _string(content: bytes, at: int, stop: int) -> SizedRecord | None:
    """Return a netstring, or an item of bencoding."""
    if item := _PLAIN_ITEM.match(content, at):
        return SizedRecord(None, Span(at, at), Span(*item.span()))
    match = _STRING.match(content, at)
    end = match.end() + int(match[1]) if match else stop + 1
    if match is None or end > stop:
        return None
    whole = Span(at, end + (content[end : end + 1] == b","))
    return SizedRecord(Span(*match.span(1)), Span(match.end(), end), whole)


AR = RecordFormat("members", _ar_member, PADDED_DECIMAL, 12.0, starts=(8,))
STRINGS = RecordFormat("strings", _string, DECIMAL, 6.0)
PROTOBUF = RecordFormat("fields", _field, VARINT, 3.0, inner_evidence=0.0)
TAGGED_RECORDS = tuple(_tagged_records())
