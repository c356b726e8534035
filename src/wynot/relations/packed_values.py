"""Values of MessagePack and CBOR: what each is tells how long it is, or how many others it holds.

Both are read by one walk; a format only tells what a first byte means.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from wynot.relations.binary_writings import CBOR_HEAD, PackedHead
from wynot.relations.measures import KnownMembers, Octets
from wynot.relations.relation import Relation, Span, Writing

LEAST_VALUES = 4
"""How many values a content must have to be taken for this."""
MOST_VALUES = 20_000
MOST_HOLDERS = 4096
"""How many lists and maps are kept track of."""

STRINGS = PackedHead(0xA0, 32, ((0xD9, 1), (0xDA, 2), (0xDB, 4)))
BLOBS = PackedHead(0, 0, ((0xC4, 1), (0xC5, 2), (0xC6, 4)))
LISTS = PackedHead(0x90, 16, ((0xDC, 2), (0xDD, 4)))
MAPS = PackedHead(0x80, 16, ((0xDE, 2), (0xDF, 4)))


_SINGLE_BYTES = frozenset((*range(0x80), *range(0xE0, 0x100), 0xC0, 0xC2, 0xC3))
"""Values of MessagePack that are one byte."""


class Head(NamedTuple):
    """How a value begins."""

    stop: int
    """Where what follows begins."""
    bytes: int = 0
    """How many bytes follow."""
    values: int = 0
    """How many values follow."""
    group: int = 1
    """How many values belong together: a key and what it is for."""
    writing: Writing | None = None
    """How the number is written, if there is one."""


ReadHead: TypeAlias = Callable[[bytes, int], Head | None]


class _Open(NamedTuple):
    """A value that others are still to come of."""

    start: int
    head: Head
    starts: list[int]


def packed_values(content: bytes) -> list[Relation]:
    """Return the relations of a content that is MessagePack or CBOR."""
    found = (_walked(content, _packed_head, "packed"), _walked(content, _cbor_head, "cbor"))
    return max(found, key=len)


def _walked(content: bytes, read: ReadHead, name: str) -> list[Relation]:
    """Read one value, or several; none if they do not lead to the end of a content."""
    found: list[Relation] = []
    stack: list[_Open] = []
    at = count = 0
    while at < len(content):
        head = read(content, at)
        count += 1
        if head is None or count > MOST_VALUES or head.stop + head.bytes > len(content):
            return []
        if stack:
            stack[-1].starts.append(at)
        elif count > 1 and not head.values:
            return []  # several values in a row are lists or maps
        start, at = at, head.stop + head.bytes
        if head.values:
            stack.append(_Open(start, head, []))
            continue
        if head.writing is not None and head.bytes:
            scope = Span(head.stop, at)
            number = Span(start, head.stop)
            found.append(Relation(number, head.writing, Octets(), scope, f"{name} bytes"))
        while stack and len(stack[-1].starts) == stack[-1].head.values:
            found.append(_holder(stack.pop(), at, name))
    enough = count >= LEAST_VALUES and 0 < len(found) <= MOST_HOLDERS
    return found if enough and not stack and any(each.members for each in found) else []


def _holder(open_one: _Open, end: int, name: str) -> Relation:
    """Return the relation of a list or map."""
    start, head, starts = open_one
    bounds = [*starts[:: head.group], end]
    members = tuple(Span(*each) for each in pairwise(bounds))
    assert head.writing is not None  # noqa: S101 - what holds values says how many
    number, scope = Span(start, head.stop), Span(head.stop, end)
    return Relation(number, head.writing, KnownMembers(), scope, f"{name} members", members=members)


def _packed_head(content: bytes, at: int) -> Head | None:
    """Return how a value of MessagePack begins."""
    first = content[at]
    if first in _SINGLE_BYTES:
        return Head(at + 1)
    for writing, holds in ((MAPS, 2), (LISTS, 1), (STRINGS, 0), (BLOBS, 0)):
        wider = dict(writing.wider)
        if writing.base <= first < writing.base + writing.below or first in wider:
            stop = at + 1 + wider.get(first, 0)
            number = writing.read(content[at:stop]) or 0
            if holds:
                return Head(stop, 0, number * holds, holds, writing)
            return Head(stop, number, 0, 1, writing)
    fixed = {0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}
    fixed |= {0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
    fixed |= {0xD4: 2, 0xD5: 3, 0xD6: 5, 0xD7: 9, 0xD8: 17}
    return Head(at + 1 + fixed[first]) if first in fixed else None


def _cbor_head(content: bytes, at: int) -> Head | None:
    """Return how a value of CBOR begins."""
    kind, low = content[at] >> 5, content[at] & 0x1F
    if low > 27:  # noqa: PLR2004 - what has no length before it is not read
        return None
    stop = at + 1 + (0 if low < 24 else 1 << low - 24)  # noqa: PLR2004
    number = CBOR_HEAD.read(content[at:stop]) or 0
    match kind:
        case 0 | 1 | 7:
            return Head(stop)
        case 2 | 3:
            return Head(stop, number, 0, 1, CBOR_HEAD)
        case 4 | 5:
            return Head(stop, 0, number * (kind - 3), kind - 3, CBOR_HEAD)
        case _:  # a tag belongs to the value behind it, which is all that could be counted
            return None
