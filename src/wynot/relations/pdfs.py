"""PDF files: lengths of streams, and the table of where each object is."""

import re
from collections.abc import Iterator

from wynot.relations.measures import Octets, Offset
from wynot.relations.relation import Relation, Span
from wynot.relations.writings import DECIMAL

_LENGTH = re.compile(rb"/Length +([0-9]{1,9})\b(?! +[0-9]+ +R)")
_STREAM = re.compile(rb"[^\0]{0,400}?>>\s*?stream\r?\n", re.DOTALL)
_ENTRY = re.compile(rb"([0-9]{10}) [0-9]{5} n")
_OBJECT = re.compile(rb"[0-9]+ [0-9]+ obj")
_STARTS = re.compile(rb"startxref\s+([0-9]{1,10})\s")


def pdfs(content: bytes) -> Iterator[Relation]:
    """Return the lengths and places of a PDF file."""
    if not content.startswith(b"%PDF-"):
        return
    for match in _LENGTH.finditer(content):
        stream = _STREAM.match(content, match.end())
        begin = stream.end() if stream else len(content)
        scope = Span(begin, begin + int(match[1]))
        if content[scope.stop : scope.stop + 12].lstrip().startswith(b"endstream"):
            yield Relation(Span(*match.span(1)), DECIMAL, Octets(), scope, "lengths of streams")
    for match in _ENTRY.finditer(content):
        if found := _OBJECT.match(content, int(match[1])):
            number, scope = Span(*match.span(1)), Span(*found.span())
            yield Relation(number, DECIMAL, Offset(), scope, "places of objects")
    for match in _STARTS.finditer(content):
        start = int(match[1])
        if content[start : start + 4] == b"xref":
            number, scope = Span(*match.span(1)), Span(start, start + 4)
            yield Relation(number, DECIMAL, Offset(), scope, "places of tables")
