"""Numbers at known places, sizes at the end of lines, and a checksum at the end of a content.

A format whose numbers stand at places that a pattern finds is a row of a table: the pattern, how
the number is written, what it measures, and where.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from math import log2
from typing import NamedTuple
from zlib import adler32, crc32

from wynot.relations.relation import (
    BIG,
    DECIMAL,
    LITTLE,
    Checksum,
    Encoding,
    Lines,
    Measure,
    Relation,
    Size,
    Span,
)

LENGTH_EVIDENCE = 5.0
"""In bits: how unlikely it has to be that lengths fit by chance."""
MOST_LENGTHS = 4096
"""How many lengths of one sort are kept track of."""
MOST_SUM_HEADER_BYTES = 32
"""How long a header may be that is not part of a checksum."""
_NEAR_BYTES = 41
"""How many bytes before a length there has to be a letter in."""
_AT_LINE_END = re.compile(rb"^([^\n0-9]++)([0-9]{1,9})\r?\n", re.MULTILINE)
_LETTER = re.compile(rb"[A-Za-z$]")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_REST = re.compile(rb".*", re.DOTALL)


class NumberFormat(NamedTuple):
    """Where a number is, and what it tells."""

    family: str
    pattern: re.Pattern[bytes]
    """Finds the number, and possibly another one ``beside`` it: then their product tells it."""
    measure: Measure = Size()
    encoding: Encoding = DECIMAL
    scope: re.Pattern[bytes] = _REST
    """Matches what is measured, behind the first pattern."""
    most_factor: int = 1
    """The largest measure of one item; all items have the same."""
    least: int = 0
    """A smaller number may well be chance."""


def placed_numbers(content: bytes, formats: Iterable[NumberFormat]) -> list[Relation]:
    """Return the numbers that some patterns find, where they hold."""
    return list(chain.from_iterable(_placed(content, each) for each in formats))


def _placed(content: bytes, form: NumberFormat) -> Iterator[Relation]:
    for match in form.pattern.finditer(content):
        groups = {name: Span(*match.span(name)) for name in form.pattern.groupindex}
        body = form.scope.match(content, match.end())
        scope = Span(*body.span()) if body else Span(match.end(), match.end())
        values = [form.encoding.read(content[slice(*at)]) or 0 for at in groups.values()]
        count = values[0] * values[-1] if len(values) > 1 else values[0]
        measured = form.measure(content, scope, 0)
        factor = measured // count if count else 1
        if count >= form.least and 1 <= factor <= form.most_factor and factor * count == measured:
            number, beside = groups["number"], groups.get("beside")
            yield Relation(
                number, form.encoding, form.measure, scope, form.family, factor, 0, beside
            )


_HUNK = rb"(?m)^@@ -[0-9]+,%s \+[0-9]+,%s @@[^\n]*\n"
_HUNK_LINES = re.compile(rb"(?:[-+ \\][^\n]*(?:\n|\Z))*")
_ANY, _NUMBER = rb"[0-9]+", rb"(?P<number>[0-9]+)"
_BLANKS = rb"(?:\s|#[^\n]*\n)+"
_PICTURE = rb"\A%s" + _BLANKS + rb"%s" + _BLANKS + rb"%s%s\s"
_WIDTH, _HEIGHT = rb"(?P<number>[0-9]{1,6})", rb"(?P<beside>[0-9]{1,6})"


def _counts() -> Iterator[NumberFormat]:
    """Yield formats with a count of records of one size, such as the triangles of STL."""
    for at, width, encoding in product((0, 2, 4, 6, 8, 12, 16, 80), (4, 2), (LITTLE, BIG)):
        pattern = re.compile(rb"(?s)\A.{%d}(?P<number>.{%d})" % (at, width))
        yield NumberFormat("count", pattern, encoding=encoding, most_factor=128, least=4)


HUNKS = (
    NumberFormat("old lines", re.compile(_HUNK % (_NUMBER, _ANY)), Lines(b" -"), scope=_HUNK_LINES),
    NumberFormat("new lines", re.compile(_HUNK % (_ANY, _NUMBER)), Lines(b" +"), scope=_HUNK_LINES),
)
PICTURES = (
    NumberFormat(
        "product of bytes",
        re.compile(_PICTURE % (rb"P[56]", _WIDTH, _HEIGHT, _BLANKS + rb"[0-9]{1,5}")),
        most_factor=6,
    ),
    NumberFormat(
        "rows of bytes",
        re.compile(_PICTURE % (rb"P4", rb"[0-9]{1,6}", rb"(?P<number>[0-9]{1,6})", rb"")),
        most_factor=1 << 17,
    ),
)
COUNTS = tuple(_counts())


def line_sizes(content: bytes) -> list[Relation]:
    """Return sizes in bytes at the end of lines, as in HTTP or ``git fast-export``.

    Each measures the bytes behind its line or, after a colon, behind the next blank line. That a
    line ends behind so many bytes may be chance, so all numbers after the same words must fit.
    """
    by_text: dict[bytes, list[Relation] | None] = {}
    inside, blank_lines = 0, [each.span() for each in _BLANK_LINE.finditer(content)]
    for match in _AT_LINE_END.finditer(content):
        before = match[1]
        known = by_text.setdefault(before, [])
        if match.start() < inside or known is None or not _LETTER.search(before[-_NEAR_BYTES:]):
            continue  # it is in the scope of another number, or its sort does not fit
        scope = _body(content, match, blank_lines)
        if scope is None:
            by_text[before] = None
            continue
        name = f"length after {before.decode('latin-1').strip()!r}"
        known.append(Relation(Span(*match.span(2)), DECIMAL, Size(), scope, name))
        inside = max(inside, scope.stop)
    chance = log2(len(content) / (content.count(b"\n") + 1)) if content else 0.0
    return [
        each
        for found in by_text.values()
        if found and _length_bits(len(content), chance, found) >= LENGTH_EVIDENCE
        for each in found[:MOST_LENGTHS]
    ]


def _body(content: bytes, match: re.Match[bytes], blanks: Sequence[tuple[int, int]]) -> Span | None:
    """Return the bytes that a number at the end of a line measures, if a line ends behind them."""
    begin = match.end()
    if b":" in match[1]:
        following = bisect_left(blanks, (match.end(2), 0))
        if following == len(blanks):
            return None
        begin = blanks[following][1]
    end = begin + int(match[2])
    is_line = content[end : end + 1] in b"\r\n" or content[end - 1 : end] in b"\n"
    return Span(begin, end) if end <= len(content) and is_line else None


def _length_bits(size: int, chance: float, found: list[Relation]) -> float:
    """Return the evidence of lengths: by chance, one in the length of a line fits."""
    scopes = (each.scope for each in found)
    return sum(
        log2(stop - start + 1) if stop == size else chance for start, stop in scopes if stop > start
    )


def checksum_at_end(content: bytes) -> list[Relation]:
    """Return the checksum in the last four bytes of all before them, or all but a header."""
    last = Span(max(len(content) - 4, 0), len(content))
    for algorithm, encoding, begin in product(
        (crc32, adler32), (LITTLE, BIG), range(0, min(MOST_SUM_HEADER_BYTES, last.start), 4)
    ):
        scope, text = Span(begin, last.start), content[slice(*last)]
        if any(text) and algorithm(content[slice(*scope)]) == encoding.read(text):
            return [Relation(last, encoding, Checksum(algorithm), scope, "checksum")]
    return []
