"""How numbers are written: as digits, as so many bytes, or in bytes that tell how many they are."""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

_DIGITS = re.compile(rb"[0-9]{1,18}")
MOST_VARINT_BYTES = 10
_MORE_BIT = 0x80


@dataclass(frozen=True, slots=True)
class Digits:
    """Decimal digits; the width stays the same if there are zeros before or blanks after them."""

    has_blanks: bool = False

    def read(self, text: bytes) -> int | None:
        """Return the number."""
        text = text.rstrip(b" ") if self.has_blanks else text
        return int(text) if _DIGITS.fullmatch(text) else None

    def write(self, number: int, before: bytes) -> bytes | None:
        """Return the digits."""
        if self.has_blanks:
            digits = b"%-*d" % (len(before), number)
            return digits if len(digits) == len(before) else None
        return b"%0*d" % (len(before) if before[:1] == b"0" else 1, number)


@dataclass(frozen=True, slots=True)
class FixedWidth:
    """As many bytes as before, in either order."""

    order: Literal["little", "big"]

    def read(self, text: bytes) -> int | None:
        """Return the number."""
        return int.from_bytes(text, self.order)

    def write(self, number: int, before: bytes) -> bytes | None:
        """Return the bytes."""
        if number < 0 or number.bit_length() > 8 * len(before):
            return None
        return number.to_bytes(len(before), self.order)


@dataclass(frozen=True, slots=True)
class Varint:
    """Seven bits in each byte, the lowest first."""

    def read(self, text: bytes) -> int | None:
        """Return the number."""
        return sum(byte % _MORE_BIT << 7 * place for place, byte in enumerate(text))

    def write(self, number: int, _before: bytes) -> bytes | None:
        """Return as few bytes as possible."""
        places = range(0, max(number.bit_length(), 1), 7)
        text = bytearray((number >> place) % _MORE_BIT | _MORE_BIT for place in places)
        text[-1] -= _MORE_BIT
        return bytes(text)


Encoding: TypeAlias = Digits | FixedWidth | Varint
"""How a number is written: ``read`` returns it, if it is one; ``write`` returns the text that takes
the place of another number, if there is one."""
DECIMAL, PADDED_DECIMAL = Digits(), Digits(has_blanks=True)
LITTLE, BIG = FixedWidth("little"), FixedWidth("big")
VARINT = Varint()


def varint(content: bytes, at: int, stop: int) -> tuple[int, int] | None:
    """Return a number and where it ends."""
    for place in range(at, min(stop, at + MOST_VARINT_BYTES)):
        if content[place] < _MORE_BIT:
            return VARINT.read(content[at : place + 1]) or 0, place + 1
    return None
