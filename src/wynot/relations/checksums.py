"""Checksums of the rest of a content: CRC-32, Adler-32, MD5, SHA."""

import re
from binascii import hexlify
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import md5, sha1, sha256, sha512
from zlib import adler32, crc32

from wynot.relations.measures import DIGESTED
from wynot.relations.relation import Relation, Span, Writing
from wynot.relations.writings import BIG, LITTLE

MOST_DIGESTS = 8
"""How many words are looked at that may be checksums."""
MOST_HEADER_BYTES = 32
"""Before how many bytes a checksum at the beginning ends, or what is summed up begins."""
_DIGEST = re.compile(rb"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{32,128})(?![0-9A-Za-z])")
_WORD_BYTES = 4


def _md5(content: bytes) -> int:
    return int.from_bytes(md5(content, usedforsecurity=False).digest(), "big")


def _sha1(content: bytes) -> int:
    return int.from_bytes(sha1(content, usedforsecurity=False).digest(), "big")


def _sha256(content: bytes) -> int:
    return int.from_bytes(sha256(content).digest(), "big")


def _sha512(content: bytes) -> int:
    return int.from_bytes(sha512(content).digest(), "big")


SUMS: Mapping[int, tuple[Callable[[bytes], int], ...]] = {
    4: (crc32, adler32),
    16: (_md5,),
    20: (_sha1,),
    32: (_sha256,),
    64: (_sha512,),
}
"""By how many bytes they have."""


@dataclass(frozen=True, slots=True)
class Checksum:
    """A checksum of bytes."""

    of: Callable[[bytes], int]
    rank: int = DIGESTED

    def __call__(self, content: bytes, scope: Span, _members: int) -> int:
        """Work it out."""
        return self.of(content[slice(*scope)])


@dataclass(frozen=True, slots=True)
class Digits:
    """A checksum as hexadecimal digits."""

    def read(self, text: bytes) -> int | None:
        """Return the number."""
        return int(text, 16)

    def write(self, number: int, before: bytes) -> bytes | None:
        """Return as many digits, in the case that they were in."""
        if number.bit_length() > 4 * len(before):
            return None
        digits = hexlify(number.to_bytes(len(before) // 2, "big"))
        return digits.upper() if before != before.lower() else digits


DIGITS = Digits()


def checksums(content: bytes) -> Iterator[Relation]:
    """Return the checksums of a content."""
    yield from _in_words(content)
    for at in (len(content) - _WORD_BYTES, *range(0, MOST_HEADER_BYTES, _WORD_BYTES)):
        number = Span(at, at + _WORD_BYTES)
        if at <= 0 or number.stop > len(content) or not any(content[slice(*number)]):
            continue
        is_last = number.stop == len(content)
        begins = range(0, MOST_HEADER_BYTES, _WORD_BYTES) if is_last else (number.stop,)
        stop = number.start if is_last else len(content)
        scopes = [Span(begin, stop) for begin in begins if begin < stop]
        if found := _fitting(content, number, (LITTLE, BIG), scopes):
            yield found
            return


def _in_words(content: bytes) -> Iterator[Relation]:
    """Return checksums that are written in a text: of what is before or after them."""
    for match, _ in zip(_DIGEST.finditer(content), range(MOST_DIGESTS), strict=False):
        line = content.rfind(b"\n", 0, match.start()) + 1
        following = content.find(b"\n", match.end()) + 1 or len(content)
        ends = {match.start(), line, line - 1}
        begins = {match.end(), following}
        scopes = [Span(0, stop) for stop in sorted(ends) if stop > 0]
        scopes += [Span(start, len(content)) for start in sorted(begins) if start < len(content)]
        if found := _fitting(content, Span(*match.span()), (DIGITS,), scopes):
            yield found


def _fitting(
    content: bytes, at: Span, writings: tuple[Writing, ...], scopes: list[Span]
) -> Relation | None:
    text = content[slice(*at)]
    for writing in writings:
        value = writing.read(text)
        size = len(text) // 2 if writing is DIGITS else len(text)
        for of in SUMS.get(size, ()):
            for scope in scopes:
                if of(content[slice(*scope)]) == value:
                    return Relation(at, writing, Checksum(of), scope, "checksums")
    return None
