"""Reading the bytes of a module: numbers, names, types."""

from wynot.formats.containers.container import CUT_SHORT, Broken, check
from wynot.formats.containers.modules.wasm_operations import LETTERS_OF_BYTES, VALUE_TYPES

_MORE_BIT = 0x80
_SIGN_BIT = 0x40


class WasmBytes:
    """Bytes, and how far they are read; what makes no sense raises ``Broken``."""

    def __init__(self, data: bytes, at: int = 0, stop: int | None = None) -> None:
        self.data, self.at = data, at
        self.stop = len(data) if stop is None else stop

    @property
    def is_read(self) -> bool:
        """Whether there is no more."""
        return self.at >= self.stop

    def byte(self) -> int:
        """Read one byte."""
        at = self.at
        check(at < self.stop, CUT_SHORT)
        self.at = at + 1
        return self.data[at]

    def take(self, size: int) -> bytes:
        """Read some bytes."""
        start = self.at
        check(size <= self.stop - start, CUT_SHORT)
        self.at = start + size
        return self.data[start : start + size]

    def number(self, bits: int = 32) -> int:
        """Read an unsigned number."""
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 0x7F) << shift
            if byte < _MORE_BIT:
                check(number < 1 << bits, "a number is too large")
                return number
            shift += 7
            check(shift < bits, "a number is too long")

    def signed(self, bits: int) -> int:
        """Read a signed number."""
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < _MORE_BIT:
                number -= (byte & _SIGN_BIT) >> 6 << shift
                check(-(1 << bits - 1) <= number < 1 << bits - 1, "a number is too large")
                return number
            check(shift < bits, "a number is too long")

    def count(self) -> int:
        """Read how many things follow: each is a byte at least."""
        count = self.number()
        check(count <= self.stop - self.at, CUT_SHORT)
        return count

    def name(self) -> bytes:
        """Read a name."""
        name = self.take(self.number())
        try:
            name.decode()
        except UnicodeDecodeError as error:
            raise Broken("a name is no UTF-8") from error
        return name

    def type(self) -> str:
        """Read the type of a value."""
        letter = LETTERS_OF_BYTES.get(self.byte())
        if letter is None:
            raise Broken("it has types that are unknown")
        return letter

    def types(self) -> str:
        """Read the types of several values."""
        return "".join(self.type() for _ in range(self.count()))

    def limits(self) -> str:
        """Read how large a memory or table is, as it is written in a text."""
        flags = self.byte()
        check(flags <= 3, "it has memories or tables of an unknown kind")  # noqa: PLR2004
        numbers = [self.number() for _ in range(1 + flags % 2)]
        written = [*numbers, "shared"] if flags & 2 else numbers
        return "" if written == [0] else "".join(f" {each}" for each in written)


def type_names(letters: str) -> str:
    """Return types as they are written in a text."""
    return " ".join(VALUE_TYPES[letter][0] for letter in letters)


def signature_text(takes: str, gives: str) -> str:
    """Return what a function takes and gives as it is written in a text."""
    pairs = ((" (param", takes), (" (result", gives))
    return "".join(f"{head} {type_names(types)})" for head, types in pairs if types)
