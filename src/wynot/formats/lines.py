"""Lines, and groups of lines between blank ones."""

import re
from array import array

from wynot.core.parts import NO_PARTS, Parts

_GAP = re.compile(rb"\n(?:[ \t\r]*\n)+")


def lines(content: bytes) -> Parts:
    """Cut after each line feed; so it is right for CRLF too."""
    return _cut_after(re.compile(rb"\n"), content)


def paragraphs(content: bytes) -> Parts:
    """Cut after blank lines, which belong to the group before them."""
    return _cut_after(_GAP, content)


def _cut_after(end: re.Pattern[bytes], content: bytes) -> Parts:
    if not content:
        return NO_PARTS
    bounds = array("q", [0])
    bounds.extend(match.end() for match in end.finditer(content))
    if bounds[-1] != len(content):
        bounds.append(len(content))
    return Parts.tiling(bounds)
