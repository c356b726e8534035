"""A relation: a number in a text, and what it tells about the rest of the text.

A deletion of two of four hundred lines breaks a file that begins with the number 400. So the
relations of a text are found once (``mining``), and each candidate has its numbers updated
(``updates``).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from wynot.formats.leb128 import read_leb128, write_leb128

_DIGITS = re.compile(rb"[0-9]{1,18}")


class Span(NamedTuple):
    """Bytes of a text."""

    start: int
    stop: int


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
        found = read_leb128(text, 0, len(text))
        return None if found is None else found[0]

    def write(self, number: int, _before: bytes) -> bytes | None:
        """Return as few bytes as possible."""
        return write_leb128(number) if number >= 0 else None


Encoding: TypeAlias = Digits | FixedWidth | Varint
"""How a number is written: ``read`` returns it, if it is one; ``write`` returns the text that takes
the place of another number, if there is one."""
DECIMAL, PADDED_DECIMAL = Digits(), Digits(has_blanks=True)
LITTLE, BIG = FixedWidth("little"), FixedWidth("big")
VARINT = Varint()


COUNT, SIZE, CHECKSUM = 0, 1, 2
"""The order of updates: sizes depend on how counts are written, checksums on both."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The number of lines that are not blank."""

    first_bytes: bytes = b""
    """What they may begin with, if that matters: any of these bytes."""
    rank = COUNT

    def __call__(self, content: bytes, scope: Span, _members: int) -> int:
        """Count them."""
        lines = content[slice(*scope)].split(b"\n")
        if self.first_bytes:
            return sum(line[:1] in self.first_bytes for line in lines if line)
        return len([1 for line in lines if line and not line.isspace()])


@dataclass(frozen=True, slots=True)
class Words:
    """The number of words between white space."""

    only: bytes = b""
    """The word that counts, if not all do."""
    rank = COUNT

    def __call__(self, content: bytes, scope: Span, _members: int) -> int:
        """Count them."""
        words = content[slice(*scope)].split()
        return words.count(self.only) if self.only else len(words)


@dataclass(frozen=True, slots=True)
class Columns:
    """The number of words, fields or characters of the first line that is not blank."""

    separator: bytes | None = None
    """What is between fields; None: white space; empty: each character is a column."""
    rank = COUNT

    def __call__(self, content: bytes, scope: Span, _members: int) -> int:
        """Count them."""
        lines = content[slice(*scope)].split(b"\n")
        return next((self.of_line(line) for line in lines if line and not line.isspace()), 0)

    def of_line(self, line: bytes) -> int:
        """Count those of one line."""
        return len(line.rstrip(b"\r") if self.separator == b"" else line.split(self.separator))


@dataclass(frozen=True, slots=True)
class MemberCount:
    """The number of members, which the relation names."""

    rank = COUNT

    def __call__(self, _content: bytes, _scope: Span, members: int) -> int:
        """Count them."""
        return members


@dataclass(frozen=True, slots=True)
class Size:
    """The number of bytes."""

    rank = SIZE

    def __call__(self, _content: bytes, scope: Span, _members: int) -> int:
        """Count them."""
        return scope.stop - scope.start


@dataclass(frozen=True, slots=True)
class Checksum:
    """A checksum of the bytes."""

    algorithm: Callable[[bytes], int]
    rank = CHECKSUM

    def __call__(self, content: bytes, scope: Span, _members: int) -> int:
        """Compute it."""
        return self.algorithm(content[slice(*scope)])


Measure: TypeAlias = Lines | Words | Columns | MemberCount | Size | Checksum
"""What a number can tell about some bytes of a text, of which so many members are left.

Its ``rank`` tells when the number is updated.
"""


class Relation(NamedTuple):
    """A number that is ``measure // factor + addend``, or that times another number."""

    at: Span
    encoding: Encoding
    measure: Measure
    scope: Span
    """What is measured."""
    family: str
    """The rule that it follows: relations of one family hold for all of a text, or for none."""
    factor: int = 1
    addend: int = 0
    beside: Span | None = None
    """Where the other number is, of two whose product is the measure."""
    members: tuple[Span, ...] = ()
    """What is counted, if the text alone does not tell."""
    whole: Span | None = None
    """What can go together with the number, such as a string with its length before it."""
    was_updated: bool = False
    """Whether another number was written before; if that was accepted, the relation is of use."""


Relations = tuple[Relation, ...]
"""The relations of one text."""
