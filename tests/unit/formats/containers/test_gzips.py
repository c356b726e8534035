"""Gzip, with all that its header may hold."""

import gzip
import struct
import zlib

import pytest

from wynot.formats.containers.container import FREE, Packed
from wynot.formats.containers.gzips import GZIP

PLAIN = gzip.compress(b"content", mtime=0)
BODY = PLAIN[10:]


def header(flags: int, rest: bytes = b"") -> bytes:
    return b"\x1f\x8b\x08" + bytes([flags, 1, 2, 3, 4, 0, 3]) + rest


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (header(0), ""),
        (header(8, b"a.c\0"), "a.c"),
        (header(16, b"a comment\0"), ""),
        (header(4, struct.pack("<H", 3) + b"abc"), ""),
        (header(30, struct.pack("<H", 1) + b"x" + b"n\0c\0" + b"\1\2"), "n"),
    ],
)
def test_the_header_stays(head: bytes, name: str) -> None:
    packed = GZIP.unpack(head + BODY)
    assert packed is not None
    (member,) = packed.members
    assert (member.name, member.content, member.required) == (name, b"content", True)
    assert GZIP.pack(packed) == head + BODY
    written = GZIP.pack(Packed((member.holding(b"other"),)))
    assert written.startswith(head)
    assert gzip.decompress(written) == b"other"


@pytest.mark.parametrize(
    "content",
    [
        PLAIN + PLAIN,
        PLAIN + b"\0",
        PLAIN[:-1],
        PLAIN[:-1] + b"\1",
        header(0x20) + BODY,
        header(8, b"no end"),
        header(4, b"\1"),
        header(0),
        header(0) + zlib.compress(b"content"),
        gzip.compress(bytes(FREE + 1)),
    ],
    ids=range(10),
)
def test_what_is_left_alone(content: bytes) -> None:
    assert GZIP.unpack(content) is None
