"""Blocks of lines that numbers count, and the relations that follow from them.

A counted text is made of records: a header with numbers, then blocks, which some of the numbers
count. ``counted_blocks`` and ``header_counts`` guess how a text is divided into them.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from wynot.relations.relation import (
    DECIMAL,
    Columns,
    Lines,
    Measure,
    MemberCount,
    Relation,
    Span,
    Words,
)

_COLUMNS = (Columns(), Columns(b","), Columns(b""))
_FACTORS = (1, 2, 3, 4)
_NUMBER = re.compile(rb"(?<![\w.+-])[0-9]{1,9}(?![\w.])")


class Number(NamedTuple):
    """A number that is written in a text."""

    at: Span
    value: int


class CountedText:
    """The lines of a text that are not blank, by number."""

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
        """The number of words in each line."""
        return [len(self.line(number).split()) for number in range(len(self))]

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


class CountedBlock(NamedTuple):
    """A block of each record: lines, or a single one."""

    measure: Lines | Words | Columns | None
    """What is counted; None: nothing, it is any line."""
    number: int = -1
    """Which of the header's numbers counts it."""


class Section(NamedTuple):
    """The lines of a block in one record."""

    block: CountedBlock
    first: int
    stop: int


class CountedRecord(NamedTuple):
    """A header and its blocks."""

    first: int
    """The line of the header."""
    numbers: Sequence[Number]
    sections: tuple[Section, ...]


class Counted(NamedTuple):
    """The records of a text."""

    records: Sequence[CountedRecord]
    total: Number | None = None
    """A number before them that counts them."""
    evidence: float = 0.0
    """How unlikely it is that they are chance, in bits."""


class BlockPlace(NamedTuple):
    """The sections of one block in all records: they follow the same rule."""

    text: CountedText
    records: Sequence[CountedRecord]
    sections: Sequence[Section]
    name: str

    def scopes(self) -> list[Span]:
        """Return where they are."""
        return [self.text.between(each.first, each.stop) for each in self.sections]

    def lines(self) -> Iterator[bytes]:
        """Return all their lines."""
        for section in self.sections:
            yield from map(self.text.line, range(section.first, section.stop))

    def relations(
        self, number: int, measure: Measure, name: str, factor: int = 1
    ) -> Iterator[Relation]:
        """Yield one relation for each record."""
        return (
            Relation(record.numbers[number].at, DECIMAL, measure, scope, name, factor)
            for record, scope in zip(self.records, self.scopes(), strict=True)
        )


def block_relations(text: CountedText, counted: Counted) -> Iterator[Relation]:
    """Return all relations of a text that is made of counted blocks."""
    records = counted.records
    if counted.total is not None:
        members = tuple(text.between(each.first, each.sections[-1].stop) for each in records)
        scope = Span(members[0].start, members[-1].stop)
        yield Relation(counted.total.at, DECIMAL, MemberCount(), scope, "records", members=members)
    used = {section.block.number for section in records[0].sections}
    for place in places(text, records):
        measure, number = place.sections[0].block
        if measure:
            ended = _ended(place) if measure == Lines() else None
            yield from place.relations(number, ended or measure, place.name)
        if measure == Lines():
            yield from _row_lengths(place)
            for number in range(len(records[0].numbers)):
                if number not in used and (columns := column_measure(place, number)):
                    name = f"columns of {place.name}"
                    yield from place.relations(number, columns[0], name, columns[1])


def places(text: CountedText, records: Sequence[CountedRecord]) -> Iterator[BlockPlace]:
    """Yield the sections of each block."""
    for number in range(len(records[0].sections)):
        sections = [record.sections[number] for record in records]
        yield BlockPlace(text, records, sections, f"block {number + 1}")


def _ended(place: BlockPlace) -> Words | None:
    """Return what to count instead of lines if each of them ends with the only 0 in it."""
    is_ended = all(
        line.split()[-1] == b"0" and line.split().count(b"0") == 1 for line in place.lines()
    )
    return Words(b"0") if is_ended else None


def _row_lengths(place: BlockPlace) -> Iterator[Relation]:
    """Return the number of words that follow in each line, if all lines begin with it."""
    rows = (line.split() for line in place.lines())
    if not all(len(row) > 1 and DECIMAL.read(row[0]) == len(row) - 1 for row in rows):
        return
    for section in place.sections:
        for line in range(section.first, section.stop):
            number, (_, stop) = place.text.numbers(line)[0], place.text.lines[line]
            scope = Span(number.at.stop, stop)
            yield Relation(number.at, DECIMAL, Words(), scope, f"rows of {place.name}")


def column_measure(place: BlockPlace, number: int) -> tuple[Columns, int] | None:
    """Return how the columns of all lines are counted, and by what factor, if a number tells it."""
    values = [record.numbers[number].value for record in place.records]
    if max(values) == 1:
        return None
    is_drawn = all(len(line.split()) == 1 for line in place.lines())
    for measure in _COLUMNS if is_drawn else _COLUMNS[:2]:
        for factor in _FACTORS:
            if all(
                measure.of_line(place.text.line(line)) == factor * value
                for value, section in zip(values, place.sections, strict=True)
                for line in range(section.first, section.stop)
            ):
                return measure, factor
    return None
