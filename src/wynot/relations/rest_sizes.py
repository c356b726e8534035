"""Numbers in the first bytes of a content that tell how many bytes or records follow."""

from collections.abc import Iterator

from wynot.relations.measures import Octets
from wynot.relations.relation import Relation, Span
from wynot.relations.writings import BIG, LITTLE

HEAD_BYTES = 96
"""How many bytes are looked at."""
LEAST_REST = 16
"""How many bytes must follow at least."""
LEAST_COUNT = 4
MOST_RECORD_BYTES = 128
"""How many bytes a record may have of those that are counted."""


def rest_sizes(content: bytes) -> Iterator[Relation]:
    """Return what tells of the rest."""
    for at in range(min(HEAD_BYTES, len(content) - LEAST_REST)):
        for width in (4, 2, 8):
            found = list(_at(content, at, width))
            if found:
                yield from found[:1]
                return
    yield from _counts(content)


def _at(content: bytes, at: int, width: int) -> Iterator[Relation]:
    """Return a number that tells the size of all that follows, or of the whole."""
    number, size = Span(at, at + width), len(content)
    for writing in (LITTLE, BIG):
        value = writing.read(content[at : at + width])
        if value == size - number.stop:
            yield Relation(number, writing, Octets(), Span(number.stop, size), "size of the rest")
        elif value == size:
            yield Relation(number, writing, Octets(), Span(0, size), "size of all")


def _counts(content: bytes) -> Iterator[Relation]:
    """Return a number that tells how many records follow, all of one size."""
    for at in (0, 2, 4, 6, 8, 12, 16, 80):
        for width in (4, 2):
            rest = len(content) - at - width
            for writing in (LITTLE, BIG):
                value = writing.read(content[at : at + width]) or 0
                if (
                    LEAST_COUNT <= value <= rest
                    and rest % value == 0
                    and rest // value <= MOST_RECORD_BYTES
                ):
                    scope = Span(at + width, len(content))
                    yield Relation(
                        Span(at, at + width), writing, Octets(), scope, "count", rest // value
                    )
                    return
