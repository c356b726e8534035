"""Pictures of netpbm in bytes: P4, P5 and P6."""

import re
from collections.abc import Iterator

from wynot.relations.measures import Octets
from wynot.relations.relation import Relation, Span
from wynot.relations.writings import DECIMAL

_PICTURE = re.compile(rb"P([456])(?:\s|#[^\n]*\n)+([0-9]{1,6})\s+([0-9]{1,6})\s")
_MOST_VALUE = re.compile(rb"\s*[0-9]{1,5}\s")
_SAMPLES = {b"5": 1, b"6": 3}


def rasters(content: bytes) -> Iterator[Relation]:
    """Return what tells the width and height of a picture."""
    match = _PICTURE.match(content)
    if match is None:
        return
    width, height = Span(*match.span(2)), Span(*match.span(3))
    columns, rows = int(match[2]), int(match[3])
    begin = match.end()
    if match[1] != b"4":
        most = _MOST_VALUE.match(content, begin)
        begin = most.end() if most else len(content)
    scope = Span(begin, len(content))
    size = scope.stop - scope.start
    if match[1] == b"4":
        row = -(-columns // 8)
        if size == row * rows and row:
            yield Relation(height, DECIMAL, Octets(), scope, "rows of bytes", row)
    elif size == columns * rows * _SAMPLES[match[1]]:
        samples = _SAMPLES[match[1]]
        yield Relation(width, DECIMAL, Octets(), scope, "product of bytes", samples, 0, height)
