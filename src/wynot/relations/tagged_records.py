"""Records with a length before them, beside and inside of each other: TLV, RIFF, boxes.

How they are laid out is not known: which sizes, which order, what is counted. So some hundred ways
are tried, and one is taken by which the records lead exactly to the end.
"""

from collections.abc import Iterator
from itertools import product
from math import log2
from typing import Literal, NamedTuple

from wynot.relations.measures import Octets
from wynot.relations.relation import Relation, Span
from wynot.relations.writings import Fixed

RECORDS_EVIDENCE = 12.0
"""How much must speak for it, in bits."""
MOST_STARTING_PLACES = (0, 4, 8, 12, 16)
"""Where the first record may begin."""
MOST_RECORDS = 4096
"""How many records are kept track of."""
MOST_EMPTY_RECORDS = 32
"""How many records may be empty if most are: zeros look like that."""
MOST_RECORD_LEVELS = 16
"""How deep they may be inside of each other."""
_FULL_BITS = 8.0
"""What at most speaks for one record."""


class Layout(NamedTuple):
    """How a record is laid out."""

    tag: int
    """Bytes of its tag."""
    width: int
    """Bytes of its length."""
    order: Literal["little", "big"]
    is_length_first: bool
    counts_header: bool
    """Whether its length is that of all of it."""
    unit: int
    """What its length is made up to a multiple of."""
    trailer: int
    """Bytes behind it, such as a checksum."""

    def record(self, content: bytes, at: int, stop: int) -> "TaggedRecord | None":
        """Return the record that begins at a place."""
        head = at + self.tag + self.width
        if head > stop:
            return None
        number = at if self.is_length_first else at + self.tag
        length = int.from_bytes(content[number : number + self.width], self.order)
        length -= self.tag + self.width if self.counts_header else 0
        end = head + length
        padded = end + -length % self.unit + self.trailer
        if length < 0 or end + self.trailer > stop:
            return None
        whole = Span(at, min(padded, stop))
        return TaggedRecord(Span(number, number + self.width), Span(head, end), whole)


class TaggedRecord(NamedTuple):
    """A record: its length, what it holds, and all of it."""

    at: Span
    body: Span
    whole: Span


def _layouts() -> Iterator[Layout]:
    tags, widths, units, trailers = (4, 1, 2, 0), (4, 2, 1, 8), (1, 2, 4), (0, 4)
    orders: tuple[Literal["little", "big"], ...] = ("big", "little")
    for width, tag, trailer, unit, first, counts, order in product(
        widths, tags, trailers, units, (False, True), (False, True), orders
    ):
        if (width == 1 and order == "little") or (tag == 0 and first) or (trailer and unit > 1):
            continue
        yield Layout(tag, width, order, first, counts, unit, trailer)


LAYOUTS = tuple(_layouts())


def tagged_records(content: bytes) -> list[Relation]:
    """Return the lengths of records, if a content is nothing else but for its first bytes."""
    best: tuple[float, list[Relation]] | None = None
    for start in MOST_STARTING_PLACES:
        for layout in LAYOUTS:
            scope = Span(start, len(content))
            evidence = _evidence(_tiled(content, scope, layout), layout, len(content))
            if evidence >= RECORDS_EVIDENCE:
                found = list(_relations(content, scope, layout))
                # All records speak for it, also those inside of others.
                evidence = len(found) * _record_bits(layout, len(content)) - start / 4
                if best is None or evidence > best[0]:
                    best = evidence, found
    return best[1] if best else []


def _part(content: bytes, whole: Span) -> Span | None:
    """Return what can go with a record, unless that is all there is."""
    return None if whole == (0, len(content)) else whole


def _tiled(content: bytes, scope: Span, layout: Layout) -> list[TaggedRecord]:
    """Return the records of a scope; none if they do not lead to its end."""
    found: list[TaggedRecord] = []
    at, empty = scope.start, 0
    while at < scope.stop:
        record = layout.record(content, at, scope.stop)
        if record is None or len(found) == MOST_RECORDS:
            return []
        if record.body.start == record.body.stop:
            empty += 1
            if empty > MOST_EMPTY_RECORDS and 2 * empty > len(found):
                return []
        found.append(record)
        at = record.whole.stop
    return found


def _evidence(found: list[TaggedRecord], layout: Layout, size: int) -> float:
    """Return how unlikely it is that records lead to the end by chance, in bits."""
    filled = [each for each in found if each.body.start < each.body.stop]
    if not filled or len(filled) < len(found) / 2:
        return 0.0
    return log2(size / len(found)) + len(filled) * _record_bits(layout, size)


def _record_bits(layout: Layout, size: int) -> float:
    """Return what speaks for a record: that its length is not one that is too large."""
    return min(max(8 * layout.width - log2(size + 1), 0.0), _FULL_BITS)


def _relations(content: bytes, scope: Span, layout: Layout) -> Iterator[Relation]:
    """Return the lengths of records and of those inside of them."""
    waiting = [(scope, 0)]
    writing, addend = Fixed(layout.order), 0
    if layout.counts_header:
        addend = layout.tag + layout.width
    count = 0
    while waiting and count < MOST_RECORDS:
        inside, level = waiting.pop()
        for record in _tiled(content, inside, layout):
            at, body, whole = record
            count += 1
            found = Relation(at, writing, Octets(), body, f"records {level}", addend=addend)
            yield found._replace(whole=_part(content, whole), unit=layout.unit)
            for skipped in (0, layout.tag):
                inner = Span(body.start + skipped, body.stop)
                records = _tiled(content, inner, layout) if level < MOST_RECORD_LEVELS else []
                if _evidence(records, layout, inner.stop - inner.start + 1) >= RECORDS_EVIDENCE:
                    waiting.append((inner, level + 1))
                    break
