"""Lengths in bytes that are written in a text: HTTP, netstrings, chunks, ``data 13`` and the like.

A number at the end of a line, or before a colon, tells how many bytes follow. That the text after
so many bytes goes on as it should may be chance; so all numbers that stand after the same words
have to be right.
"""

import re
from collections.abc import Iterator
from math import log2

from wynot.relations.measures import Octets
from wynot.relations.relation import Relation, Span
from wynot.relations.writings import DECIMAL, HEXADECIMAL

LENGTH_EVIDENCE = 5.0
"""How much must speak for it, in bits."""
MOST_LENGTHS = 4096
"""How many lengths of one sort are kept track of."""

_AT_LINE_END = re.compile(rb"^([^\n0-9]++)([0-9]{1,9})\r?\n", re.MULTILINE)
_LETTER = re.compile(rb"[A-Za-z$]")
_NEAR_BYTES = 41
"""How many bytes before a number there has to be a letter in."""
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_STRING = re.compile(rb"([0-9]{1,9}):")
_INTEGER = re.compile(rb"i-?[0-9]+e")
_CHUNK = re.compile(rb"([0-9a-fA-F]{1,8})(?:;[^\r\n]*)?\r\n")
_CHUNKED = re.compile(rb"(?im)^transfer-encoding:[^\r\n]*chunked")


def byte_lengths(content: bytes) -> Iterator[Relation]:
    """Return all lengths of a text."""
    yield from _bodies(content)
    yield from _strings(content)
    bodies = map(
        _BlankLines(content).end_after, (each.end() for each in _CHUNKED.finditer(content))
    )
    for start in dict.fromkeys(bodies):
        if start is not None:
            yield from _chunks(content, start)


class _BlankLines:
    """Finds blank lines from places that are further and further on: each byte is read once."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._next = _BLANK_LINE.search(content)

    def end_after(self, place: int) -> int | None:
        """Return where the next blank line ends, if there is one."""
        if self._next is not None and self._next.start() < place:
            self._next = _BLANK_LINE.search(self._content, place)
        return self._next and self._next.end()


def _bodies(content: bytes) -> Iterator[Relation]:
    """Return lengths at the end of lines, of what follows the line, or the next blank one."""
    sorts: dict[bytes, list[Relation] | None] = {}
    inside, blank_lines = 0, _BlankLines(content)
    for match in _AT_LINE_END.finditer(content):
        words = match[1]
        if match.start() < inside or sorts.get(words, ()) is None:
            continue  # it is in what another one tells the length of, or of a sort that is none
        if not _LETTER.search(words[-_NEAR_BYTES:]):
            continue
        scope = _body(content, match, blank_lines)
        if scope is None:
            sorts[words] = None
            continue
        name = f"length after {words.decode('latin-1').strip()!r}"
        known = sorts.setdefault(words, [])
        if known is not None:
            known.append(Relation(Span(*match.span(2)), DECIMAL, Octets(), scope, name))
        inside = max(inside, scope.stop)
    chance = log2(len(content) / (content.count(b"\n") + 1)) if content else 0.0
    for found in sorts.values():
        if found and _evidence(len(content), chance, found) >= LENGTH_EVIDENCE:
            yield from found[:MOST_LENGTHS]


def _body(content: bytes, match: re.Match[bytes], blank_lines: _BlankLines) -> Span | None:
    """Return the bytes that a line tells the length of, if something ends behind them."""
    begin: int | None = match.end()
    if b":" in match[1]:
        begin = blank_lines.end_after(match.end() - 1)
    if begin is None:
        return None
    end = begin + int(match[2])
    if end == len(content) or (
        end < len(content) and (content[end : end + 1] in b"\r\n" or content[end - 1] in b"\n")
    ):
        return Span(begin, end)
    return None


def _evidence(size: int, chance: float, found: list[Relation]) -> float:
    """Return what speaks for it, in bits: that as many bytes further on a line ends is chance."""
    scopes = (each.scope for each in found)
    return sum(
        log2(stop - start + 1) if stop == size else chance for start, stop in scopes if stop > start
    )


def _strings(content: bytes) -> Iterator[Relation]:
    """Return the lengths of netstrings, or in bencoding, if a text is nothing else."""
    found: list[Relation] = []
    at = 0
    while at < len(content) and len(found) < MOST_LENGTHS:
        match = _STRING.match(content, at)
        if match is not None:
            scope = Span(match.end(), match.end() + int(match[1]))
            if scope.stop > len(content):
                return
            at = scope.stop + (content[scope.stop : scope.stop + 1] == b",")
            number, whole = Span(*match.span(1)), Span(match.start(), at)
            found.append(Relation(number, DECIMAL, Octets(), scope, "strings", whole=whole))
        elif integer := _INTEGER.match(content, at):
            at = integer.end()
        elif content[at : at + 1] in b"lde\r\n":
            at += 1
        else:
            return
    if sum(log2(each.scope.stop - each.scope.start + 1) for each in found) >= LENGTH_EVIDENCE:
        yield from found


def _chunks(content: bytes, at: int) -> Iterator[Relation]:
    """Return the lengths of chunks, each in a line of its own before it."""
    found: list[Relation] = []
    while match := _CHUNK.match(content, at):
        scope = Span(match.end(), match.end() + int(match[1], 16))
        if content[scope.stop : scope.stop + 2] != b"\r\n":
            return
        if scope.start == scope.stop:  # the last one
            break
        at = scope.stop + 2
        number, whole = Span(*match.span(1)), Span(match.start(), at)
        found.append(Relation(number, HEXADECIMAL, Octets(some=True), scope, "chunks", whole=whole))
    yield from found[:MOST_LENGTHS]
