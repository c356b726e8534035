"""Checksums of the rest of a content: CRC-32, Adler-32, MD5, SHA."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import new
from zlib import adler32, crc32

from wynot.relations.encodings import BIG, HEXADECIMAL, LITTLE, Encoding
from wynot.relations.relation import Checksum, Relation, Span

MOST_DIGESTS = 8
"""How many words are looked at that may be checksums."""
MOST_HEADER_BYTES = 32
"""A checksum in a header ends before so many bytes, or what is summed up begins there."""
_DIGEST = re.compile(rb"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{32,128})(?![0-9A-Za-z])")
_WORD_BYTES = 4


def _hash(name: str, content: bytes) -> int:
    return int.from_bytes(new(name, content, usedforsecurity=False).digest(), "big")


ALGORITHMS: Mapping[int, tuple[Callable[[bytes], int], ...]] = {
    4: (crc32, adler32),
    16: (partial(_hash, "md5"),),
    20: (partial(_hash, "sha1"),),
    32: (partial(_hash, "sha256"),),
    64: (partial(_hash, "sha512"),),
}
"""By the number of bytes of a checksum."""


def checksums(content: bytes) -> Iterator[Relation]:
    """Return the checksums of a content."""
    yield from _in_text(content)
    yield from next(filter(None, _in_bytes(content)), ())


def _in_bytes(content: bytes) -> Iterator[list[Relation]]:
    """Return a checksum of the bytes before it, at the end; or of all behind it, in a header."""
    size, header = len(content), range(0, MOST_HEADER_BYTES, _WORD_BYTES)
    for width in ALGORITHMS:
        scopes = [Span(begin, size - width) for begin in header if begin < size - width]
        yield _fitting(content, Span(max(size - width, 0), size), (LITTLE, BIG), scopes)
    for at in header[1:]:
        number = Span(at, at + _WORD_BYTES)
        if number.stop < size:
            yield _fitting(content, number, (LITTLE, BIG), [Span(number.stop, size)])


def _in_text(content: bytes) -> Iterator[Relation]:
    """Return checksums as hexadecimal digits, of everything before or after them."""
    for match, _ in zip(_DIGEST.finditer(content), range(MOST_DIGESTS), strict=False):
        line = content.rfind(b"\n", 0, match.start()) + 1
        following = content.find(b"\n", match.end()) + 1 or len(content)
        scopes = [Span(0, stop) for stop in sorted({match.start(), line, line - 1}) if stop > 0]
        starts = sorted({match.end(), following})
        scopes += [Span(start, len(content)) for start in starts if start < len(content)]
        yield from _fitting(content, Span(*match.span()), (HEXADECIMAL,), scopes)


def _fitting(
    content: bytes, at: Span, encodings: Sequence[Encoding], scopes: Sequence[Span]
) -> list[Relation]:
    text = content[slice(*at)]
    for encoding in encodings if any(text) else ():
        value = encoding.read(text)
        width = len(text) // 2 if encoding is HEXADECIMAL else len(text)
        for algorithm in ALGORITHMS.get(width, ()):
            for scope in scopes:
                if algorithm(content[slice(*scope)]) == value:
                    return [Relation(at, encoding, Checksum(algorithm), scope, "checksums")]
    return []
