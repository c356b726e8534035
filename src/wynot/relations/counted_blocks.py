"""Finding blocks that numbers before them count, in one of three ways.

- Records of a header ``n m`` and n lines or a line of m words, possibly after the number of
  records. The blocks of the first record are guessed: each is counted by one of the header's
  numbers. A guess counts if the same blocks, record after record, lead to the end of the text.
- A header of several lines, whose numbers count the lines of several sections, as in PLY.
- A number in the first lines that counts the words of the rest, as in DIMACS and plain netpbm.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations, pairwise
from math import log2
from operator import itemgetter

from wynot.relations.counted_text import (
    Counted,
    CountedBlock,
    CountedRecord,
    CountedText,
    Number,
    Section,
    column_measure,
    places,
)
from wynot.relations.relation import DECIMAL, Columns, Lines, Relation, Words

MOST_STARTS = 12
"""How many lines with numbers are tried as the first header."""
MOST_NUMBERS = 4
"""How many numbers of a header may count something."""
MOST_BLOCKS = 3
"""How many blocks may follow a header."""
LEAST_EVIDENCE = 2.0
"""In bits: less may well be chance."""
MOST_COUNTED_RECORDS = 4096
LEAST_TRIES = 24
"""How many guesses are tried in any text."""
MOST_LINES_READ = 1 << 19
"""How many lines are read for more of them."""

MOST_HEADER_LINES = 48
"""How many lines a header with several sections may have."""
MOST_HEADER_NUMBERS = 10
"""How many of its numbers may count something."""
MOST_SECTIONS = 3
MOST_FOOTER_LINES = 2
"""How many lines may follow that are not counted, such as ``EOF``."""
SECTIONS_EVIDENCE = 2.0
"""In bits, after the number of sections is taken off."""
_DIGIT = re.compile(rb"[0-9]")

HEAD_LINES = 8
"""In how many lines a number that counts the words of the rest is looked for."""
REST_EVIDENCE = 3.0
"""In bits."""
HEADER_BITS = 2.0
"""What is taken off for a number that is not in the first line with numbers."""
_END = b"0"
"""The word that ends an item of several lines."""
_FACTORS = (1, 3)
"""How many words an item of a picture may have."""


def counted_blocks(text: CountedText) -> Counted | None:
    """Return the records of a text, if it looks as if it had any."""
    starts = [line for line in range(min(len(text), 4 * MOST_STARTS)) if text.numbers(line)]
    tries = iter(range(LEAST_TRIES + MOST_LINES_READ // (len(text) + 1)))
    found = [
        guess._replace(evidence=guess.evidence - place)
        for place, start in enumerate(starts[:MOST_STARTS])
        for guess in _guesses(text, start, tries)
    ]
    found = [each for each in found if each.evidence >= LEAST_EVIDENCE]
    # With equal evidence, the last number of a header counts.
    return max(
        found,
        key=lambda each: (each.evidence, each.records[0].sections[-1].block.number),
        default=None,
    )


def _guesses(text: CountedText, start: int, tries: Iterator[int]) -> Iterator[Counted]:
    """Return what a text may be if the first header is a certain line, or the next."""
    for layout, _ in zip(_layouts(text, start, start + 1, ()), tries, strict=False):
        if records := _records(text, start, layout):
            yield Counted(records, None, _evidence(text, records))
    numbers = text.numbers(start)
    if len(numbers) != 1 or start + 1 >= len(text) or not numbers[0].value:
        return
    for layout, _ in zip(_layouts(text, start + 1, start + 2, ()), tries, strict=False):
        records = _records(text, start + 1, layout)
        if records and len(records) == numbers[0].value:
            yield Counted(records, numbers[0], _evidence(text, records) + log2(len(records) + 1))


def _layouts(
    text: CountedText, header: int, line: int, before: tuple[CountedBlock, ...]
) -> Iterator[tuple[CountedBlock, ...]]:
    """Return the blocks that may follow a header, as far as the first record tells."""
    if any(block.measure for block in before):
        yield before
    if len(before) == MOST_BLOCKS or line >= len(text):
        return
    measures: list[Words | Lines | Columns] = [Words(), Lines()]
    if len(text.numbers(header)) == text.words[header]:
        measures.append(Columns(b""))  # behind other words, a number of bytes is a size
    for number, (_, value) in enumerate(text.numbers(header)[:MOST_NUMBERS]):
        for measure in measures if value else ():
            block = CountedBlock(measure, number)
            after = _after(text, line, block, value)
            # A number of lines counts nothing else, nor twice; words may be counted twice.
            others = [each.measure for each in before if each.number == number]
            if after is not None and not (others and {measure, *others} != {Words()}):
                yield from _layouts(text, header, after, (*before, block))
    if CountedBlock(None) not in before:
        yield from _layouts(text, header, line + 1, (*before, CountedBlock(None)))


def _after(text: CountedText, line: int, block: CountedBlock, value: int) -> int | None:
    """Return the line after a block that begins in a line; None: it cannot be there."""
    if block.measure == Lines():
        return line + value if line + value <= len(text) else None
    if line >= len(text):
        return None
    if block.measure == Words() and text.words[line] != value:
        return None
    start, stop = text.lines[line]
    if block.measure == Columns(b"") and (stop - start != value or value == 1):
        return None
    return line + 1


def _records(text: CountedText, line: int, layout: tuple[CountedBlock, ...]) -> list[CountedRecord]:
    """Return the records from a line to the end of the text; none if they do not lead there."""
    found: list[CountedRecord] = []
    count = len(text.numbers(line))
    while line < len(text):
        numbers, sections, at = text.numbers(line), [], line + 1
        if found and not any(number.value for number in numbers) and at == len(text):
            return found if numbers else []  # zeros may end it
        if len(numbers) != count or len(found) == MOST_COUNTED_RECORDS:
            return []
        for block in layout:
            after = _after(text, at, block, numbers[block.number].value if block.number >= 0 else 1)
            if after is None:
                return []
            sections.append(Section(block, at, after))
            at = after
        found.append(CountedRecord(line, numbers, tuple(sections)))
        line = at
    return found


def _evidence(text: CountedText, records: Sequence[CountedRecord]) -> float:
    """Return how unlikely it is that this fits by chance, in bits."""
    bits, lines, is_alike = 0.0, 0, False
    for record in records:
        for block, first, stop in record.sections:
            if block.measure == Lines():
                lines += stop - first
                is_alike = is_alike or text.words[record.first] in text.words[first:stop]
            elif block.measure and text.words[first - 1] != text.words[first]:
                bits += log2(record.numbers[block.number].value + 1)
    # Steps by meaningless numbers come to the end by chance once in the size of a step; and to a
    # line that looks like a header if the lines between headers do.
    landing = log2(lines / len(records) + 1)
    headers = 0 if is_alike else len(records) - 1
    return bits + landing + headers + _column_bits(text, records) - len(records[0].sections)


def _column_bits(text: CountedText, records: Sequence[CountedRecord]) -> float:
    """Return the evidence of numbers that count no block, but the columns of one."""
    used = {section.block.number for section in records[0].sections}
    bits = 0.0
    for place in places(text, records):
        if place.sections[0].block.measure == Lines():
            for number in {*range(len(records[0].numbers))} - used:
                if column_measure(place, number):
                    # Rows come before columns, if nothing else tells them apart.
                    bits += sum(log2(each.numbers[number].value + 1) for each in records)
                    bits += number / 100
    return bits


def header_sections(text: CountedText) -> Counted | None:
    """Return the one record that a text may be."""
    return max(_sections(text), key=lambda each: each.evidence, default=None)


def _sections(text: CountedText) -> Iterator[Counted]:
    numbers = [
        (line, number)
        for line in range(min(len(text), MOST_HEADER_LINES))
        for number in text.numbers(line)
        if number.value > 1
    ][:MOST_HEADER_NUMBERS]
    for end in dict.fromkeys((len(text), len(text) - _footer(text))):
        for count in range(1, MOST_SECTIONS + 1):
            for chosen in combinations(range(len(numbers)), count):
                values = [numbers[each][1].value for each in chosen]
                begin, evidence = end - sum(values), log2(sum(values) + 1) - count
                header = numbers[chosen[-1]][0]
                if evidence >= SECTIONS_EVIDENCE and _begins(text, header, begin):
                    before = [number for line, number in numbers if line < begin]
                    yield _counted(before, chosen, begin, evidence)


def _counted(
    numbers: Sequence[Number], chosen: Sequence[int], begin: int, evidence: float
) -> Counted:
    bounds = accumulate((numbers[each].value for each in chosen), initial=begin)
    sections = tuple(
        Section(CountedBlock(Lines(), number), first, stop)
        for number, (first, stop) in zip(chosen, pairwise(bounds), strict=True)
    )
    return Counted([CountedRecord(0, numbers, sections)], None, evidence)


def _footer(text: CountedText) -> int:
    """Return how many lines at the end have no digits, where others do."""
    count = 0
    while count < min(MOST_FOOTER_LINES, len(text)) and not _DIGIT.search(
        text.line(len(text) - count - 1)
    ):
        count += 1
    return count


def _begins(text: CountedText, header: int, line: int) -> bool:
    """Tell whether data may begin in a line: after the header, or after a line without digits."""
    if not header < line <= MOST_HEADER_LINES:
        return False
    return line == header + 1 or not _DIGIT.search(text.line(line - 1))


def rest_count(text: CountedText) -> tuple[float, Relation | None]:
    """Return the number that counts the words of the rest, after the evidence in bits."""
    found = [each for each in _rest_counts(text) if each[0] >= REST_EVIDENCE]
    return max(found, key=itemgetter(0), default=(0.0, None))


def _rest_counts(text: CountedText) -> Iterator[tuple[float, Relation]]:
    headers = [line for line in range(min(len(text) - 1, HEAD_LINES)) if text.numbers(line)]
    for place, line in enumerate(headers):
        for skipped in (0, 1):
            after = line + 1 + skipped
            for bits, found in _of_rest(text, line, after) if after < len(text) else ():
                yield bits - HEADER_BITS * place - skipped - 1, found


def _of_rest(text: CountedText, line: int, after: int) -> Iterator[tuple[float, Relation]]:
    """Yield what the numbers of a line may count in all lines from another one on."""
    numbers = [number for number in text.numbers(line) if number.value > 1]
    rest, words = text.between(after, len(text)), sum(text.words[after:])
    ends = Words(_END)(text.content, rest, 0) if text.line(len(text) - 1).endswith(_END) else 0
    for at, value in numbers:
        if value == ends:  # that the last word ends an item, too, is no chance
            bits = log2(ends + 1) + log2(words / ends)
            yield bits, Relation(at, DECIMAL, Words(_END), rest, "ended")
        elif value == words:
            yield log2(words + 1), Relation(at, DECIMAL, Words(), rest, "words")
    for (at, one), (beside, two) in combinations(numbers, 2):
        for factor in _FACTORS:
            if one * two * factor == words:
                product = Relation(at, DECIMAL, Words(), rest, "product", factor, 0, beside)
                yield log2(words + 1), product
