"""Floating-point numbers as they are written in a text: exactly, and as short as can be."""

import re
import struct
from contextlib import suppress

_FORMS = {"f": ("<f", "<I", 23, 8, 9), "d": ("<d", "<Q", 52, 11, 17)}
"""Of each type: how it is packed, also as a whole number; bits of fraction and exponent; digits."""
_NAN = re.compile(r"([-+]?)nan(?::0x([0-9a-fA-F]{1,16}))?")
_MOST_DIGITS = 400


def float_text(content: bytes, letter: str) -> str:
    """Return how a number that is packed so is written."""
    packed, whole, fraction, exponent, digits = _FORMS[letter]
    (bits,) = struct.unpack(whole, content)
    (number,) = struct.unpack(packed, content)
    if number != number:  # noqa: PLR0124 - only what is no number is not equal to itself
        sign = "-" if bits >> (fraction + exponent) else ""
        payload = bits & (1 << fraction) - 1
        return f"{sign}nan" + (f":{payload:#x}" if payload != 1 << fraction - 1 else "")
    for precision in (1, 6, digits - 2, digits - 1, digits):
        text = f"{number:.{precision}g}"
        if float_bytes(text, letter) == content:
            return text
    return repr(number)


def float_bytes(text: str, letter: str) -> bytes:
    """Return a number as it is packed; zero, if it is none."""
    packed, whole, fraction, exponent, _ = _FORMS[letter]
    found = _NAN.fullmatch(text)
    if found:
        payload = int(found[2], 16) if found[2] else 1 << fraction - 1
        payload = payload & (1 << fraction) - 1 or 1
        sign = (found[1] == "-") << (fraction + exponent)
        return struct.pack(whole, sign | ((1 << exponent) - 1) << fraction | payload)
    with suppress(ValueError, OverflowError):
        if len(text) <= _MOST_DIGITS:
            return struct.pack(packed, float(text))
    return struct.pack(packed, 0.0)
