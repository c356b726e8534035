"""The instructions of a pickle that put a constant on its stack, or what was remembered."""

import struct
from pickle import encode_long

CONSTANT_CODES = {"None": b"N", "True": b"\x88", "False": b"\x89"}
ONE_BYTE, TWO_BYTES, FOUR_BYTES = 1 << 8, 1 << 16, 1 << 31
"""Numbers that do not fit any more."""


def integer_code(number: int) -> bytes:
    """Return what puts a whole number on the stack, in as few bytes as can be."""
    if 0 <= number < TWO_BYTES:
        code = b"K" if number < ONE_BYTE else b"M"
        return code + number.to_bytes(1 if number < ONE_BYTE else 2, "little")
    if -FOUR_BYTES <= number < FOUR_BYTES:
        return b"J" + struct.pack("<i", number)
    content = encode_long(number)
    if len(content) < ONE_BYTE:
        return b"\x8a" + bytes((len(content),)) + content
    return b"\x8b" + struct.pack("<i", len(content)) + content


def numbered_code(short: bytes, long: bytes, number: int) -> bytes:
    """Return the short instruction with a number if that has one byte, else the long one."""
    if number < ONE_BYTE:
        return short + bytes((number,))
    return long + struct.pack("<I", number)
