"""A text as relations are looked for in it: its lines, and the numbers in them."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from wynot.relations.relation import Span

_NUMBER = re.compile(rb"(?<![\w.+-])[0-9]{1,9}(?![\w.])")


class Number(NamedTuple):
    """A number that is written in a text."""

    at: Span
    value: int


class RuledText:
    """Lines that are not blank, by number."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.lines: Sequence[Span] = list(_lines(content))
        """Without line ends."""
        self._numbers: dict[int, list[Number]] = {}

    def __len__(self) -> int:
        return len(self.lines)

    def line(self, number: int) -> bytes:
        """Return a line."""
        return self.content[slice(*self.lines[number])]

    @cached_property
    def words(self) -> Sequence[int]:
        """How many words there are before each line, and in all."""
        return [0, *accumulate(len(self.line(each).split()) for each in range(len(self)))]

    def words_of(self, line: int) -> int:
        """Return how many words a line has."""
        return self.words[line + 1] - self.words[line]

    def numbers(self, line: int) -> list[Number]:
        """Return the numbers of a line, and where they are."""
        if line not in self._numbers:
            found = _NUMBER.finditer(self.content, *self.lines[line])
            self._numbers[line] = [Number(Span(*each.span()), int(each[0])) for each in found]
        return self._numbers[line]

    def between(self, line: int, stop: int) -> Span:
        """Return the text from the start of one line to the start of another, or the end."""
        starts = (
            self.lines[each].start if each < len(self) else len(self.content)
            for each in (line, stop)
        )
        return Span(*starts)


def _lines(content: bytes) -> Iterator[Span]:
    start = 0
    for line in content.split(b"\n"):
        if line and not line.isspace():
            yield Span(start, start + len(line.rstrip(b"\r")))
        start += len(line) + 1
