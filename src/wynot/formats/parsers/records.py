"""Records: entries of a log, values of JSON, rows of CSV.

What a text is made of is told from the text alone. In this order: one JSON array, whose elements
are the records; a log, where a line that begins with a time or a level begins an entry, and all
lines up to the next one, such as those of a stack trace, belong to it; JSON values one after the
other, in a line each or in several; a table; groups between blank lines; lines, with the indented
ones after them.
"""

import re
from collections.abc import Sequence
from itertools import islice, pairwise

from wynot.core.files import SNIFFED_BYTES
from wynot.core.texts.parts import NO_PARTS, Parts
from wynot.core.texts.tree import Tree
from wynot.formats.cuts import paragraphs

_SAMPLE_BYTES = 4096
_LINE_END = re.compile(rb"\r\n|\n|\r")
_SEPARATORS = (b",", b";", b"\t", b"|")
_FIELDS = {
    mark: re.compile(
        rb'(?:"(?:[^"]|"")*+")?[^'
        + re.escape(mark)
        + rb"\r\n]*(?P<mark>"
        + re.escape(mark)
        + rb")?"
    )
    for mark in _SEPARATORS
}


def parse(content: bytes) -> Tree:
    """Return the tree of a table; a field is a token with its quotes, and may be empty."""
    tree = Tree()
    root = tree.open("table", 0, 0)
    separator = _separator(content)
    pattern, name = _FIELDS[separator], separator.decode()
    at = 0
    while at < len(content):
        end = _LINE_END.match(content, at)
        if end is not None:  # a line with nothing on it
            at = end.end()
            continue
        record = tree.open("record", at, root)
        more = True
        while more:
            match = pattern.match(content, at)
            assert match is not None  # noqa: S101 - it matches anything
            more = match["mark"] is not None
            tree.leaf("field", at, match.end() - more, record)
            if more:
                tree.leaf(name, match.end() - 1, match.end(), record, named=False)
            at = match.end()
        tree.close(record, at)
    tree.close(root, len(content))
    return tree


def _separator(content: bytes) -> bytes:
    """Return the mark that parts fields: that which the first lines have most of."""
    sample = re.sub(rb'"[^"]*"', b"", content[:_SAMPLE_BYTES])
    return max(_SEPARATORS, key=sample.count)


_LEAST_ROWS = 2
"""Rows, and fields in each, that make a table."""
_LOOKED_AT = 50
"""Rows that must be alike."""
_TRACE_LINES = 4
"""Unindented lines that an entry may have, in a log that begins in the middle of one."""
_BLANK = b" \t\r\n"
_MARKS = re.compile(rb'"(?:(?:[^"\\]|\\[\s\S])*+"|(?>(?:(?>(?:[^"\\]|\\[^"])*)\\")+))|[\[\]{},]')
_NEXT_LINE = re.compile(rb"[^\n]*(?:\n[ \t\r]*(?=\n|\Z))*\n?")
"""The rest of a line, and the blank ones after it."""
_UNINDENTED = re.compile(rb"^[^\s]", re.MULTILINE)
_MONTH = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_LEVEL = (
    rb"(?:TRACE|DEBUG|VERBOSE|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|CRITICAL|ALERT|FATAL|PANIC)"
)
_ENTRY = re.compile(
    rb"""^(?:<\d{1,3}>)?(?:\d[ ])? (?:                          # the priority of syslog
      [\[(]? \d{4}[-/.]\d\d[-/.]\d\d (?!\d)                     # 2026-02-03
    | [\[(]? \d\d?[-/.]\d\d?[-/.]\d{4} (?!\d)                   # 03.02.2026
    | [\[(]? \d\d?/%(month)b/\d{4}                              # 03/Feb/2026
    | [\[(]? (?:\d\d-\d\d[ ])? \d\d:\d\d:\d\d (?!\d)            # 04:05:06, 02-03 04:05:06
    | [\[(]? (?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?[ ])? (?:%(month)b[ ]+\d\d?|\d\d?[ ]%(month)b) \b
    | \[[ ]*\d+\.\d+\]                                          # seconds since the start
    | \d{10}(?:\d{3})?(?:\.\d+)? [ \t]                          # seconds since 1970
    | [IWEF]\d{4}[ ]\d\d:\d\d                                   # I0203 04:05
    | \d+\.\d+\.\d+\.\d+[ ]\S+[ ]\S+[ ]\[                       # the client of a web server
    | [\[(<]? %(level)b \b
    | \[(?i:%(level)b)\]
    | (?:time|ts|level|lvl)=
    )"""
    % {b"month": _MONTH, b"level": _LEVEL},
    re.VERBOSE | re.MULTILINE,
)


def records(content: bytes) -> Parts:
    """Cut into records; of a JSON array the brackets are in no part, the commas in that before."""
    if not content:
        return NO_PARTS
    bounds = elements(content) or _entries(content) or _values(content) or _rows(content)
    if bounds:
        return Parts.tiling(bounds)
    groups = paragraphs(content)
    return groups if len(groups.starts) > 1 else _tiled(content, _starts(_UNINDENTED, content))


def elements(content: bytes) -> Sequence[int]:
    """Return where the elements of an array begin and where the last ends; else nothing."""
    inside = len(content) - len(content.lstrip(_BLANK)) + 1
    if content[inside - 1 : inside] != b"[":
        return ()
    commas: list[int] = []
    depth = 1
    for match in _MARKS.finditer(content, inside):
        mark = match[0]
        if mark in b"[{":
            depth += 1
        elif mark in b"]}":
            depth -= 1
            if depth == 0:
                return _between(content, [inside - 1, *commas, match.start()])
        elif mark == b"," and depth == 1:
            commas.append(match.start())
    return ()


def _between(content: bytes, marks: list[int]) -> Sequence[int]:
    """Return where the elements between the marks of an array begin; nothing if any is empty."""
    if content[marks[-1] + 1 :].strip(_BLANK):
        return ()
    bounds = []
    for mark, after in pairwise(marks):
        text = content[mark + 1 : after]
        bounds.append(after - len(text.lstrip(_BLANK)))
        if bounds[-1] == after:
            return ()
    last = content[: marks[-1]].rstrip(_BLANK)
    return [*bounds, len(last)]


def without_last_comma(content: bytes, tail: int) -> bytes:
    """Repair an array whose last elements were left out; the tail is what follows the last one."""
    body, end = content[: len(content) - tail], content[len(content) - tail :]
    stripped = body.rstrip(_BLANK)
    return stripped[:-1] + end if stripped.endswith(b",") else content


def _entries(content: bytes) -> Sequence[int]:
    """Return the entries of a log; nothing if it does not look like one."""
    sample = content[:SNIFFED_BYTES].lstrip()
    beginnings = sum(1 for _ in _ENTRY.finditer(sample))
    unindented = sum(1 for _ in _UNINDENTED.finditer(sample))
    if not _ENTRY.match(sample) and beginnings * _TRACE_LINES <= unindented:
        return ()
    return _bounds(content, _starts(_ENTRY, content))


def _values(content: bytes) -> Sequence[int]:
    """Return the values of a text that begins with one, each with the rest of its last line."""
    at = len(content) - len(content.lstrip(_BLANK))
    if content[at : at + 1] not in {b"{", b"["}:
        return ()
    starts = []
    closed = True
    while at < len(content):
        starts.append(at)
        end = _end_of_value(content, at) if closed else None
        if end is None:  # one that is broken off; so that not each line is looked through
            closed = content[at : at + 1] not in {b"{", b"["} and closed
            end = at
        match = _NEXT_LINE.match(content, end)
        assert match is not None  # noqa: S101 - it matches anything
        at = match.end()
    return _bounds(content, starts)


def _end_of_value(content: bytes, at: int) -> int | None:
    """Return where an object or array ends; None if there is none here, or it does not end."""
    if content[at : at + 1] not in {b"{", b"["}:
        return None
    depth = 0
    for match in _MARKS.finditer(content, at):
        if match[0] in b"[{":
            depth += 1
        elif match[0] in b"]}":
            depth -= 1
            if depth == 0:
                return match.end()
    return None


def _rows(content: bytes) -> Sequence[int]:
    """Return the rows of a table: that is what has as many fields in each of its first rows."""
    sample = parse(content[:SNIFFED_BYTES])
    first = list(islice(sample.children(0), _LOOKED_AT))
    if len(content) > SNIFFED_BYTES and len(first) < _LOOKED_AT:
        del first[-1:]  # it may go on after the sample
    fields = {sum(map(sample.is_named, sample.children(row))) for row in first}
    if len(first) < _LEAST_ROWS or len(fields) > 1 or max(fields) < _LEAST_ROWS:
        return ()
    table = parse(content)
    return _bounds(content, [table.starts[row] for row in table.children(0)])


def _starts(pattern: re.Pattern[bytes], content: bytes) -> list[int]:
    return [match.start() for match in pattern.finditer(content)]


def _bounds(content: bytes, starts: list[int]) -> Sequence[int]:
    """Return the bounds of records; what stands before the first is one too, if it is any text."""
    if starts and content[: starts[0]].strip(_BLANK):
        starts = [0, *starts]
    return [0, *starts[1:], len(content)]


def _tiled(content: bytes, starts: list[int]) -> Parts:
    return Parts.tiling(_bounds(content, starts))
