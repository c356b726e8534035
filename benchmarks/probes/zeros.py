"""Binary data in which places matter and most values do not: bytes that cannot go become plain.

How plain they are is seen in the size where a file is packed: zeros take up no room in a gzip file.
"""

import gzip
import struct
from collections.abc import Iterator
from random import Random

from benchmarks.probes.probe import Probe

FIXED = """
import sys
data = open("case.bin", "rb").read()
sys.exit(not (len(data) >= {size} and {condition}))
"""
UNPACKED = """
import gzip, sys
try:
    data = gzip.decompress(open("case.bin.gz", "rb").read())
except Exception:
    sys.exit(1)
sys.exit(not (len(data) >= {size} and {condition}))
"""
HEADER = 64


def probes() -> Iterator[Probe]:
    """Yield files as fuzzers leave them: some bytes at fixed places matter, and the length."""
    random = Random(16)
    for name, size, condition in _CONDITIONS:
        content = _content(random, 3 * size)
        given = {"size": size, "condition": condition}
        yield Probe(f"afl: {name}", {"case.bin": content}, FIXED.format(**given), size)
        packed = gzip.compress(content, mtime=0)
        reach = 40 + size // 20
        yield Probe(f"in gzip: {name}", {"case.bin.gz": packed}, UNPACKED.format(**given), reach)


def _content(random: Random, size: int) -> bytes:
    """Return noise with a few fields that the conditions look at."""
    noise = bytearray(random.randbytes(size))
    noise[:8] = b"\x7fFMT\0\0\1\2"
    struct.pack_into("<IHH", noise, 16, 0xDEAD, 7, 0x101)
    noise[40:52] = b"name=needle;"
    return bytes(noise)


_CONDITIONS = (
    ("a magic number", HEADER, "data[:5] == b'\\x7fFMT\\0'"),
    ("a field at its place", HEADER, "data[4] == 0 and data[20:22] == b'\\7\\0'"),
    ("a word that can be read", 200, "data[4] == 0 and data[43:51] == b'e=needle'"),
    ("a sum of bytes", 100, "data[4] == 0 and sum(data[16:24]) > 380"),
    ("two equal bytes", 500, "data[4] == 0 and data[22] == data[23] != 0"),
    ("a large block", 1500, "data[4] == 0 and data[16:18] == b'\\xad\\xde'"),
)
