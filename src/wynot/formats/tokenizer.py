"""Tokens of no language in particular: words, numbers, marks, white space."""

import re
from array import array

from wynot.core.parts import NO_PARTS, Parts

# A word takes the blanks after it along, so that leaving it out leaves no double blank; the
# blanks that begin a line stay by themselves, since they can be what structures the text.
_TOKEN = re.compile(
    rb"""
    (?: [A-Za-z_$\x80-\xff][\w$\x80-\xff]*      # a word, in any encoding
      | \d[\w.]*                                # a number
      | [^\w\s]                                 # a mark
      | _
    ) [ \t]*
    | \r?\n                                     # an end of line
    | [ \t\r\f\v]+                              # blanks that begin a line
    | (?s:.)
    """,
    re.VERBOSE,
)


def tokens(content: bytes) -> Parts:
    """Cut into tokens."""
    if not content:
        return NO_PARTS
    bounds = array("q", [0])
    bounds.extend(match.end() for match in _TOKEN.finditer(content))
    return Parts.tiling(bounds)
