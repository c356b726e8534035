"""From counted blocks to relations: what counts them, and what tells of the lines in them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.relations.counted_blocks import Counted, CountedRecord, Section, Sort
from wynot.relations.measures import Columns, KnownMembers, Largest, Lines, Words
from wynot.relations.relation import Measure, Relation, Span
from wynot.relations.ruled_text import RuledText
from wynot.relations.writings import DECIMAL

_COLUMNS = (Columns(), Columns(b","), Columns(b""))
_LARGEST_WORDS = (Largest(), Largest(0, 2), Largest(0, 1), Largest(1, 2), Largest(1))
_FACTORS = (1, 2, 3, 4)
LEAST_LARGEST = 2
"""The least number that is believed to be the largest of some."""


class _Place(NamedTuple):
    """A section of each record, which all follow the same rule."""

    text: RuledText
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


def block_relations(text: RuledText, counted: Counted) -> Iterator[Relation]:
    """Return all relations of a text that is made of counted blocks."""
    records = counted.records
    if counted.total is not None:
        members = tuple(text.between(each.first, each.stop) for each in records)
        scope = Span(members[0].start, members[-1].stop)
        yield Relation(counted.total.at, DECIMAL, KnownMembers(), scope, "records", members=members)
    used = {section.block.number for section in records[0].sections}
    for place in _places(text, records):
        yield from _counts(place)
        if place.sections[0].block.sort is Sort.LINES:
            yield from _row_lengths(place)
            for number in range(len(records[0].numbers)):
                if number not in used:
                    yield from _columns(place, number) or _largest(place, number)


def _places(text: RuledText, records: Sequence[CountedRecord]) -> Iterator[_Place]:
    for number in range(len(records[0].sections)):
        sections = [record.sections[number] for record in records]
        yield _Place(text, records, sections, f"block {number + 1}")


def _counts(place: _Place) -> Iterator[Relation]:
    """Return the relations that count the blocks."""
    block = place.sections[0].block
    measures: dict[Sort, Measure] = {
        Sort.LINES: _ended(place) or Lines(),
        Sort.WORDS: Words(),
        Sort.CHARACTERS: Columns(b""),
    }
    if block.sort in measures:
        measure = measures[block.sort]
        for record, scope in zip(place.records, place.scopes(), strict=True):
            yield Relation(record.numbers[block.number].at, DECIMAL, measure, scope, place.name)


def _ended(place: _Place) -> Words | None:
    """Return what to count if each line ends with the same word, which is nowhere else."""
    lasts = {line.split()[-1] for line in place.lines()}
    if len(lasts) != 1:
        return None
    last = lasts.pop()
    once = all(line.split().count(last) == 1 for line in place.lines())
    return Words(last) if once and last == b"0" else None


def _row_lengths(place: _Place) -> Iterator[Relation]:
    """Return what tells how many words follow in each line, if its first one does in all."""
    if not all(_is_row(line) for line in place.lines()):
        return
    for section in place.sections:
        for line in range(section.first, section.stop):
            number, (_, stop) = place.text.numbers(line)[0], place.text.lines[line]
            scope = Span(number.at.stop, stop)
            yield Relation(number.at, DECIMAL, Words(), scope, f"rows of {place.name}")


def _is_row(line: bytes) -> bool:
    words = line.split()
    return DECIMAL.read(words[0]) == len(words) - 1 and len(words) > 1


def _columns(place: _Place, number: int) -> list[Relation]:
    """Return what tells how many columns the lines have, if a number of the headers does."""
    for measure in _COLUMNS:
        for factor in _FACTORS:
            if measure.between == b"" and any(len(line.split()) > 1 for line in place.lines()):
                continue  # those are not characters that are drawn
            if all(
                measure.of_line(place.text.line(line)) == factor * record.numbers[number].value
                for record, section in zip(place.records, place.sections, strict=True)
                for line in range(section.first, section.stop)
            ) and any(record.numbers[number].value > 1 for record in place.records):
                return _all(place, number, measure, factor=factor)
    return []


def _largest(place: _Place, number: int) -> list[Relation]:
    """Return what tells the largest of some words, or one more, if a number does."""
    values = [record.numbers[number].value for record in place.records]
    if max(values) < LEAST_LARGEST:
        return []
    for measure in _LARGEST_WORDS:
        found = [measure(place.text.content, scope, 0) for scope in place.scopes()]
        for addend in (0, 1):
            if [each + addend for each in found] == values:
                return _all(place, number, measure, addend=addend)
    return []


def _all(
    place: _Place, number: int, measure: Measure, *, factor: int = 1, addend: int = 0
) -> list[Relation]:
    """Return one relation for each record."""
    name = f"{type(measure).__name__.lower()} of {place.name}"
    return [
        Relation(record.numbers[number].at, DECIMAL, measure, scope, name, factor, addend)
        for record, scope in zip(place.records, place.scopes(), strict=True)
    ]
