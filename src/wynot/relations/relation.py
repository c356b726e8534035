"""A relation: a number in a text, and what it tells of the rest of the text.

A deletion that takes two of four hundred lines and leaves the number 400 before them breaks more
than it takes away. So relations are found once (``mining``), and whatever is left out, what they
say is put right in the same step (``mending``).
"""

from typing import NamedTuple, Protocol


class Span(NamedTuple):
    """Bytes of a text."""

    start: int
    stop: int


class Writing(Protocol):
    """How a number is written."""

    def read(self, text: bytes) -> int | None:
        """Return the number; None: this is not one."""

    def write(self, number: int, before: bytes) -> bytes | None:
        """Return a number as it would stand in the place of one; None: it cannot be written."""


class Measure(Protocol):
    """What a number can tell of some bytes."""

    @property
    def rank(self) -> int:
        """When it is put right: what depends on others comes after them."""

    def __call__(self, content: bytes, scope: Span, members: int, /) -> int:
        """Measure some bytes of a text, in which so many of the members are left."""


class Relation(NamedTuple):
    """A number that is ``measure // factor + addend``, or that times another number."""

    at: Span
    writing: Writing
    measure: Measure
    scope: Span
    """What is measured."""
    family: str
    """What rule it follows: relations of one rule hold for all of a text, or for none of it."""
    factor: int = 1
    addend: int = 0
    beside: Span | None = None
    """Where the other number is, of two whose product it is."""
    members: tuple[Span, ...] = ()
    """What is counted, if it cannot be told from the text alone."""
    whole: Span | None = None
    """What can go with it as a whole, such as a string with its length before it."""
    unit: int = 1
    """What its bytes are filled up to a multiple of."""
    filling: bytes = b"\0"
    """What they are filled up with."""
    was_mended: bool = False
    """Whether another number was written before; if that was accepted, the relation is of use."""


Relations = tuple[Relation, ...]
"""The relations of one text."""
