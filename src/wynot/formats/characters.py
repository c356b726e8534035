"""Characters and bytes: the finest cuts there are."""

import re
from array import array

from wynot.core.parts import NO_PARTS, Parts

# What is not UTF-8 falls apart into bytes.
_CHARACTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|(?s:.)"
)


def octets(content: bytes) -> Parts:
    """Cut between any two bytes."""
    size = len(content)
    return Parts(range(size), range(1, size + 1), tiles=True) if size else NO_PARTS


def chunks(content: bytes, size: int) -> Parts:
    """Cut after every so many bytes."""
    if not content:
        return NO_PARTS
    return Parts.tiling([*range(0, len(content), size), len(content)])


def characters(content: bytes) -> Parts:
    """Cut between characters of UTF-8; where it is none, between bytes."""
    if content.isascii():
        return octets(content)
    bounds = array("q", [0])
    bounds.extend(match.end() for match in _CHARACTER.finditer(content))
    return Parts.tiling(bounds)
