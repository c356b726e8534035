"""Blocks that a header counts: ``n m``, and then n lines, or a line of m words.

Such a text is one record, or some in a row, and before them may stand how many. What follows a
header is guessed by the first record: a few blocks, each counted by one of the header's numbers.
A guess counts if the same blocks, one record after the other, lead to the end of the text.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum, auto
from functools import partial
from math import log2
from typing import NamedTuple

from wynot.relations.ruled_text import Number, RuledText

MOST_STARTS = 12
"""How many lines with numbers are tried as the first header."""
MOST_NUMBERS = 4
"""How many numbers of a header may count something."""
MOST_BLOCKS = 3
"""How many blocks may follow a header."""
COLOUR_WORDS = 3
"""How many words an item of a row may have, if it is not one."""
LEAST_EVIDENCE = 2.0
"""How much must speak for it, in bits: less may well be chance."""


MOST_COUNTED_RECORDS = 4096
"""How many records are kept track of."""
LEAST_TRIES = 24
"""How many guesses are looked at in any text."""
MOST_LINES_READ = 1 << 19
"""How many lines are read for more of them."""


class Sort(StrEnum):
    """What a block is made of."""

    LINES = auto()
    WORDS = auto()
    """One line, of so many words."""
    CHARACTERS = auto()
    """One line, of so many characters."""
    ANY = auto()
    """One line, that nothing counts."""


class CountedBlock(NamedTuple):
    """What follows a header."""

    sort: Sort
    number: int = -1
    """Which of the header's numbers counts it."""


class Section(NamedTuple):
    """Where a block is: lines of the text."""

    block: CountedBlock
    first: int
    stop: int


class CountedRecord(NamedTuple):
    """A header, and what follows it."""

    first: int
    stop: int
    """Its lines, with those of the header."""
    numbers: Sequence[Number]
    sections: tuple[Section, ...]


class Counted(NamedTuple):
    """The records of a text."""

    records: Sequence[CountedRecord]
    total: Number | None = None
    """How many they are, if that is said."""
    evidence: float = 0.0


def counted_blocks(text: RuledText) -> Counted | None:
    """Return the records of a text, if it looks as if it had any."""
    starts = [line for line in range(min(len(text), 4 * MOST_STARTS)) if text.numbers(line)]
    best: Counted | None = None
    tries = iter(range(LEAST_TRIES + MOST_LINES_READ // (len(text) + 1)))
    for place, start in enumerate(starts[:MOST_STARTS]):
        for guess in _from(text, start, tries):
            found = guess._replace(evidence=guess.evidence - place)
            if best is None or _order(found) > _order(best):
                best = found
    return best if best and best.evidence >= LEAST_EVIDENCE else None


def _order(found: Counted) -> tuple[float, int]:
    """Return what is compared: if as much speaks for either, the last number is what counts."""
    return found.evidence, found.records[0].sections[-1].block.number


def _from(text: RuledText, start: int, tries: Iterator[int]) -> Iterator[Counted]:
    """Return what a text may be if the first header is a certain line, or the next."""
    for program, _ in zip(_programs(text, start, start + 1, ()), tries, strict=False):
        records = _records(text, start, program)
        if records:
            yield Counted(records, None, _evidence(text, records))
    numbers = text.numbers(start)
    if len(numbers) != 1 or start + 1 >= len(text) or not numbers[0].value:
        return
    for program, _ in zip(_programs(text, start + 1, start + 2, ()), tries, strict=False):
        records = _records(text, start + 1, program)
        if records and len(records) == numbers[0].value:
            yield Counted(records, numbers[0], _evidence(text, records) + log2(len(records) + 1))


def _programs(
    text: RuledText, header: int, line: int, before: tuple[CountedBlock, ...]
) -> Iterator[tuple[CountedBlock, ...]]:
    """Return the blocks that may follow a header, as far as the first record tells."""
    if any(block.sort is not Sort.ANY for block in before):
        yield before
    if len(before) == MOST_BLOCKS or line >= len(text):
        return
    # Where there is more than numbers, a length is one in bytes, which is looked for elsewhere.
    is_bare = len(text.numbers(header)) == text.words_of(header)
    sorts = (Sort.WORDS, Sort.LINES, Sort.CHARACTERS) if is_bare else (Sort.WORDS, Sort.LINES)
    for number, (_, value) in enumerate(text.numbers(header)[:MOST_NUMBERS]):
        if not value:
            continue
        for sort in sorts:
            block = CountedBlock(sort, number)
            after = _after(text, line, block, value)
            # What counts lines counts nothing else, nor twice; words may be counted twice.
            others = [each.sort for each in before if each.number == number]
            if after is not None and not (others and {sort, *others} != {Sort.WORDS}):
                yield from _programs(text, header, after, (*before, block))
    if before.count(CountedBlock(Sort.ANY)) == 0:
        yield from _programs(text, header, line + 1, (*before, CountedBlock(Sort.ANY)))


def _after(text: RuledText, line: int, block: CountedBlock, value: int) -> int | None:
    """Return the line after a block that begins in a line; None: it cannot be there."""
    if block.sort is Sort.LINES:
        return line + value if line + value <= len(text) else None
    if line >= len(text):
        return None
    if block.sort is Sort.WORDS and text.words_of(line) != value:
        return None
    if block.sort is Sort.CHARACTERS:
        start, stop = text.lines[line]
        if stop - start != value or value == 1:
            return None
    return line + 1


def _records(text: RuledText, line: int, program: tuple[CountedBlock, ...]) -> list[CountedRecord]:
    """Return the records from a line to the end of the text; none if they do not lead there."""
    found: list[CountedRecord] = []
    count = len(text.numbers(line))
    while line < len(text):
        numbers, sections, at = text.numbers(line), [], line + 1
        if found and not any(number.value for number in numbers) and at == len(text):
            return found if numbers else []  # zeros may end it
        if len(numbers) != count or len(found) == MOST_COUNTED_RECORDS:
            return []
        for block in program:
            value = numbers[block.number].value if block.number >= 0 else 1
            after = _after(text, at, block, value)
            if after is None:
                return []
            sections.append(Section(block, at, after))
            at = after
        found.append(CountedRecord(line, at, numbers, tuple(sections)))
        line = at
    return found


def _evidence(text: RuledText, records: Sequence[CountedRecord]) -> float:
    """Return how unlikely it is that this fits by chance, in bits."""
    words, lines, alike = 0.0, 0, False
    for record in records:
        for block, first, stop in record.sections:
            if block.sort is Sort.LINES:
                lines += stop - first
                alike = alike or any(
                    text.words_of(line) == text.words_of(record.first)
                    for line in range(first, stop)
                )
            elif block.sort is not Sort.ANY and text.words_of(first - 1) != text.words_of(first):
                words += log2(record.numbers[block.number].value + 1)
    # Whoever goes on by numbers that mean nothing comes to the end with a step of this size now
    # and then; and meets a line in between that looks like a header, if lines do.
    landing = log2(lines / len(records) + 1)
    headers = 0 if alike else len(records) - 1
    return words + landing + headers + _of_columns(text, records) - len(records[0].sections)


def _of_columns(text: RuledText, records: Sequence[CountedRecord]) -> float:
    """Return what speaks for a number that no block has, as each line has so many words."""
    used = {section.block.number for section in records[0].sections}
    bits = 0.0
    for number in {*range(len(records[0].numbers))} - used:
        values = [record.numbers[number].value for record in records]
        if all(map(partial(_are_wide, text), records, values)):
            # Rows are told before columns, if that is all there is to tell them apart.
            bits += sum(log2(value + 1) for value in values) + number / 100
    return bits


def _are_wide(text: RuledText, record: CountedRecord, value: int) -> bool:
    """Tell whether each line has so many words, or is one of so many characters."""
    lines = [
        line
        for block, first, stop in record.sections
        if block.sort is Sort.LINES
        for line in range(first, stop)
    ]
    return value > 1 and bool(lines) and all(_is_wide(text, line, value) for line in lines)


def _is_wide(text: RuledText, line: int, value: int) -> bool:
    start, stop = text.lines[line]
    words = text.words_of(line)
    return words in (value, COLOUR_WORDS * value) or (words == 1 and stop - start == value)
