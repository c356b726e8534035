"""How numbers are written in texts, and in bytes."""

import re
from dataclasses import dataclass
from typing import Literal

_DIGITS = re.compile(rb"[0-9]{1,18}")
_HEX = re.compile(rb"[0-9a-fA-F]{1,16}")


@dataclass(frozen=True, slots=True)
class Decimal:
    """Digits; as many as before if there were zeros in front."""

    def read(self, text: bytes) -> int | None:
        """Return the number."""
        return int(text) if _DIGITS.fullmatch(text) else None

    def write(self, number: int, before: bytes) -> bytes | None:
        """Return the digits."""
        width = len(before) if before[:1] == b"0" and len(before) > 1 else 1
        return b"%0*d" % (width, number) if number >= 0 else None


@dataclass(frozen=True, slots=True)
class Hexadecimal:
    """Hexadecimal digits, in the case that they were in."""

    def read(self, text: bytes) -> int | None:
        """Return the number."""
        return int(text, 16) if _HEX.fullmatch(text) else None

    def write(self, number: int, before: bytes) -> bytes | None:
        """Return the digits."""
        width = len(before) if before[:1] == b"0" and len(before) > 1 else 1
        digits = b"%0*x" % (width, number)
        return digits.upper() if before != before.lower() else digits


@dataclass(frozen=True, slots=True)
class Padded:
    """Decimal digits, then blanks up to a fixed width."""

    def read(self, text: bytes) -> int | None:
        """Return the number."""
        return DECIMAL.read(text.rstrip(b" "))

    def write(self, number: int, before: bytes) -> bytes | None:
        """Return the digits and blanks."""
        digits = b"%-*d" % (len(before), number)
        return digits if len(digits) == len(before) else None


@dataclass(frozen=True, slots=True)
class Fixed:
    """So many bytes, in either order."""

    order: Literal["little", "big"]

    def read(self, text: bytes) -> int | None:
        """Return the number."""
        return int.from_bytes(text, self.order)

    def write(self, number: int, before: bytes) -> bytes | None:
        """Return the bytes."""
        if number < 0 or number.bit_length() > 8 * len(before):
            return None
        return number.to_bytes(len(before), self.order)


DECIMAL, HEXADECIMAL, PADDED = Decimal(), Hexadecimal(), Padded()
LITTLE, BIG = Fixed("little"), Fixed("big")
