"""Numbers of seven bits in each byte, the lowest bits first: LEB128, or varints.

The highest bit of a byte tells that more bytes follow: 300 is ``ac 02``, 0x2c + 2 * 128.
"""

_MORE_BIT = 0x80
_SIGN_BIT = 0x40


def read_leb128(content: bytes, at: int, stop: int) -> tuple[int, int] | None:
    """Return an unsigned number and where it ends; None: it does not end before ``stop``."""
    number = shift = 0
    for place in range(at, stop):
        byte = content[place]
        number |= (byte & 0x7F) << shift
        if byte < _MORE_BIT:
            return number, place + 1
        shift += 7
    return None


def sign_extended(number: int, size: int) -> int:
    """Return the signed number that was read, as an unsigned one, from so many bytes."""
    sign = _SIGN_BIT << 7 * (size - 1)
    return number - 2 * (number & sign)


def write_leb128(number: int, width: int = 1) -> bytes:
    """Return an unsigned number in as few bytes as it takes, but at least so many."""
    written = bytearray()
    while number >= _MORE_BIT or len(written) + 1 < width:
        written.append(number & 0x7F | _MORE_BIT)
        number >>= 7
    written.append(number)
    return bytes(written)


def write_signed_leb128(number: int) -> bytes:
    """Return a signed number in as few bytes as it takes."""
    written = bytearray()
    while not -_SIGN_BIT <= number < _SIGN_BIT:
        written.append(number & 0x7F | _MORE_BIT)
        number >>= 7
    written.append(number & 0x7F)
    return bytes(written)
