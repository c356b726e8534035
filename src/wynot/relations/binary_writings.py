"""How numbers are written in formats of bytes where the first bits tell what follows."""

from dataclasses import dataclass

MOST_VARINT_BYTES = 10
_MORE_BIT = 0x80


@dataclass(frozen=True, slots=True)
class Leb128:
    """Seven bits in each byte, the lowest first; as many bytes as before if there were too many."""

    def read(self, text: bytes) -> int | None:
        """Return the number."""
        return sum((byte & ~_MORE_BIT) << 7 * place for place, byte in enumerate(text))

    def write(self, number: int, before: bytes) -> bytes | None:
        """Return the bytes."""
        is_padded = len(before) > 1 and before[-1] == 0
        text = bytearray()
        while True:
            number, low = number >> 7, number & ~_MORE_BIT & 0xFF
            text.append(low | (_MORE_BIT if number else 0))
            if not number:
                break
        while is_padded and len(text) < len(before):
            text[-1] |= _MORE_BIT
            text.append(0)
        return bytes(text)


def varint(content: bytes, at: int, stop: int) -> tuple[int, int] | None:
    """Return a number and where it ends."""
    number = 0
    for place in range(at, min(stop, at + MOST_VARINT_BYTES)):
        number |= (content[place] & ~_MORE_BIT) << 7 * (place - at)
        if content[place] < _MORE_BIT:
            return number, place + 1
    return None


@dataclass(frozen=True, slots=True)
class CborHead:
    """Three bits that tell the kind, and a number in the other five or in the bytes that follow."""

    def read(self, text: bytes) -> int | None:
        """Return the number."""
        return int.from_bytes(text[1:], "big") if len(text) > 1 else text[0] & 0x1F

    def write(self, number: int, before: bytes) -> bytes | None:
        """Return the bytes, as few as can be."""
        kind = before[0] & 0xE0
        if number < 24:  # noqa: PLR2004 - what fits into the first byte
            return bytes([kind | number])
        width = next((each for each in range(4) if number < 1 << (8 << each)), None)
        if width is None:
            return None
        return bytes([kind | 24 + width]) + number.to_bytes(1 << width, "big")


@dataclass(frozen=True, slots=True)
class PackedHead:
    """A number in the first byte, if it is small; else in so many bytes behind another first one.

    As in MessagePack: the heads of a kind are a run of numbers with a base, and wider ones.
    """

    base: int
    below: int
    """What number does not fit into the first byte any more."""
    wider: tuple[tuple[int, int], ...]
    """The first bytes of the others, and how many bytes each is followed by."""

    def read(self, text: bytes) -> int | None:
        """Return the number."""
        return int.from_bytes(text[1:], "big") if len(text) > 1 else text[0] - self.base

    def write(self, number: int, _before: bytes) -> bytes | None:
        """Return the bytes, as few as can be."""
        if number < self.below:
            return bytes([self.base + number])
        for first, width in self.wider:
            if number < 1 << 8 * width:
                return bytes([first]) + number.to_bytes(width, "big")
        return None


LEB128, CBOR_HEAD = Leb128(), CborHead()
